// SPDX-License-Identifier: BSD-3-Clause
// The equations of one robot with the memory they run in: what every door of dynamics owns.
//
// Memory is O(n) when made. Dense room, for factors of the mass matrix, is made at once for robots
// with mimic joints, which are solved with it, and for those of few coordinates; for the others
// when a call first needs it.
#pragma once

#include <jounce/door/check.hpp>
#include <jounce/door/owned.hpp>
#include <jounce/equations/equations.hpp>
#include <jounce/model/mass_pattern.hpp>
#include <jounce/model/singular_mass.hpp>

namespace jounce {

template <class Real>
struct MassStorage {
  explicit MassStorage(const Robot& robot)
      : pattern(robot),
        tree(square(robot.model().nv, robot.model().nv)),
        own(robot.has_mimic() ? square(robot.nv(), robot.nv()) : 0),
        LD(2 * pattern.size()) {}

  MassWorkspace<Real> view() const {
    return {pattern.view(), tree.data(), own.size() > 0 ? own.data() : tree.data(), LD.data()};
  }

  MassPatternLists pattern;
  detail::ZeroNumbers<Real> tree, own;
  detail::ZeroNumbers<Real> LD;  ///< with room for kernels behind it

 private:
  static size_t square(int n, int m) { return static_cast<size_t>(n) * static_cast<size_t>(m); }
};

template <class Real, class P = Plain<Real>>
class RobotEquations {
 public:
  using Tree = typename TreeFor<Real, P>::type;
  using Around = BasicSurroundings<Real>;
  static constexpr PivotLimits limits =
      std::is_same_v<Plain<Real>, float> ? float_pivots : PivotLimits{};
  static constexpr int few_coordinates = 64, many_coordinates = 1000;

  explicit RobotEquations(Robot robot_)
      : robot(std::move(robot_)), tree(robot), room(tree.system()), bounds(robot) {
    if (robot.has_mimic() || robot.nv() <= few_coordinates) dense();
  }
  RobotEquations(const RobotEquations&) = delete;
  RobotEquations& operator=(const RobotEquations&) = delete;

  Equations<P, Real, Tree> equations() { return {tree, room}; }
  const System<P>& system() const { return tree.system(); }
  const Model<P>& model() const { return system().tree; }
  Workspace<Real>& workspace() { return room.tree.view(); }
  int nv() const { return robot.nv(); }
  const MassStorage<Real>& dense() {
    if (mass == nullptr) mass = std::make_unique<MassStorage<Real>>(robot);
    return *mass;
  }
  /// Whether factors of M serve better than articulated bodies: short branches, mimic joints.
  bool solves_by_factors() const { return by_factors; }

  /// Refuses bad arguments. Whether no product of them and the robot's constants can overflow.
  [[gnu::always_inline]] bool check(const char* caller, std::span<const Real> q,
                                    std::initializer_list<Named<Real>> others) const {
    return check_state(robot, caller, q, others) && moderate_robot;
  }
  [[gnu::always_inline]] bool check(const char* caller, std::span<const Real> q,
                                    std::initializer_list<Named<Real>> others,
                                    const Around& around) const {
    const bool tame = check(caller, q, others);
    if (around.wrenches.empty() && !around.ground) return tame;
    bool known = true;
    for (const OutsideWrench<Real>& one : around.wrenches)
      known &= static_cast<size_t>(one.frame) < frames;
    if (known && moderate(around)) return tame;  // then all is finite
    detail::check_surroundings(robot, caller, around);
    return false;
  }
  bool check(const char* caller, std::span<const Real> q, std::initializer_list<Named<Real>> others,
             const OptionalGround<Real>& ground) const {
    const bool tame = check(caller, q, others);
    detail::check_ground(caller, ground);
    return tame && moderate(ground);
  }
  const FrameSeat<P>& seat(FrameId frame) const {
    static_cast<void>(robot.frame_info(frame));  // refuses a number that no frame has
    return system().frame[static_cast<int>(frame)];
  }

