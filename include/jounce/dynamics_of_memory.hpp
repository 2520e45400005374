// SPDX-License-Identifier: BSD-3-Clause
// What a DynamicsOf owns, and the steps that its calls share: checks, mimic joints, outside
// wrenches, passive forces, solutions with the mass matrix.
#pragma once

#include <jounce/algorithm/articulated_solve.hpp>
#include <jounce/algorithm/crba.hpp>
#include <jounce/algorithm/hybrid.hpp>
#include <jounce/algorithm/ltdl.hpp>
#include <jounce/algorithm/momentum.hpp>
#include <jounce/algorithm/regressor.hpp>
#include <jounce/dynamics_of_results.hpp>
#include <jounce/equations/coupling.hpp>
#include <jounce/equations/ground.hpp>
#include <jounce/equations/outside.hpp>
#include <jounce/equations/passive.hpp>
#include <jounce/model/singular_mass.hpp>
#include <jounce/model/system_storage.hpp>
#include <jounce/model/workspace.hpp>

namespace jounce {

namespace detail::inline JOUNCE_ISA {

template <class Real, class P>
struct DynamicsMemory {
  using Vector = std::span<const Real>;
  using Parts = NumberParts<Real>;

  explicit DynamicsMemory(Robot robot_)
      : robot(std::move(robot_)),
        mass_bounds(robot),
        constants(robot.system()),
        storage(model()),
        work(model()),
        articulated(model()),
        zeros(size(robot.nv()), Real(0)),
        tree_q(size(model().nq), Real(0)),
        tree_v(size(model().nv), Real(0)),
        tree_a(tree_v),
        tree_v_r(tree_v),
        forces(zeros),
        solution(zeros),
        given(zeros),
        kept_copy(2 * zeros.size(), Real(0)),
        q_copy(size(robot.nq()), Real(0)),
        tree_columns(6 * tree_v.size(), Real(0)),
        columns(6 * zeros.size(), Real(0)),
        second_columns(columns),
        second_tree_columns(tree_columns),
        link_columns(10 * tree_v.size(), Real(0)),
        tree_square(tree_v.size() * tree_v.size(), Real(0)),
        second_tree_square(tree_square),
        square(zeros.size() * zeros.size(), Real(0)),
        second_square(square),
        factors(robot.has_mimic() ? zeros.size() * size(pattern_stride()) : 0, Real(0)),
        solving_factors(factors),
        F_ext(size(robot.bodies())),
        composite(size(robot.bodies())),
        V_r(size(robot.bodies())),
        V(size(robot.bodies())),
        S(tree_v.size()),
        Psi(tree_v.size()),
        Gdot(size(robot.bodies())),
        K(size(robot.bodies())),
        subtree_mass(size(robot.bodies())),
        subtree_moment(size(robot.bodies())),
        wrenches(robot.joints().size()) {
    for (const JointInfo& joint : robot.joints()) {
      const auto& link = robot.description().joints[size(joint.description)].child;
      child.push_back(seat(robot.frame(link)).offset);
    }
    for (int k = 0; k < system().factors; ++k)
      if (const int at = quaternion_offset(system().factor[k].kind); at >= 0)
        quaternion.push_back(system().factor[k].q + at);
    if (robot.has_mimic()) list_dense_pattern();
  }

  static size_t size(int n) { return static_cast<size_t>(n); }
  const System<P>& system() const { return constants.view(); }
  const Model<P>& model() const { return system().tree; }
  const FrameSeat<P>& seat(FrameId frame) const {
    static_cast<void>(robot.frame_info(frame));  // refuses a number that no frame has
    return system().frame[static_cast<int>(frame)];
  }
  SubtreeRoom<Real> room() {
    return {S.data(), Psi.data(), V.data(), composite.data(), Gdot.data(), K.data()};
  }

