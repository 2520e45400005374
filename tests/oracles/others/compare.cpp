// SPDX-License-Identifier: BSD-3-Clause
// Robot files in folders, computed by Jounce and by every peer that was found: a table of what
// loads, what agrees and how well.
//
//   compare_robots [--list] FOLDER|FILE...
//
// Every file is counted once by its content. Each question is asked in a process of its own: a peer
// that crashes refuses. --list names the files that load on one side only, and those that differ.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "oracles/others/peer.hpp"

namespace jounce::others {

double number_of(const std::string& joint, const std::string& purpose) {
  std::uint64_t hash = 1469598103934665603u;
  for (const char c : purpose + ":" + joint)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  hash ^= hash >> 31;
  return double(hash % 2000001) / 1e6 - 1;
}

Eigen::VectorXd numbers_of(const std::vector<std::string>& joints, const std::string& purpose) {
  Eigen::VectorXd numbers(Eigen::Index(joints.size()));
  for (std::size_t k = 0; k < joints.size(); ++k)
    numbers[Eigen::Index(k)] = number_of(joints[k], purpose);
  return numbers;
}

std::vector<Peer> peers() {
  std::vector<Peer> found;
#ifdef JOUNCE_WITH_PINOCCHIO
  found.push_back({"Pinocchio", false, ask_pinocchio});
#endif
#ifdef JOUNCE_WITH_MUJOCO
  found.push_back({"MuJoCo", true, ask_mujoco});
#endif
#ifdef JOUNCE_WITH_DART
  found.push_back({"DART", true, ask_dart});
#endif
#ifdef JOUNCE_WITH_KDL
  found.push_back({"KDL (our reading)", false, ask_kdl});
#endif
  return found;
}

namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The file without its shapes; as it is where it is not XML.
std::string without_shapes(const std::string& text) {
  pugi::xml_document document;
  if (!document.load_buffer(text.data(), text.size())) return text;
  for (pugi::xml_node link : document.document_element().children("link"))
    while (link.remove_child("visual") || link.remove_child("collision")) continue;
  std::ostringstream out;
  document.save(out);
  return out.str();
}

/// All distinct files of folders.
std::map<std::string, std::string> files_in(const std::vector<std::string>& paths) {
  std::map<std::string, std::string> files;
  std::set<std::string> contents;
  const auto add = [&](const fs::path& path) {
    std::string text = content_of(path);
    if (contents.insert(text).second) files.emplace(path.string(), std::move(text));
  };
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      add(path);
      continue;
    }
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file() &&
          (entry.path().extension() == ".urdf" || entry.path().extension() == ".URDF"))
        found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    for (const fs::path& one : found) add(one);
  }
  return files;
}

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
  pipe.write(double(answer.joints.size()));
  for (const std::string& joint : answer.joints) pipe.write(joint);
  pipe.write(answer.M), pipe.write(Eigen::MatrixXd(answer.tau));
  pipe.write(Eigen::MatrixXd(answer.a));
}

Answer receive(Pipe& pipe) {
  Answer answer;
  answer.nq = int(pipe.read()), answer.nv = int(pipe.read());
  for (auto count = std::size_t(pipe.read()); count > 0 && pipe.good(); --count)
    answer.joints.push_back(pipe.read_text());
  answer.M = pipe.read_matrix();
  const Eigen::MatrixXd tau = pipe.read_matrix(), a = pipe.read_matrix();
  if (tau.cols() == 1) answer.tau = tau;
  if (a.cols() == 1) answer.a = a;
  return answer;
}