  /// Accelerations, refused where the mass matrix is singular.
  const Real* forward(const char* caller, const Real* q, const Real* v, const Real* tau,
                      const Around& around) {
    const Real* found = room.solution.data();
    if (robot.has_mimic()) {
      equations().coupled_hybrid(nullptr, {q, v, nullptr}, tau, around, dense().view());
      require_regular(caller, dense().view().own, nullptr);
    } else {
      found = equations().forward(q, v, tau, around);
      require_pivots(caller, q, workspace(), nullptr);
    }
    require_finite_vector(robot, caller, "a", found);
    return found;
  }
  /// The same of hybrid dynamics; forces are in room.forces.
  const Real* hybrid(const char* caller, const bool* prescribed, const OwnState<Real>& x,
                     const Real* tau, const Around& around) {
    const Real* found = room.solution.data();
    if (robot.has_mimic()) {
      equations().coupled_hybrid(prescribed, x, tau, around, dense().view());
      require_regular(caller, dense().view().own, prescribed);
    } else {
      found = equations().hybrid(prescribed, x, tau, around);
      require_pivots(caller, x.q, workspace(), prescribed);
    }
    require_finite_vector(robot, caller, "a", found);
    require_finite_vector(robot, caller, "tau", room.forces.data());
    return found;
  }

  /// Refuses a singular mass matrix, from the pivots of articulated bodies in w, found at q.
  void require_pivots(const char* caller, const Real* q, Workspace<Real>& w,
                      const bool* prescribed) {
    if (certain(w)) return;
    bool doubt = false;
    const auto look = [&](int k, const Real& diagonal) {
      if (prescribed == nullptr || !prescribed[k])
        doubt = doubt || doubtful(k, Real(1) / w.D[bounds.place(k)], diagonal);
    };
    if constexpr (!std::is_same_v<Tree, TemplateTree<P, Real>>) {
      tree.for_each_mass_bound(w, look);
      if (!doubt) return;
      doubt = false;
    }
    tree.for_each_mass_diagonal(w, look);
    if (!doubt) return;
    if (robot.nv() > many_coordinates) return require_moving_mass_of(caller, q, w, prescribed);
    tree.mass_again(w, dense().tree.data());
    factor_matrix(caller, dense().tree.data(), prescribed);
  }
  /// Factors of the mass matrix at q, in dense room; refused where it is singular.
  void factor(const char* caller, const Real* q, const bool* prescribed) {
    const MassWorkspace<Real> to = dense().view();
    equations().run_mass(equations().at(q), to.tree, to.own);
    factor_matrix(caller, to.own, prescribed);
  }
  /// The same without the matrix, of double.
  void factor_rows(const char* caller, const Real* q) {
    if constexpr (!std::is_same_v<Tree, TemplateTree<P, Real>>) {
      if (!robot.has_mimic()) {
        const MassStorage<Real>& to = dense();
        tree.mass_factors(equations().at(q), workspace(), to.pattern.view(), to.LD.data(),
                          lost.data());
        if (!any_doubtful(lost.data(), 1)) return;
      }
    }
    factor(caller, q, nullptr);
  }
  /// Factors of a mass matrix that is known.
  void factor_matrix(const char* caller, const Real* M, const bool* prescribed) {
    const MassWorkspace<Real> to = dense().view();
    equations().factor(to.pattern, M, prescribed, to.LD);
    require_regular(caller, M, prescribed);
  }
  /// M^-1 at q in columns of the pattern's stride.
  void invert(const char* caller, const Real* q, Real* inverse) {
    if (solves_by_factors()) {
      factor_rows(caller, q);
      write_inverse(inverse);
    } else {
      invert_by_bodies(caller, q, inverse);
    }
  }
  /// The same from the factors.
  void write_inverse(Real* inverse) {
    const MassStorage<Real>& from = dense();
    tree.ltdl_inverse(from.pattern.view(), from.LD.data(), inverse);
  }
  void invert_by_bodies(const char* caller, const Real* q, Real* inverse) {
    tree.factor(equations().at(q), workspace());
    require_pivots(caller, q, workspace(), nullptr);
    tree.inverse_of_mass(workspace(), padded_row(nv()), inverse);
  }
  /// Whether an inverse of the mass matrix is so small that no product with it can overflow: no
  /// entry of a positive definite matrix is larger than its trace.
  bool moderate_inverse(const Real* inverse) const {
    if constexpr (std::is_same_v<Real, double>) {
      double trace = 0;
      for (int k = 0; k < nv(); ++k) trace += inverse[padded_row(nv()) * k + k];
      return trace < 1e30;
    } else {
      return false;
    }
  }

  Robot robot;
  Tree tree;
  EquationsStorage<Real> room;
  MassBounds bounds;  ///< of the robot's own inertias
  size_t frames = robot.frames().size();
  bool inertias_changed = false;
  bool moderate_robot = moderate(robot);

