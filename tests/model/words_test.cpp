// SPDX-License-Identifier: BSD-3-Clause
// What holds for every word of every door: calls that write into given memory allocate nothing,
// refuse what is wrong by name, and may write where an argument is.
#include "model/words.hpp"

#include <gtest/gtest.h>

#include "model/random_robot.hpp"
#include "support/allocation_guard.hpp"
#include "support/message.hpp"
#include "support/scale.hpp"

namespace jounce::test {
namespace {

/// Arguments that a word answers, and memory for what it gives.
struct Call {
  Call(const Word& word_, const Robot& robot, std::uint64_t seed) : word(word_) {
    Random rng(seed);
    for (const Argument& one : word.arguments) {
      given.push_back(one.configuration() ? robot.random(seed)
                                          : std::vector<double>(size_t(one.size(robot))));
      if (!one.configuration())
        for (double& number : given.back()) number = rng.uniform(-0.5, 0.5);
      x.emplace_back(given.back());
    }
    for (const Shape& shape : word.results) {
      found.emplace_back(size_t(shape.rows * shape.columns));
      to.emplace_back(found.back().data(), shape.rows, shape.columns);
    }
  }
  Call(const Call&) = delete;

  void run() const { word.call(x, to); }
  std::string refusal() const {
    return message([&] { run(); });
  }
  /// All numbers that the last run gave.
  std::vector<double> numbers() const {
    std::vector<double> all;
    for (const std::vector<double>& one : found) all.insert(all.end(), one.begin(), one.end());
    if (word.object)
      for (const Eigen::MatrixXd one : word.object())
        all.insert(all.end(), one.data(), one.data() + one.size());
    return all;
  }

