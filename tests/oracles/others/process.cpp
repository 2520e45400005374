// SPDX-License-Identifier: BSD-3-Clause
// Questions in processes of their own, answers through pipes.
#include "oracles/others/process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

namespace jounce::others {
namespace {

/// Numbers and names through a pipe.
class Pipe {
 public:
  explicit Pipe(std::FILE* file) : file_(file) {}
  ~Pipe() { std::fclose(file_); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void write(double x) { std::fwrite(&x, sizeof x, 1, file_); }
  double read() {
    double x = 0;
    good_ = good_ && std::fread(&x, sizeof x, 1, file_) == 1;
    return x;
  }
  bool good() const { return good_; }

  void write(const Eigen::MatrixXd& m) {
    write(double(m.rows())), write(double(m.cols()));
    std::fwrite(m.data(), sizeof(double), std::size_t(m.size()), file_);
  }
  Eigen::MatrixXd read_matrix() {
    const auto rows = Eigen::Index(read()), cols = Eigen::Index(read());
    Eigen::MatrixXd m(good_ ? rows : 0, good_ ? cols : 0);
    const auto size = std::size_t(m.size());
    good_ = good_ && std::fread(m.data(), sizeof(double), size, file_) == size;
    return m;
  }
  void write(const std::string& text) {
    write(double(text.size()));
    std::fwrite(text.data(), 1, text.size(), file_);
  }
  std::string read_text() {
    std::string text(std::size_t(read()), '\0');
    good_ = good_ && std::fread(text.data(), 1, text.size(), file_) == text.size();
    return text;
  }

 private:
  std::FILE* file_;
  bool good_ = true;
};

void send(Pipe& pipe, const Answer& answer) {
  pipe.write(double(answer.nq)), pipe.write(double(answer.nv));
  pipe.write(double(answer.coordinates.size()));
  for (const std::string& name : answer.coordinates) pipe.write(name);
  pipe.write(answer.M), pipe.write(Eigen::MatrixXd(answer.tau));
  pipe.write(Eigen::MatrixXd(answer.a));
}

Answer receive(Pipe& pipe) {
  Answer answer;
  answer.nq = int(pipe.read()), answer.nv = int(pipe.read());
  for (auto count = std::size_t(pipe.read()); count > 0 && pipe.good(); --count)
    answer.coordinates.push_back(pipe.read_text());
  answer.M = pipe.read_matrix();
  const Eigen::MatrixXd tau = pipe.read_matrix(), a = pipe.read_matrix();
  if (tau.cols() == 1) answer.tau = tau;
  if (a.cols() == 1) answer.a = a;
  return answer;
}

}  // namespace

std::optional<Answer> asked(const Ask& ask, const Question& question) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    alarm(60);
    if (std::freopen("/dev/null", "w", stderr) == nullptr ||
        std::freopen("/dev/null", "w", stdout) == nullptr)
      _exit(3);
    try {
      const Answer answer = ask(question);
      {
        Pipe out(fdopen(ends[1], "wb"));
        send(out, answer);
      }
      _exit(0);
    } catch (...) {
      _exit(2);
    }
  }
  close(ends[1]);
  Answer answer;
  bool whole = false;
  {
    Pipe in(fdopen(ends[0], "rb"));
    answer = receive(in);
    whole = in.good();
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!whole || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return answer;
}

}  // namespace jounce::others
