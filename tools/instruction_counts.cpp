// SPDX-License-Identifier: BSD-3-Clause
// How many instructions the hot calls take, by single-stepping them: the same number whatever else
// the machine is doing. The instruction set is JOUNCE_ISA's; a step takes some 10 us.
//
//   instruction_counts           a line for each call: set, robot, call, instructions
#include <csignal>
#include <cstdio>
#include <functional>
#include <jounce/cpu.hpp>
#include <jounce/io.hpp>
#include <jounce/jounce.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/regressor.hpp>

namespace {

using namespace jounce;

struct Call {
  const char* name;
  std::function<void()> run;
};

/// A robot in one state, and what a user calls in a loop, with memory for the results.
class Subject {
 public:
  Subject(std::string subject_name, Robot subject)
      : name(std::move(subject_name)), robot(std::move(subject)) {
    for (int k = 0; k < robot.nv(); ++k) {
      v.push_back(0.3 - 0.1 * (k % 5));
      flags[k] = k % 2 == 0;
    }
    x = y = z = v;
    kinematics.at(q);
    factors.at(q);
  }

  std::vector<Call> calls() {
    std::vector<Call> all = first_calls();
    for (Call& call : calls_of_derivatives()) all.push_back(std::move(call));
    for (Call& call : calls_of_series()) all.push_back(std::move(call));
    if (robot.nv() < 10) {  // else a million steps
      all.push_back({"inverse-second-derivatives",
                     [this] { second.inverse(q, v, v, into(of_inverse_second)); }});
      all.push_back({"inverse-second-products",
                     [this] { second.inverse_products(v, q, v, v, {}, into(of_products)); }});
    }
    return all;
  }

  std::string name;

 private:
  std::vector<Call> first_calls() {
    using enum Representation;
    return {{"kinematics", [this] { kinematics.at(q, v, v); }},
            {"jacobian", [this] { kinematics.jacobian(tip, body, into(J)); }},
            {"jacobian-path", [this] { kinematics.jacobian(tip, hybrid, q, into(J)); }},
            {"inverse", [this] { dyn.inverse(q, v, v, into(x)); }},
            {"inverse-owning", [this] { dyn.inverse(q, v, v); }},
            {"forward", [this] { dyn.forward(q, v, v, into(x)); }},
            {"forward-owning", [this] { dyn.forward(q, v, v); }},
            {"hybrid", [this] { dyn.hybrid(prescribed(), q, v, v, v, into(x), into(y)); }},
            {"mass", [this] { dyn.mass(q, into(M)); }},
            {"mass-inverse", [this] { dyn.mass_inverse(q, into(M_inverse)); }},
            {"mass-solve", [this] { factors.solve(v, into(x)); }},
            {"bias", [this] { dyn.bias(q, v, into(x)); }},
            {"gravity", [this] { dyn.gravity(q, into(x)); }},
            {"energy", [this] { dyn.energy(q, v); }},
            {"coriolis", [this] { dyn.coriolis(q, v, Factorization::christoffel, into(C)); }},
            {"momentum", [this] { dyn.momentum(q, v); }},
            {"centroidal", [this] { dyn.centroidal(q, v, into(A)); }},
            {"centroidal-matrix", [this] { dyn.centroidal_matrix(q, into(J)); }},
            {"joint-wrenches", [this] { dyn.joint_wrenches(q, v, v, body, {}, into(wrenches)); }},
            {"regressor", [this] { regressor.force(q, v, v, {}, into(Y)); }}};
  }
  std::vector<Call> calls_of_derivatives() {
    return {
        {"inverse-derivatives", [this] { first.inverse(q, v, v, into(of_inverse)); }},
        {"forward-derivatives", [this] { first.forward(q, v, v, into(of_forward)); }},
        {"hybrid-derivatives", [this] { first.hybrid(prescribed(), q, v, v, v, into(of_hybrid)); }},
        {"inverse-vector-jacobian",
         [this] { first.inverse_vector_jacobian(v, q, v, v, {}, into(x), into(y), into(z)); }},
        {"forward-jacobian-vector",
         [this] { first.forward_jacobian_vector(q, v, v, v, v, v, {}, into(x)); }},
        {"twist-derivatives",
         [this] { first.twist(tip, Representation::body, q, v, {}, into(of_twist)); }},
        {"acceleration-derivatives", [this] {
           first.spatial_acceleration(tip, Representation::body, q, v, v, {},
                                      into(of_acceleration));
         }}};
  }
  std::vector<Call> calls_of_series() {
    return {{"higher-kinematics", [this] { moving.at(q, motion); }},
            {"higher-inverse", [this] { series.inverse(q, motion, {}, into(taus_found)); }},
            {"higher-forward", [this] { series.forward(q, v, taus, {}, into(motion_found)); }},
            {"higher-hybrid", [this] {
               series.hybrid(prescribed(), q, motion, taus, {}, into(motion_found),
                             into(taus_found));
             }}};
  }

