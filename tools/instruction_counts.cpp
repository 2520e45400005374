// SPDX-License-Identifier: BSD-3-Clause
// How many instructions calls take, by single-stepping them: the same number whatever else the
// machine is doing. The instruction set is JOUNCE_ISA's. Instructions of the C and C++ libraries
// are left out: they depend on the system and on the processor.
//
//   instruction_counts hot       what is called in loops: all words of the first doors on an arm
//                                and some more, a few on other robots
//   instruction_counts ratios    what scripts/instruction-counts compares with one another: all on
//                                an arm, less on a quadruped, a chain and a tree
//   instruction_counts compiler  what compiled this
//   instruction_counts set       the instruction set
// A line for each call: set,robot,call,instructions. A step takes some 13 us; a call of more than
// `limit` instructions is told as ">limit".
#include <ucontext.h>

#include <csignal>
#include <cstdio>
#include <jounce/cpu.hpp>
#include <jounce/io.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/series_derivatives.hpp>

#include "model/named_words.hpp"

extern "C" const char __executable_start, etext;

namespace {

using namespace jounce;

#if defined(__clang__)
constexpr const char* compiler = "Clang " __clang_version__;
#else
constexpr const char* compiler = "GNU " __VERSION__;
#endif
constexpr long limit = 200000;

// The processor's trap flag raises SIGTRAP after every instruction; the handler counts them, and
// lowers the flag at the limit.
volatile long steps = 0, left = 0;
constexpr greg_t trap_flag = 0x100;
void count_step(int, siginfo_t*, void* context) {
  greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto at = reinterpret_cast<const char*>(registers[REG_RIP]);  // NOLINT
  if (at >= &__executable_start && at < &etext) steps = steps + 1;
  left = left - 1;
  if (left == 0) registers[REG_EFL] &= ~trap_flag;
}

[[gnu::always_inline]] inline void set_trap_flag() {
  asm volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
}
[[gnu::always_inline]] inline void clear_trap_flag() {
  asm volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
}

[[gnu::noinline]] long count(const std::function<void()>& run) {
  steps = 0;
  left = limit;
  set_trap_flag();
  run();
  clear_trap_flag();
  return steps;
}

void print(const std::string& robot, const std::string& call, const std::function<void()>& run) {
  static const long of_nothing = count([] {});
  run();
  const long found = count(run) - of_nothing;
  std::printf("%s,%s,%s,%s%ld\n", name(best_isa()), robot.c_str(), call.c_str(),
              left <= 0 ? ">" : "", left <= 0 ? limit : found);
}

using Choice = std::function<bool(const test::NamedCall&)>;
void print_words(const std::string& name, const Robot& robot, const Choice& chosen) {
  test::WordsInMotion words(robot);
  for (const test::NamedCall& one : words.calls())
    if (chosen(one)) {
      words.surround(one);
      print(name, one.name, [&] { one.run(); });
    }
}

/// Derivatives of series of order 0, beside the plain ones.
void print_series_of_order_0(const std::string& name, const Robot& robot) {
  SeriesDerivatives series(robot, 0);
  SeriesPartials partials(robot, 0);
  const std::vector<double> q = robot.random(1), v(size_t(robot.nv()), 0.2);
  const Eigen::MatrixXd motion = Eigen::MatrixXd::Constant(robot.nv(), 2, 0.2);
  const Eigen::MatrixXd taus = motion.leftCols(1);
  print(name, "SeriesDerivatives::inverse_series of order 0",
        [&] { series.inverse(q, motion, {}, into(partials)); });
  print(name, "SeriesDerivatives::forward_series of order 0",
        [&] { series.forward(q, v, taus, {}, into(partials)); });
}

/// Every kind of joint, mimic joints and passive forces, on a free base.
Robot mixed_robot() {
  return Robot(generate({.name = "mixed",
                         .shape = TreeShape::random_tree,
                         .bodies = 6,
                         .kinds = all_joint_kinds(false, false),
                         .free_base = true,
                         .mimic = true,
                         .passive = true,
                         .seed = 7}));
}

bool is_one_of(const std::string& text, std::initializer_list<const char*> all) {
  return std::ranges::find(all, text) != all.end();
}

void print_hot() {
  const auto of_first_doors = [](const test::NamedCall& one) {
    return (!one.wrench && is_one_of(one.word->door, {"Dynamics", "Kinematics", "MassFactors",
                                                      "Derivatives", "Series"})) ||
           is_one_of(one.name, {"Dynamics::inverse with a wrench in body axes",
                                "Dynamics::inverse with a wrench in hybrid axes",
                                "Dynamics::forward with a wrench in hybrid axes",
                                "Derivatives::inverse_derivatives with a wrench in hybrid axes",
                                "SecondDerivatives::inverse_second_derivatives",
                                "SecondDerivatives::inverse_second_products",
                                "Regressor::regressor", "Regressor::reference regressor"});
  };
  const auto few = [](const test::NamedCall& one) {
    return !one.wrench &&
           is_one_of(one.name, {"Dynamics::inverse", "Dynamics::forward", "Dynamics::mass",
                                "Dynamics::mass_inverse", "Dynamics::coriolis", "Kinematics::at 3",
                                "Derivatives::inverse_derivatives"});
  };
  print_words("arm7", load("builtin:arm7"), of_first_doors);
  for (const char* name : {"quadruped", "humanoid"})
    print_words(name, load(std::string("builtin:") + name), few);
  print_words("mixed", mixed_robot(), few);
}

/// Words that take wrenches: those named, in all axes and without one, or without one alone.
Choice of_words(std::vector<std::string> in_all_axes, std::vector<std::string> without) {
  return [=](const test::NamedCall& one) {
    const std::string name = one.word->full_name();
    return one.word->surrounded == test::Surrounded::by_wrenches &&
           (std::ranges::count(in_all_axes, name) > 0 ||
            (!one.wrench && std::ranges::count(without, name) > 0));
  };
}

void print_ratios() {
  const Robot arm = load("builtin:arm7"), quadruped = load("builtin:quadruped"),
              chain(generate_chain(30)),
              tree(generate({.shape = TreeShape::binary_tree, .bodies = 63}));
  print_words("arm7", arm, [](const test::NamedCall& one) {
    return one.word->surrounded == test::Surrounded::by_wrenches &&
           !one.word->door.starts_with("Constrained") && one.word->door != "SeriesDerivatives";
  });
  const std::vector<std::string> of_first_order{"Dynamics::hybrid",
                                                "Series::hybrid_series",
                                                "Derivatives::forward_derivatives",
                                                "Derivatives::inverse_vector_jacobian",
                                                "Derivatives::inverse_jacobian_vector",
                                                "Derivatives::forward_vector_jacobian",
                                                "Derivatives::forward_jacobian_vector"};
  std::vector<std::string> of_second_order = of_first_order;
  of_second_order.insert(of_second_order.end(), {"SecondDerivatives::inverse_second_derivatives",
                                                 "SecondDerivatives::inverse_second_products"});
  print_words("quadruped", quadruped,
              of_words({"Dynamics::inverse", "Dynamics::forward", "Series::inverse_series",
                        "Derivatives::inverse_derivatives", "Derivatives::forward_derivatives"},
                       of_second_order));
  print_words("chain-30", chain,
              of_words({"Dynamics::inverse", "Dynamics::forward", "Series::inverse_series",
                        "Derivatives::inverse_derivatives"},
                       of_first_order));
  print_words(
      "binary-tree-63", tree,
      of_words({"Dynamics::inverse", "Derivatives::inverse_derivatives"},
               {"Derivatives::inverse_vector_jacobian", "Derivatives::inverse_jacobian_vector"}));
  for (const auto& [name, robot] :
       {std::pair{"arm7", &arm}, {"quadruped", &quadruped}, {"chain-30", &chain}})
    print_series_of_order_0(name, *robot);
}

}  // namespace

int main(int argc, char** argv) try {
  struct sigaction action {};
  action.sa_sigaction = count_step;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, nullptr);
  const std::string what = argc == 2 ? argv[1] : "";
  if (what == "hot") print_hot();
  else if (what == "compiler") std::puts(compiler);
  else if (what == "set") std::puts(jounce::name(best_isa()));
  else if (what == "ratios") print_ratios();
  else return std::fprintf(stderr, "instruction_counts hot | ratios | compiler | set\n"), 1;
} catch (const InputError& error) {  // an instruction set that this processor does not have
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