/// The answer of a process of its own; nothing where it refuses or dies.
std::optional<Answer> asked(const Ask& ask, const std::string& path, const std::string& text) {
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
      const Answer answer = ask(path, text);
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

/// Where our joints are among theirs; nothing where a name is missing.
std::optional<std::vector<Eigen::Index>> order_of(const Answer& ours, const Answer& theirs) {
  std::map<std::string, Eigen::Index> place;
  for (std::size_t k = 0; k < theirs.joints.size(); ++k) place[theirs.joints[k]] = Eigen::Index(k);
  std::vector<Eigen::Index> order;
  for (const std::string& joint : ours.joints) {
    const auto found = place.find(joint);
    if (found == place.end()) return std::nullopt;
    order.push_back(found->second);
  }
  return order;
}

/// DART gives links without mass 1e-100 kg.
constexpr double nothing = 1e-90;

/// In units of sqrt(M_ii M_jj), of the largest entry where a diagonal entry is zero.
double mass_error(const Eigen::MatrixXd& ours, const Eigen::MatrixXd& theirs) {
  const double largest = ours.cwiseAbs().maxCoeff();
  double worst = 0;
  for (Eigen::Index i = 0; i < ours.rows(); ++i)
    for (Eigen::Index j = 0; j < ours.cols(); ++j) {
      const double product = ours(i, i) * ours(j, j);
      const double unit = product > 0 ? std::sqrt(product) : largest;
      const double error = std::abs(ours(i, j) - theirs(i, j));
      worst = std::max(worst, error < nothing ? 0 : error / unit);
    }
  return worst;
}

double vector_error(const Eigen::VectorXd& ours, const Eigen::VectorXd& theirs) {
  const double largest = ours.cwiseAbs().maxCoeff();
  const double error = (ours - theirs).cwiseAbs().maxCoeff();
  return error < nothing ? 0 : error / largest;
}

constexpr double tolerance = 1e-12;

/// What a peer and we made of all files.
struct Tally {
  int both = 0, only_ours = 0, only_theirs = 0, neither = 0;
  int compared = 0, forward = 0, other_size = 0, differ = 0;
  double mass = 0, inverse = 0, worst_forward = 0;
  std::vector<std::string> remarks;

  void compare(const std::string& path, const Answer& ours, const Answer& theirs) {
    if (ours.nv != theirs.nv || (!ours.joints.empty() && ours.nq != theirs.nq)) {
      ++other_size;
      remarks.push_back(path + ": nv " + std::to_string(ours.nv) + ", theirs " +
                        std::to_string(theirs.nv));
      return;
    }
    const auto order = order_of(ours, theirs);
    if (ours.joints.empty() || !order) return;
    ++compared;
    double M = 0, tau = 0, a = 0;
    if (ours.M.size() > 0 && theirs.M.size() > 0) M = mass_error(ours.M, theirs.M(*order, *order));
    if (ours.tau.size() > 0) tau = vector_error(ours.tau, theirs.tau(*order));
    if (ours.a.size() > 0 && theirs.a.size() > 0 && theirs.a.allFinite()) {
      ++forward;
      a = vector_error(ours.a, theirs.a(*order));
    }
    char text[100];
    std::snprintf(text, sizeof text, ": mass %.1e, inverse %.1e, forward %.1e", M, tau, a);
    const bool agrees = M <= tolerance && tau <= tolerance && a <= tolerance;
    if (!agrees) remarks.push_back(path + text);
    if (!(M <= 1e-6 && tau <= 1e-6 && a <= 1e-3)) {  // another reading, not rounding
      ++differ;
      return;
    }
    mass = std::max(mass, M), inverse = std::max(inverse, tau);
    worst_forward = std::max(worst_forward, a);
  }
};

void print(const std::vector<Peer>& peers, const std::vector<Tally>& tallies) {
  std::printf(
      "| | load both | only Jounce | only the peer | neither | compared | other nv | differ "
      "| mass | inverse | forward |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (std::size_t k = 0; k < peers.size(); ++k) {
    const Tally& t = tallies[k];
    std::printf("| %s | %d | %d | %d | %d | %d | %d | %d | %.1e | %.1e | %.1e (%d) |\n",
                peers[k].name.c_str(), t.both, t.only_ours, t.only_theirs, t.neither, t.compared,
                t.other_size, t.differ, t.mass, t.inverse, t.worst_forward, t.forward);
  }
}

int run(const std::vector<std::string>& paths, bool list) {
  const std::vector<Peer> all = peers();
  std::vector<Tally> tallies(all.size());
  const auto files = files_in(paths);
  int loaded = 0;
  for (const auto& [path, text] : files) {
    const std::string bare = without_shapes(text);
    const std::optional<Answer> ours = asked(ask_jounce, path, text);
    loaded += ours ? 1 : 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::optional<Answer> theirs =
          asked(all[k].ask, path, all[k].needs_meshes ? bare : text);
      Tally& t = tallies[k];
      ++(ours ? (theirs ? t.both : t.only_ours) : (theirs ? t.only_theirs : t.neither));
      if (!ours && theirs) t.remarks.push_back(path + ": loads there only");
      if (ours && theirs) t.compare(path, *ours, *theirs);
    }
  }
  std::printf("%zu distinct files, %d load\n\n", files.size(), loaded);
  print(all, tallies);
  for (std::size_t k = 0; list && k < all.size(); ++k)
    for (const std::string& remark : tallies[k].remarks)
      std::printf("%s: %s\n", all[k].name.c_str(), remark.c_str());
  return 0;
}

}  // namespace
}  // namespace jounce::others

int main(int argc, char** argv) {
  std::vector<std::string> paths(argv + 1, argv + argc);
  const bool list = std::erase(paths, std::string("--list")) > 0;
  if (paths.empty()) {
    std::fprintf(stderr, "usage: compare_robots [--list] FOLDER|FILE...\n");
    return 2;
  }
  return jounce::others::run(paths, list);
}