  std::span<const bool> prescribed() const { return {flags.get(), v.size()}; }

  static constexpr int order = 2;
  Robot robot;
  Kinematics kinematics{robot};
  Dynamics dyn{robot};
  MassFactors factors{robot};
  Regressor regressor{robot};
  Derivatives first{robot};
  SecondDerivatives second{robot};
  Series series{robot, order};
  KinematicSeries moving{robot, order + 1};

  std::vector<double> q = robot.random(1), v;
  std::unique_ptr<bool[]> flags = std::make_unique<bool[]>(static_cast<size_t>(robot.nv()));
  Eigen::MatrixXd motion = Eigen::MatrixXd::Constant(robot.nv(), order + 2, 0.1);
  Eigen::MatrixXd taus = Eigen::MatrixXd::Constant(robot.nv(), order + 1, 0.2);
  FrameId tip = FrameId(static_cast<int>(robot.description().links.size()) - 1);

  std::vector<double> x, y, z;
  Eigen::MatrixXd J = Eigen::MatrixXd(6, robot.nv());
  Eigen::MatrixXd motion_found = motion, taus_found = taus;
  std::vector<Wrench<double>> wrenches = std::vector<Wrench<double>>(robot.joints().size());
  MassMatrix M{robot};
  MassInverse M_inverse{robot};
  CoriolisMatrices C{robot};
  CentroidalMatrices A{robot};
  RegressorMatrix Y{regressor};
  InverseDerivatives of_inverse{robot};
  ForwardDerivatives of_forward{robot};
  HybridDerivatives of_hybrid{robot};
  TwistDerivatives of_twist{robot};
  AccelerationDerivatives of_acceleration{robot};
  InverseSecondDerivatives of_inverse_second{robot};
  SecondProducts of_products{robot};
};

// The processor's trap flag raises SIGTRAP after every instruction; the handler counts them.
volatile long steps = 0;
void count_step(int) { steps = steps + 1; }

[[gnu::always_inline]] inline void set_trap_flag() {
  asm volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
}
[[gnu::always_inline]] inline void clear_trap_flag() {
  asm volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
}

[[gnu::noinline]] long count(const std::function<void()>& run) {
  steps = 0;
  set_trap_flag();
  run();
  clear_trap_flag();
  return steps;
}

void print_counts(Subject& subject) {
  const long of_nothing = count([] {});
  for (const Call& call : subject.calls()) {
    call.run();
    std::fflush(stdout);
    std::printf("%s,%s,%s,%ld\n", jounce::name(best_isa()), subject.name.c_str(), call.name,
                count(call.run) - of_nothing);
  }
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

}  // namespace

int main() try {
  std::signal(SIGTRAP, count_step);
  for (const char* name : {"arm7", "quadruped", "humanoid"}) {
    Subject subject(name, load(std::string("builtin:") + name));
    print_counts(subject);
  }
  Subject mixed("mixed", mixed_robot());
  print_counts(mixed);
} catch (const InputError& error) {  // an instruction set that this processor does not have
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
