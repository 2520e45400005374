// SPDX-License-Identifier: BSD-3-Clause
// From a recording to a tape: what the outputs need, in an order and in a memory that keep few
// numbers at once.
#include <algorithm>
#include <jounce/error.hpp>
#include <jounce/scalar/recorded.hpp>
#include <string>
#include <utility>

namespace jounce {
namespace {

class Assembler {
 public:
  Assembler(const Recorder& recorder, std::span<const Recorded> outputs)
      : nodes_(recorder.nodes()), outputs_(outputs), at_(nodes_.size()) {
    p_.inputs = recorder.inputs();
  }

  Program run() {
    for (const Recorded& y : outputs_)
      if (y.recorder != nullptr) order(y.node);
    fuse_products();
    group();
    find_last_reads();
    place_outputs();
    for (size_t k = 0; k < order_.size(); ++k) add_step(int(k), order_[k]);
    for (const auto& [from, to] : copies_) p_.steps.push_back(step(Op::copy, to, {from}));
    p_.steps.push_back({});
    if (p_.numbers > most_tape_numbers)
      throw InputError("a recorded function keeps " + std::to_string(p_.numbers) +
                       " numbers at once, a tape has room for " +
                       std::to_string(most_tape_numbers));
    return std::move(p_);
  }

 private:
  static constexpr int nowhere = -1;
  struct At {
    bool seen = false, done = false;
    int reads = 0, missing = 0;
    bool waiting = false;
    std::vector<int> readers;  ///< among those that wait
    int place = nowhere;
    int last_read = -1;  ///< in order_; what is no register is kept
    bool is_register = false;
    std::vector<int> parts;  ///< of a function with several results: those that are needed
  };
  At& at(int n) { return at_[size_t(n)]; }
  Recorder::Node& node(int n) { return nodes_[size_t(n)]; }

  /// Puts a node after all that it reads, depth first.
  void order(int output) {
    std::vector<int> stack = {output};
    while (!stack.empty()) {
      const int n = stack.back();
      if (!at(n).seen) {
        at(n).seen = true;
        for (const int from : node(n).from)
          if (from >= 0 && !at(from).seen) stack.push_back(from);
        if (node(n).op == Op::part) at(node(n).from[0]).parts.push_back(n);
        continue;
      }
      stack.pop_back();
      if (std::exchange(at(n).done, true)) continue;
      if (node(n).op != Op::part && node(n).op != Op::input && node(n).op != Op::constant)
        order_.push_back(n);
    }
  }
  /// A product that one sum alone reads becomes a part of it.
  void fuse_products() {
    for (const Recorded& y : outputs_)
      if (y.recorder != nullptr) ++at(y.node).reads;
    for (const int n : order_)
      for (const int from : node(n).from)
        if (from >= 0) ++at(from).reads;
    for (const int n : order_) {
      const auto [x, y, none, nothing] = node(n).from;
      if (node(n).op == Op::add) {
        if (is_product(y)) fuse(n, {Op::multiply_add, Op::scale_add, 1}, y, x);
        else if (is_product(x)) fuse(n, {Op::multiply_add, Op::scale_add, 1}, x, y);
      } else if (node(n).op == Op::subtract) {
        if (is_product(y)) fuse(n, {Op::subtract_product, Op::scale_add, -1}, y, x);
        else if (is_product(x)) fuse(n, {Op::multiply_subtract, Op::scale_subtract, 1}, x, y);
      }
    }
    std::erase_if(order_, [&](int n) { return !at(n).done; });
  }
  bool is_product(int n) {
    return at(n).reads == 1 && (node(n).op == Op::multiply || node(n).op == Op::scale);
  }
  /// What a sum becomes with a product x y, and with c x, where c takes a sign.
  struct Fused {
    Op multiply, scale;
    int sign;
  };
  void fuse(int sum, const Fused& as, int product, int other) {
    const auto& [op, x, c] = node(product);
    if (op == Op::multiply) node(sum) = {as.multiply, {x[0], x[1], other, -1}};
    else node(sum) = {as.scale, {x[0], other, -1, -1}, as.sign * c};
    at(product).done = false;
  }
  /// Equal steps side by side, within blocks so that not too much is done too early.
  void group() {
    constexpr std::ptrdiff_t block = 256;
    for (auto first = order_.begin(); first < order_.end();) {
      const auto last = order_.end() - first > block ? first + block : order_.end();
      group({first, last});
      first = last;
    }
  }
  /// Always all that can be done of the kind that most wait for.
  void group(std::span<int> steps) {
    std::vector<int> ready[size_t(Op::part)];
    const auto make_ready = [&](int n) { ready[size_t(node(n).op)].push_back(n); };
    for (const int n : steps) at(n).waiting = true;
    for (const int n : steps) {
      for (int from : node(n).from) {
        if (from >= 0 && node(from).op == Op::part) from = node(from).from[0];
        if (from < 0 || !at(from).waiting) continue;
        at(from).readers.push_back(n);
        ++at(n).missing;
      }
      if (at(n).missing == 0) make_ready(n);
    }
    for (size_t done = 0; done < steps.size();) {
      auto& most =
          *std::max_element(std::begin(ready), std::end(ready),
                            [](const auto& a, const auto& b) { return a.size() < b.size(); });
      while (!most.empty()) {
        const int n = most.back();
        most.pop_back();
        steps[done++] = n;
        at(n).waiting = false;
        for (const int reader : at(n).readers)
          if (--at(reader).missing == 0) make_ready(reader);
      }
    }
  }
  void find_last_reads() {
    for (size_t k = 0; k < order_.size(); ++k)
      for (const int from : node(order_[k]).from)
        if (from >= 0) at(from).last_read = int(k);
  }
  /// Outputs are computed where they belong.
  void place_outputs() {
    p_.outputs = int(outputs_.size());
    p_.numbers = p_.inputs + p_.outputs;
    for (int k = 0; k < p_.outputs; ++k) {
      const Recorded& y = outputs_[size_t(k)];
      const int place = p_.inputs + k;
      if (y.recorder == nullptr) p_.constants.push_back({y.constant, place});
      else if (node(y.node).op == Op::input || at(y.node).place != nowhere)
        copies_.emplace_back(place_of(y.node), place);
      else at(y.node).place = place;
    }
  }