  const Word& word;
  std::vector<std::vector<double>> given, found;
  Vectors x;
  Memory to;
};

/// A robot of the file or of random numbers, surrounded by wrenches and a ground that moves.
struct Subject {
  explicit Subject(const Robot& robot, std::uint64_t seed = 1) : words(robot) {
    Random rng(seed);
    for (int k = 0; k < 3; ++k) {
      const auto frame = FrameId(int(rng.uniform(0, double(robot.frames().size()))));
      words.wrenches.push_back({frame, rng.wrench(), Representation(k)});
    }
    words.ground = {rng.twist(), rng.twist()};
    const std::vector<double> v(size_t(robot.nv()), 0.2), a(size_t(robot.nv()), -0.3);
    words.move(robot.random(seed), v, a);
  }
  Words words;
};

TEST(Words, AllocateNothing) {
  for (int seed = 0; seed < scaled(12); ++seed) {
    const Robot robot = random_robot(std::uint64_t(seed), seed % 3 == 1, 3 + seed % 8);
    Subject subject(robot, std::uint64_t(seed));
    for (const Word& word : subject.words.all()) {
      const Call call(word, robot, std::uint64_t(seed));
      if (word.door == "InverseKinematics" || word.door.starts_with("C"))
        call.run();  // the first call knows how many goals or contacts there are
      const long before = allocations_of_this_thread();
      call.run();
      const long count = allocations_of_this_thread() - before;
      EXPECT_EQ(count, 0) << word.full_name() << ", robot \"" << robot.name() << "\", seed "
                          << seed;
    }
  }
}

std::vector<Robot> robots_to_refuse() {
  return {load("builtin:arm7"), load("builtin:quadruped"), load("builtin:five_bar"),
          random_robot(7, true, 6)};
}

TEST(Words, RefuseVectorsOfAnotherSize) {
  for (const Robot& robot : robots_to_refuse()) {
    const Subject subject(robot);
    for (const Word& word : subject.words.all()) {
      Call call(word, robot, 1);
      EXPECT_EQ(call.refusal(), "no error") << word.full_name();
      for (size_t k = 0; k < call.x.size(); ++k) {
        const Argument& argument = word.arguments[k];
        if (argument.columns > 1) continue;
        const size_t needed = call.x[k].size();
        for (const size_t size : {needed - 1, needed + 1, size_t(0)}) {
          const std::vector<double> wrong(size);
          call.x[k] = wrong;
          EXPECT_EQ(call.refusal(), word.name + ": " + argument.name + " has " +
                                        std::to_string(size) + " elements, robot \"" +
                                        robot.name() + "\" needs " + std::to_string(needed))
              << word.full_name();
        }
        call.x[k] = call.given[k];
      }
    }
  }
}

/// `[2]` of a vector, `(2, 1)` of columns.
std::string place(const Argument& argument, int at, int nv) {
  if (argument.columns == 1) return "[" + std::to_string(at) + "]";
  return "(" + std::to_string(at % nv) + ", " + std::to_string(at / nv) + ")";
}

TEST(Words, RefuseWhatIsNotFinite) {
  for (const Robot& robot : robots_to_refuse()) {
    const Subject subject(robot);
    for (const Word& word : subject.words.all()) {
      Call call(word, robot, 1);
      for (size_t k = 0; k < call.x.size(); ++k)
        for (const size_t at : {size_t(0), call.x[k].size() - 1})
          for (const auto& [number, told] : {std::pair(NAN, " is NaN"),
                                             {INFINITY, " is infinite"},
                                             {-INFINITY, " is infinite"}}) {
            const double before = call.given[k][at];
            call.given[k][at] = number;
            EXPECT_EQ(call.refusal(), word.name + ": " + word.arguments[k].name +
                                          place(word.arguments[k], int(at), robot.nv()) + told)
                << word.full_name();
            call.given[k][at] = before;
          }
    }
  }
}

TEST(Words, RefuseSurroundingsThatAreNotFinite) {
  for (const Robot& robot : robots_to_refuse()) {
    Subject subject(robot);
    const std::vector<OutsideWrench<double>> good = subject.words.wrenches;
    for (const Word& word : subject.words.all()) {
      if (word.surrounded == Surrounded::by_nothing) continue;
      const Call call(word, robot, 1);
      const bool series = word.door.find("Series") != std::string::npos;
      if (word.surrounded == Surrounded::by_wrenches) {
        subject.words.wrenches[0].wrench.f.y = INFINITY;
        EXPECT_EQ(call.refusal(), word.name + ": wrenches[0] on \"" +
                                      robot.frame_info(good[0].frame).name + "\"" +
                                      (series ? ", derivative 0," : "") + " is not finite")
            << word.full_name();
        subject.words.wrenches = good;
      }
      const OptionalGround<double> moving = subject.words.ground;
      subject.words.ground->V.w.z = NAN;
      EXPECT_EQ(call.refusal(), word.name + (series ? ": ground[0] is not finite"
                                                    : ": the ground's motion is not finite"))
          << word.full_name();
      subject.words.ground = moving;
    }
  }
}

/// `7` numbers of a vector, `6 x 7` of a matrix.
std::string needed(const Shape& shape) {
  return std::to_string(shape.rows) +
         (shape.columns == 1 ? "" : " x " + std::to_string(shape.columns));
}

TEST(Words, RefuseResultsOfAnotherSize) {
  for (const Robot& robot : robots_to_refuse()) {
    const Subject subject(robot);
    for (const Word& word : subject.words.all()) {
      if (word.gives != Gives::numbers) continue;
      Call call(word, robot, 1);
      for (size_t k = 0; k < call.to.size(); ++k) {
        const Shape& shape = word.results[k];
        for (const Shape wrong : {Shape{shape.rows - 1, shape.columns},
                                  Shape{shape.rows, shape.columns - 1}, Shape{0, 0}}) {
          call.to[k] = Into<double>(call.found[k].data(), wrong.rows, wrong.columns);
          const std::string told = call.refusal(), start = word.name + ": into(",
                            end = ", robot \"" + robot.name() + "\" needs " + needed(shape);
          EXPECT_TRUE(told.starts_with(start) && told.ends_with(end))
              << told << "; needed: " << start << "..." << end;
        }
        call.to[k] = Into<double>(call.found[k].data(), shape.rows, shape.columns);
      }
    }
  }
}

/// Robots whose q and v are of one size, so that every vector can be every other; springs read q to
/// the last.
Robot robot_of_equal_sizes(int seed) {
  return Robot(generate({.shape = TreeShape(seed % 4),
                         .bodies = 3 + seed % 9,
                         .kinds = {JointKind::revolute, JointKind::prismatic},
                         .mimic = seed % 2 == 0,
                         .passive = seed % 3 != 0,
                         .seed = std::uint64_t(seed)}));
}

void expect_same_in_place(const Word& word, const Robot& robot, std::uint64_t seed, size_t result,
                          size_t argument) {
  Call apart(word, robot, seed), together(word, robot, seed);
  apart.run();
  std::vector<double>&memory = together.found[result], &given = together.given[argument];
  memory.resize(std::max(memory.size(), given.size()));
  std::copy(given.begin(), given.end(), memory.begin());
  together.x[argument] = std::span(memory).first(given.size());
  const Shape& shape = word.results[result];
  together.to[result] = Into<double>(memory.data(), shape.rows, shape.columns);
  together.run();
  memory.resize(apart.found[result].size());
  EXPECT_EQ(together.numbers(), apart.numbers())
      << word.full_name() << ": result " << result << " in " << word.arguments[argument].name
      << ", robot \"" << robot.name() << "\", seed " << seed;
}

TEST(Words, MayWriteWhereAnArgumentIs) {
  for (int seed = 0; seed < scaled(20); ++seed) {
    const Robot robot = robot_of_equal_sizes(seed);
    const Subject subject(robot, std::uint64_t(seed));
    for (const Word& word : subject.words.all())
      if (word.gives == Gives::numbers)
        for (size_t result = 0; result < word.results.size(); ++result)
          for (size_t argument = 0; argument < word.arguments.size(); ++argument)
            expect_same_in_place(word, robot, std::uint64_t(seed), result, argument);
  }
}

/// A column of a result object may be an argument of the call that writes the object anew.
TEST(Words, MayReadTheObjectThatTheyWrite) {
  for (int seed = 0; seed < scaled(20); ++seed) {
    const Robot robot = robot_of_equal_sizes(seed);
    const Subject subject(robot, std::uint64_t(seed));
    for (const Word& word : subject.words.all()) {
      if (word.gives != Gives::object) continue;
      for (size_t k = 0; k < word.arguments.size(); ++k) {
        Call call(word, robot, std::uint64_t(seed));
        call.run();
        const OwnedMatrix::View view = word.object()[0];
        const auto size = Eigen::Index(call.x[k].size());
        if (view.rows() < size && (view.outerStride() != view.rows() || view.size() < size))
          continue;
        const std::vector<double> copy(view.data(), view.data() + size);
        call.x[k] = {view.data(), size_t(size)};
        call.run();
        const std::vector<double> found = call.numbers();
        call.x[k] = copy;
        call.run();
        EXPECT_EQ(found, call.numbers())
            << word.full_name() << ": " << word.arguments[k].name << " in the result, robot \""
            << robot.name() << "\", seed " << seed;
      }
    }
  }
}

/// What a call wrote before, at another state and on the same object, leaves nothing behind.
TEST(Words, LeaveNothingBehind) {
  for (int seed = 0; seed < scaled(12); ++seed) {
    const Robot robot = random_robot(std::uint64_t(seed), seed % 3 == 1, 3 + seed % 8);
    const Subject subject(robot, std::uint64_t(seed));
    for (const Word& word : subject.words.all()) {
      if (word.arguments.empty()) continue;
      const Call call(word, robot, 1), other(word, robot, 2);
      call.run();
      const std::vector<double> once = call.numbers();
      other.run(), call.run();
      EXPECT_EQ(call.numbers(), once)
          << word.full_name() << ", robot \"" << robot.name() << "\", seed " << seed;
    }
  }
}

/// Every word gives finite numbers or is refused under its name; returns how many were refused.
int try_all(Words& words, const Eigen::VectorXd& q, const Eigen::VectorXd& x,
            const std::string& where) {
  (void)message([&] { words.move(q, x, x); });
  int refused = 0;
  for (const Word& word : words.all()) {
    Call call(word, words.robot(), 1);
    for (size_t k = 0; k < call.x.size(); ++k) {
      const Eigen::VectorXd& values = word.arguments[k].configuration() ? q : x;
      for (size_t j = 0; j < call.given[k].size(); ++j)
        call.given[k][j] = values[Eigen::Index(j) % values.size()];
    }
    const std::string told = call.refusal();
    if (told == "no error") {
      const std::vector<double> found = call.numbers();
      EXPECT_TRUE(
          std::all_of(found.begin(), found.end(), [](double y) { return std::isfinite(y); }))
          << word.full_name() << ", " << where;
    } else {
      ++refused;
      EXPECT_EQ(told.substr(0, word.name.size() + 2), word.name + ": ") << told << ", " << where;
    }
  }
  return refused;
}

/// q of joints without quaternions at all sizes, v, a and tau at all sizes.
TEST(Words, GiveFiniteNumbersAtEverySize) {
  int refused = 0;
  for (std::uint64_t seed = 0; seed < std::uint64_t(scaled(12)); ++seed) {
    const RobotInMotion c(seed, seed % 3 == 1, 4 + int(seed % 4));
    if (c.robot.nv() == 0 || c.robot.mass() == 0) continue;
    Words words(c.robot);
    for (const double size : {1.0, 1e7, 1e9, 1e40, 1e77, 1e120, 1e154, 1e200, 1e300, 1e308}) {
      std::ostringstream at;
      at << "seed " << seed << ", size " << size;
      const std::string where = at.str();
      refused += try_all(words, c.q, c.v * size, where);
      Eigen::VectorXd q = c.q;
      for (const JointInfo& joint : c.robot.joints())
        if (!joint.mimic && joint.nq == joint.nv)
          for (double& x : q.segment(joint.q, joint.nq)) x = std::clamp(x * size, -1e308, 1e308);
      try_all(words, q, c.v, "q, " + where);
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace jounce::test