 private:
  bool certain(const Workspace<Real>& w) const {
    if (inertias_changed) return false;
    if constexpr (std::is_same_v<Real, double>) return bounds.beyond_doubt(w);
    using Parts = NumberParts<Real>;
    bool good = !bounds.depend_on_q();
    for (int k = 0; k < model().nv; ++k)
      for (int part = 0; part < Parts::values; ++part)
        good = good && bounds.beyond_doubt(k, Parts::at(w.D[bounds.place(k)], part), limits);
    return good;
  }
  bool doubtful(int k, const Real& pivot, const Real& diagonal) const {
    using Parts = NumberParts<Real>;
    for (int part = 0; part < Parts::values; ++part)
      if (bounds.doubtful(k, Parts::at(pivot, part), Parts::at(diagonal, part), limits))
        return true;
    return false;
  }
  /// Whether a pivot of the factors is small beside its entry of M, which are `apart` numbers
  /// apart; the pivots of prescribed coordinates are 1.
  bool any_doubtful(const Real* diagonal, std::ptrdiff_t apart) {
    const MassPattern pattern = dense().pattern.view();
    const Real* LD = dense().LD.data();
    bool doubt = false;
    for (int k = 0; k < pattern.n; ++k)
      doubt |= bounds.doubtful(k, LD[pattern.diagonal[k]], diagonal[apart * k]);
    return doubt;
  }
  /// Refuses M where it is singular, from its factors, value by value.
  void require_regular(const char* caller, const Real* M, const bool* prescribed) {
    const MassPattern pattern = dense().pattern.view();
    const Real* LD = dense().LD.data();
    if constexpr (std::is_same_v<Real, double>) {
      if (!any_doubtful(M, pattern.n + 1)) return;
      jounce::require_regular(robot, caller, {M, LD, pattern, prescribed}, bounds, lost);
    } else {
      for (int k = 0; k < pattern.n; ++k) {
        if (prescribed != nullptr && prescribed[k]) continue;
        if (!doubtful(k, LD[pattern.diagonal[k]], M[pattern.n * k + k])) continue;
        const std::span<const Real> all(M, static_cast<size_t>(pattern.n * pattern.n));
        for (int part = 0; part < NumberParts<Real>::values; ++part)
          jounce::require_regular(robot, caller, part_of(all, part).data(), prescribed, bounds,
                                  limits);
        return;
      }
    }
  }

  /// The rule of singular_mass.hpp in O(n) memory. The motion of pivot k is one of hybrid dynamics:
  /// coordinates up to k are held, but for k itself, which moves by 1; those after it are free.
  void require_moving_mass_of(const char* caller, const Real* q, Workspace<Real>& w,
                              const bool* prescribed) {
    const int n = robot.nv();
    WorkspaceStorage<Real> moved(model());
    std::vector<Real> unit(room.zeros), roots(room.zeros), pivots(room.zeros);
    const auto held = std::make_unique<bool[]>(static_cast<size_t>(n));
    const auto index = [](int k) { return static_cast<size_t>(k); };
    tree.for_each_mass_diagonal(w, [&](int k, const Real& M_kk) {
      roots[index(k)] = sqrt(M_kk);
      pivots[index(k)] = Real(1) / w.D[bounds.place(k)];
    });
    const auto fixed = [&](int k) { return prescribed != nullptr && prescribed[k]; };
    std::fill(held.get(), held.get() + n, true);
    for (int k = n; k-- > 0; held[index(k)] = fixed(k)) {  // leaves first, as there
      if (fixed(k) || !doubtful(k, pivots[index(k)], roots[index(k)] * roots[index(k)])) continue;
      unit[index(k)] = Real(1);
      set_ground(OptionalGround<Real>{}, moved.view());
      tree.hybrid(equations().tree_state({q, room.zeros.data(), unit.data()}), held.get(),
                  moved.view());
      unit[index(k)] = Real(0);
      Real size(0);
      for (int j = k; j < n; ++j) size += abs(moved.view().a[j]) * roots[index(j)];
      using Parts = NumberParts<Real>;
      for (int part = 0; part < Parts::values; ++part) {
        const double terms = Parts::at(size, part), pivot = Parts::at(pivots[index(k)], part);
        if (!(pivot > limits.lost * terms * terms && pivot > bounds.floor(k)))
          throw ComputationError(std::string(caller) + ": the mass matrix is singular" +
                                 of_joint(robot, k) + ": it moves without moving any mass");
      }
    }
  }

  std::vector<double> lost = std::vector<double>(static_cast<size_t>(robot.nv()));
  bool by_factors =
      robot.has_mimic() || entries_of_factor(robot) <= long(entries_worth_a_body) * robot.nv();
  std::unique_ptr<MassStorage<Real>> mass;
};

}  // namespace jounce
