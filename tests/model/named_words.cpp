// SPDX-License-Identifier: BSD-3-Clause
#include "model/named_words.hpp"

namespace jounce::test {
namespace {

constexpr std::pair<Representation, const char*> axes[] = {{Representation::body, "body"},
                                                           {Representation::hybrid, "hybrid"},
                                                           {Representation::space, "space"}};

/// The same numbers everywhere, none of them special.
void fill(std::vector<double>& x, std::uint64_t seed) {
  for (size_t k = 0; k < x.size(); ++k) x[k] = 0.3 - 0.1 * double((k + seed) % 5);
}

}  // namespace

WordsInMotion::WordsInMotion(const Robot& robot, std::uint64_t seed) : words_(robot), seed_(seed) {
  std::vector<double> v(size_t(robot.nv())), a(v);
  fill(v, seed), fill(a, seed + 1);
  words_.move(robot.random(seed), v, a);
  for (const Word& word : words_.all()) {
    std::string name = word.full_name();
    if (const int before = times_[name]++; before > 0) name += " " + std::to_string(before + 1);
    add(word, name);
  }
}

void WordsInMotion::add(const Word& word, const std::string& name) {
  NamedCall call{name, &word, {}, {}, {}};
  const Robot& robot = words_.robot();
  for (const Argument& one : word.arguments) {
    std::vector<double>& x = numbers_.emplace_back(
        one.configuration() ? robot.random(seed_) : std::vector<double>(size_t(one.size(robot))));
    if (!one.configuration()) fill(x, seed_ + call.x.size());
    call.x.emplace_back(x);
  }
  for (const Shape& shape : word.results) {
    std::vector<double>& x = numbers_.emplace_back(size_t(shape.rows * shape.columns));
    call.to.emplace_back(x.data(), shape.rows, shape.columns);
  }
  calls_.push_back(call);
  if (word.surrounded != Surrounded::by_wrenches) return;
  for (const auto& [in, text] : axes) {
    call.wrench = in;
    call.name = name + " with a wrench in " + text + " axes";
    calls_.push_back(call);
  }
}

void WordsInMotion::surround(const NamedCall& call) {
  words_.wrenches.clear();
  const auto last = FrameId(int(words_.robot().frames().size()) - 1);
  if (call.wrench) words_.wrenches.push_back({last, {{0.1, 0.2, 0.3}, {4, 5, 6}}, *call.wrench});
}

}  // namespace jounce::test