  /// Refuses what Robot::check_q and check_v refuse, in any part of a number.
  void check_q(const char* caller, const char* argument, Vector q) const {
    if (q.size() == size(robot.nq()) && all_finite(q) && unit_quaternions(q)) return;
    if (q.size() != size(robot.nq())) robot.check_q(caller, argument, part_of(q, 0));
    for (int k = 0; k < Parts::count; ++k) {
      const std::vector<double> part = part_of(q, k);
      const std::string name = Parts::name(k) + argument;
      if (k < Parts::values) robot.check_q(caller, name, part);
      for (size_t j = 0; j < part.size(); ++j)
        if (!std::isfinite(part[j]))
          throw InputError(std::string(caller) + ": " + name + "[" + std::to_string(j) + "] is " +
                           (std::isnan(part[j]) ? "NaN" : "infinite"));
    }
  }
  void check_v(const char* caller, const char* argument, Vector v) const {
    if (v.size() == size(robot.nv()) && all_finite(v)) return;
    if (v.size() != size(robot.nv())) robot.check_v(caller, argument, part_of(v, 0));
    for (int k = 0; k < Parts::count; ++k)
      robot.check_v(caller, Parts::name(k) + argument, part_of(v, k));
  }
  void require_mass(const char* caller) const {
    if (!(robot.mass() > 0))
      throw ComputationError(std::string(caller) + ": robot \"" + robot.name() +
                             "\" has no moving mass");
  }
  static std::vector<double> part_of(Vector x, int k) {
    std::vector<double> part;
    for (const Real& one : x) part.push_back(Parts::at(one, k));
    return part;
  }
  bool unit_quaternions(Vector q) const {
    for (const int first : quaternion)
      for (int k = 0; k < Parts::values; ++k) {
        double sum = -1;
        for (size_t j = 0; j < 4; ++j) sum += square_of(Parts::at(q[size(first) + j], k));
        if (std::abs(sum) > 2e-6) return false;
      }
    return true;
  }
  static double square_of(double x) { return x * x; }
  static Real inner(Vector a, Vector b) {
    Real sum(0);
    for (size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
  }

  /// The caller's vectors as the tree's: viewed where there is no mimic joint, else expanded.
  State<Real> tree_state(Vector q, Vector v, Vector a) {
    if (!robot.has_mimic()) return {q.data(), v.data(), a.data(), nullptr, F_ext.data()};
    expand_positions(system().coupling, q.data(), tree_q.data());
    return {tree_q.data(), expand(v, tree_v), expand(a, tree_a), nullptr, F_ext.data()};
  }
  const Real* expand(Vector v, std::vector<Real>& tree) const {
    if (!robot.has_mimic()) return v.data();
    jounce::expand(system().coupling, v.data(), tree.data());
    return tree.data();
  }
  /// A copy of an argument in one of two places: it may be a view of a result, which the call
  /// writes before it has read the argument.
  Vector kept(Vector x, int place = 0) {
    Real* to = kept_copy.data() + place * std::ptrdiff_t(zeros.size());
    std::copy(x.begin(), x.end(), to);
    return {to, x.size()};
  }
  Vector kept_q(Vector x) {
    std::copy(x.begin(), x.end(), q_copy.begin());
    return q_copy;
  }
  /// Columns of all tree velocities -> columns of the robot's.
  MatrixViewOf<Real> fold_columns(int rows, const std::vector<Real>& tree, std::vector<Real>& to) {
    if (!robot.has_mimic()) return {tree.data(), rows, robot.nv()};
    gather_columns(system().coupling, rows, tree.data(), to.data());
    return {to.data(), rows, robot.nv()};
  }
  MatrixViewOf<Real> fold_square(const std::vector<Real>& tree, std::vector<Real>& to) {
    const int nv = robot.nv();
    if (!robot.has_mimic()) return {tree.data(), nv, nv};
    gather_square(system().coupling, tree.data(), to.data());
    return {to.data(), nv, nv};
  }
  Vector fold_forces() {
    gather(system().coupling, work.view().tau, forces.data());
    return forces;
  }

  /// A state with the ground set up for gravity and wrenches from outside in their bodies' frames.
  State<Real> load(Vector q, Vector v, Vector a, const BasicSurroundings<Real>& around) {
    const State<Real> x = tree_state(q, v, a);
    Workspace<Real>& w = work.view();
    set_ground(model(), around, w);
    std::fill(F_ext.begin(), F_ext.end(), Wrench<Real>{});
    if (around.wrenches.empty()) return x;
    forward_poses(model(), x, w);
    add_outside(system(), around.wrenches, w, F_ext.data());
    return x;
  }
  /// Adds what damping, friction and springs take, times sign.
  void add_passive(Vector q, Vector v, int sign, std::vector<Real>& tau) {
    if (!robot.has_passive()) return;
    add_passive_forces(system(), q.data(), v.data(), Plain<Real>(sign), tau.data());
  }

  /// Poses, twists and accelerations, gravity left out.
  void move(const State<Real>& x, const OptionalGround<Real>& ground, Workspace<Real>& w) {
    set_ground(ground, w);
    forward_poses(model(), x, w);
    forward_twists(model(), x, w);
    forward_accelerations(model(), x, w);
  }
  EnergyRate<Real> energy_rate(Vector q, Vector v, Vector a, const OptionalGround<Real>& ground) {
    const State<Real> x = tree_state(q, v, a);
    move(x, ground, work.view());
    EnergyRate<Real> rate = jounce::energy_rate(model(), work.view());
    for (int k = 0; k < model().nv; ++k) rate.kinetic += x.v[k] * x.a[k] * model().armature[k];
    return rate;
  }

  /// Ten columns of one link, after passive_motion, added to Y.
  void add_link_columns(int link, std::span<Real> Y) {
    const FrameInfo& frame = robot.frames()[size(link)];
    std::fill(link_columns.begin(), link_columns.end(), Real(0));
    force_columns(model(), work.view(), V_r.data(), Factorization::plain,
                  LinkSeat{frame.body, frame.offset}, link_columns.data());
    const Coupling<P>& c = system().coupling;
    for (int column = 0; column < 10; ++column)
      add_gathered(c, link_columns.data() + c.tree_nv * column, Y.data() + c.nv * column);
  }

  /// Refuses a singular mass matrix, from the factors of articulated bodies.
  void require_tree_pivots(const char* caller, const bool* prescribed, const Workspace<Real>& w) {
    bool good = !mass_bounds.depend_on_q() && !inertias_changed;
    for (int k = 0; k < model().nv; ++k)
      for (int part = 0; part < Parts::values; ++part)
        good =
            good && mass_bounds.beyond_doubt(k, Parts::at(w.D[mass_bounds.place(k)], part), limits);
    if (good) return;
    bool certain = true;
    for_each_mass_diagonal(model(), w, composite.data(), [&](int k, const Real& diagonal) {
      if (prescribed == nullptr || !prescribed[k])
        certain = certain && !doubtful(k, Real(1) / w.D[mass_bounds.place(k)], diagonal);
    });
    if (certain) return;
    crba(model(), w, composite.data(), tree_square.data());
    require_regular_lanes(caller, {tree_square.data(), robot.nv(), robot.nv()}, prescribed);
  }
  bool doubtful(int k, const Real& pivot, const Real& diagonal) const {
    for (int part = 0; part < Parts::values; ++part)
      if (mass_bounds.doubtful(k, Parts::at(pivot, part), Parts::at(diagonal, part), limits))
        return true;
    return false;
  }
  /// Lane for lane: a matrix that is rarely in doubt.
  void require_regular_lanes(const char* caller, const MatrixViewOf<Real>& M,
                             const bool* prescribed) const {
    for (int part = 0; part < Parts::values; ++part)
      require_regular(robot, caller, part_of({M.data, size(M.rows * M.columns)}, part).data(),
                      prescribed, mass_bounds, limits);
  }

  /// A pattern without zeros: mimic joints may couple any coordinates.
  static constexpr int piece = RowPiece<Real>::width;
  int pattern_stride() const { return (robot.nv() + piece - 1) / piece * piece; }
  void list_dense_pattern() {
    pattern_at.push_back(0), below_at.push_back(0);
    for (int k = 0; k < robot.nv(); ++k) {
      for (int j = 0; j < k; ++j) pattern_column.push_back(j);
      for (int i = k + 1; i < robot.nv(); ++i) below.push_back(i);
      pattern_at.push_back(int(pattern_column.size())), below_at.push_back(int(below.size()));
    }
  }
  MassPattern pattern() const {
    return {robot.nv(),      pattern_stride(), pattern_at.data(), pattern_column.data(),
            below_at.data(), below.data()};
  }
  MatrixViewOf<Real> run_mass(const State<Real>& x) {
    forward_poses(model(), x, work.view());
    crba(model(), work.view(), composite.data(), tree_square.data());
    return fold_square(tree_square, square);
  }
  /// Factors of the coupled mass matrix; rows of prescribed coordinates are those of 1.
  void factor_coupled(const char* caller, const State<Real>& x, const bool* prescribed) {
    const MatrixViewOf<Real> M = run_mass(x);
    const MassPattern s = pattern();
    const auto fixed = [&](int k) { return prescribed != nullptr && prescribed[k]; };
    for (int k = 0; k < s.n; ++k)
      for (int j = 0; j <= k; ++j)
        factors[size(s.stride * k + j)] = fixed(k) || fixed(j) ? Real(j == k ? 1 : 0) : M(k, j);
    ltdl_factor(s, factors.data());
    for (int k = 0; k < s.n; ++k)
      if (!fixed(k) && doubtful(k, factors[size(s.stride * k + k)], M(k, k)))
        return require_regular_lanes(caller, M, prescribed);
  }
  /// Factors of the mass matrix, into `factors` with mimic joints, else into w.
  void factor(const char* caller, Vector q, Workspace<Real>& w) {
    const State<Real> x = tree_state(q, zeros, zeros);
    if (robot.has_mimic()) return factor_coupled(caller, x, nullptr);
    factor_articulated(model(), x, w);
    require_tree_pivots(caller, nullptr, w);
  }
  void solve(const std::vector<Real>& with, Workspace<Real>& w) {
    Real* x = solution.data();
    if (robot.has_mimic()) ltdl_solve(pattern(), with.data(), x);
    else articulated_solve(model(), x, w, x);
  }
  /// hybrid for robots with mimic joints: accelerations in `solution`, forces in `forces`.
  void coupled_hybrid(const char* caller, const bool* prescribed, Vector q, Vector v, Vector a,
                      Vector tau, const BasicSurroundings<Real>& around) {
    const auto fixed = [&](size_t k) { return prescribed != nullptr && prescribed[k]; };
    const auto run = [&] {
      const State<Real> x = load(q, v, solution, around);
      rnea(model(), x, work.view());
      fold_forces();
      if (around.passive) add_passive(q, v, 1, forces);
      return x;
    };
    std::copy(tau.begin(), tau.end(), given.begin());
    for (size_t k = 0; k < solution.size(); ++k) solution[k] = fixed(k) ? a[k] : Real(0);
    const State<Real> x = run();
    for (size_t k = 0; k < solution.size(); ++k)
      if (!fixed(k)) solution[k] = given[k] - forces[k];
    factor_coupled(caller, x, prescribed);
    ltdl_solve(pattern(), factors.data(), solution.data());
    run();
    for (size_t k = 0; k < forces.size(); ++k)
      if (!fixed(k)) forces[k] = given[k];
  }

  static constexpr PivotLimits limits =
      std::is_same_v<Plain<Real>, float> ? float_pivots : PivotLimits{};

  Robot robot;
  MassBounds mass_bounds;  ///< of the robot's own inertias
  bool inertias_changed = false;
  SystemStorage<P> constants;
  WorkspaceStorage<Real> storage;      ///< what kinematics left, for the queries about frames
  WorkspaceStorage<Real> work;         ///< of inverse, forward, ...
  WorkspaceStorage<Real> articulated;  ///< factors of factor_mass without mimic joints
  bool factored = false;
  std::vector<Real> zeros, tree_q, tree_v, tree_a, tree_v_r;
  std::vector<Real> forces, solution;
  std::vector<Real> given;      ///< a copy of the caller's tau, which may be a view of forces
  std::vector<Real> kept_copy;  ///< [2 nv]
  std::vector<Real> q_copy;     ///< [nq]
  std::vector<Real> tree_columns, columns, second_columns, second_tree_columns;
  std::vector<Real> link_columns;  ///< [10 tree nv]
  std::vector<Real> tree_square, second_tree_square, square, second_square;
  std::vector<Real> factors;          ///< of the last coupled matrix, of whichever call
  std::vector<Real> solving_factors;  ///< factors of factor_mass with mimic joints
  std::vector<int> pattern_at, pattern_column, below_at, below;
  std::vector<Wrench<Real>> F_ext;
  std::vector<Inertia<Real>> composite;
  std::vector<Twist<Real>> V_r, V, S, Psi;
  std::vector<Inertia<Real>> Gdot;
  std::vector<SkewBlock<Real>> K;
  std::vector<Real> subtree_mass;
  std::vector<Vec3<Real>> subtree_moment;
  std::vector<Wrench<Real>> wrenches;  ///< [joints]
  std::vector<SE3<P>> child;           ///< [joints] the child link's frame in the body's
  std::vector<int> quaternion;         ///< first coordinates of quaternions
};

}  // namespace detail::inline JOUNCE_ISA
}  // namespace jounce