  int place_of(int n) {
    int& place = at(n).place;
    if (place != nowhere) return place;
    if (node(n).op == Op::input) return place = int(node(n).constant);
    if (node(n).op == Op::constant) {
      p_.constants.push_back({node(n).constant, p_.numbers});
      return place = p_.numbers++;
    }
    at(n).is_register = true;
    if (free_.empty()) return place = p_.numbers++;
    place = free_.back();
    free_.pop_back();
    return place;
  }
  /// A register is free once it was read for the last time.
  void release(int k, int n) {
    if (!at(n).is_register || at(n).last_read != k) return;
    free_.push_back(at(n).place);
    at(n).is_register = false;
  }
  static Step step(Op op, int to, std::initializer_list<int> from, double constant = 0) {
    Step s{.op = op, .to = std::uint16_t(to), .constant = constant};
    std::transform(from.begin(), from.end(), s.from, [](int x) { return std::uint16_t(x); });
    return s;
  }

  void add_step(int k, int n) {
    const auto& [op, operands, constant] = node(n);
    Step s = step(op, 0, {}, constant);
    for (size_t j = 0; j < 4 && operands[j] >= 0; ++j)
      s.from[j] = std::uint16_t(place_of(operands[j]));
    for (const int from : operands)
      if (from >= 0) release(k, from);
    if (op >= Op::sincos) return add_parts(s, at(n).parts);
    s.to = std::uint16_t(place_of(n));
    p_.steps.push_back(s);
  }
  void add_parts(Step s, const std::vector<int>& parts) {
    const auto index = [&](int part) { return int(node(part).constant); };
    if (s.op == Op::sincos && parts.size() == 1) {
      s.op = index(parts[0]) == 0 ? Op::sin : Op::cos;
      s.to = std::uint16_t(place_of(parts[0]));
      return p_.steps.push_back(s);
    }
    int count = 0;
    for (const int part : parts) count = std::max(count, index(part) + 1);
    if (count > (s.op == Op::half_angle_derivatives ? most_half_angle : most_stumpff))
      throw InputError("a recorded function needs " + std::to_string(count) +
                       " functions behind exp or log, a tape has " +
                       std::to_string(s.op == Op::stumpff ? most_stumpff : most_half_angle));
    s.from[1] = std::uint16_t(count);
    p_.steps.push_back(s);
    for (const int part : parts) p_.steps.push_back(step(Op::part, place_of(part), {index(part)}));
  }

  std::vector<Recorder::Node> nodes_;
  std::span<const Recorded> outputs_;
  std::vector<At> at_;  ///< [nodes]
  std::vector<int> order_, free_;
  std::vector<std::pair<int, int>> copies_;
  Program p_;
};

}  // namespace

Program Recorder::finish(std::span<const Recorded> outputs) const {
  return Assembler(*this, outputs).run();
}

}  // namespace jounce
