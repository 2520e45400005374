// SPDX-License-Identifier: BSD-3-Clause
#include "doors/implicit_columns.hpp"

#include "linear_algebra/vectors.hpp"

namespace jounce {

ImplicitColumns::ImplicitColumns(detail::ConstrainedImpl& dyn)
    : dyn_(dyn),
      mu_(size_t(dyn.nv())),
      w_(mu_),
      force_(mu_),
      columns_{.stride = (dyn.nv() + 3) / 4 * 4},
      x_(size_t(columns_.stride * constrained_columns)) {}

void ImplicitColumns::make_room() {
  const size_t width = size_t(dyn_.width);
  if (dyn_.clusters_serve()) dyn_.responses.base(constrained_columns);
  if (gathered_.size() >= width) return;
  for (auto* one : {&gathered_, &open_, &strain_}) one->resize(width);
  nu_ = detail::ZeroNumbers<double>(width * constrained_columns);
  beside_ = detail::ZeroNumbers<double>(x_.size() + nu_.size());
  const size_t n = mu_.size(), stride = size_t(padded_constraints(dyn_.nv())) + width;
  H_ = detail::ZeroNumbers<double>((n + width + 6) * stride);
  sums_ = detail::ZeroNumbers<double>(4 * n * width);
  const size_t own = size_t(dyn_.lists.own_rows()),
               most = size_t(padded_constraints(int(width - own)));
  contact_C_ = detail::ZeroNumbers<double>(n * most);
  contact_X_ = detail::ZeroNumbers<double>((n + own) * most);
  contact_S_ = detail::ZeroNumbers<double>(most * most);
  columns_.x = x_.data(), columns_.nu = nu_.data(), columns_.beside = beside_.data();
}

void ImplicitColumns::choose() {
  by_clusters_ = false;
  bends_ = dyn_.apart && dyn_.count < dyn_.rows(), turns_ = false;
  if (bends_) dyn_.independent.solve_sums(dyn_.nu.data(), mu_.data());
}

void ImplicitColumns::choose(Optimum optimum, std::span<const bool> flags) {
  by_clusters_ = false;
  const bool strained = dyn_.part.rank() < dyn_.count;
  turns_ = strained && optimum == Optimum::torque;
  if (turns_) {
    for (int i = 0; i < dyn_.count; ++i) {
      gathered_[size_t(i)] = 0;
      for (int k = 0; k < dyn_.nv(); ++k)
        if (flags[size_t(k)])
          gathered_[size_t(i)] -= dyn_.B[dyn_.nv() * i + k] * dyn_.rhs[size_t(k)];
    }
    dyn_.part.gather(gathered_.data(), open_.data());
    dyn_.part.solve_sums(open_.data(), w_.data());
    for (int k = 0; k < dyn_.nv(); ++k)
      if (flags[size_t(k)]) w_[size_t(k)] = dyn_.rhs[size_t(k)];
  }
  bends_ = dyn_.count < dyn_.rows() || (strained && !turns_);
  if (!bends_) return;
  if (turns_) return dyn_.independent.solve_sums(dyn_.nu.data(), mu_.data());
  dyn_.part.gather(dyn_.nu.data(), open_.data());
  dyn_.part.solve_sums(open_.data(), mu_.data());
}

template <class Load, class Finish>
void ImplicitColumns::solve(std::span<const ColumnGroup> groups, Load load, Finish finish) {
  int group = 0, k = 0;  // the next column
  const auto next = [&] {
    while (group < int(groups.size()) && k == groups[size_t(group)].count) ++group, k = 0;
    return group < int(groups.size());
  };
  while (next()) {
    const int first_group = group, first = k;
    int count = 0;
    for (; count < constrained_columns && next(); ++count, ++k)
      load(groups[size_t(group)], k, x_.data() + columns_.stride * count,
           nu_.data() + dyn_.width * count);
    solve_loaded();
    group = first_group, k = first;
    for (int c = 0; c < count && next(); ++c, ++k)
      finish(groups[size_t(group)], k, x_.data() + columns_.stride * c,
             nu_.data() + dyn_.width * c);
  }
}

void ImplicitColumns::solve_loaded() {
  const auto& kernel = dyn_.tree.kernel;
  if (!by_clusters_) return kernel.constrained_solve_columns(dyn_.factors, columns_);
  kernel.solve_cluster_columns(dyn_.responses.view(), contacts_, dyn_.nv(), dyn_.width, columns_,
                               dyn_.responses.base(constrained_columns));
}

template <class Force>
void ImplicitColumns::settle(const ColumnGroup& group, int k, std::span<const bool> flags,
                             Force force) {
  const int left = dyn_.count - dyn_.part.rank();
  if (left == 0) return;
  const auto open = [&](const double* rows) {  // N^T of it
    std::fill_n(open_.begin(), left, 0.0);
    if (rows == nullptr) return;
    dyn_.gather(1, rows + dyn_.width * k, gathered_.data());
    for (int s = 0; s < left; ++s)
      open_[size_t(s)] =
          dense::dot(dyn_.count, dyn_.part.mix(dyn_.part.rank() + s), gathered_.data());
  };
  if (turns_) {
    open(group.turn);
    dyn_.strain.gather(open_.data(), strain_.data());
    dyn_.strain.solve_sums(strain_.data(), force_.data());
    for (int j = 0; j < dyn_.nv(); ++j)
      if (flags[size_t(j)]) force_[size_t(j)] += force(j);
    dyn_.strain.solve_transposed(force_.data(), open_.data());
  } else {
    open(group.bend);
  }
  for (int s = 0; s < left; ++s)
    dense::add_multiple(dyn_.count, open_[size_t(s)], dyn_.part.mix(dyn_.part.rank() + s),
                        dyn_.nu.data());
}

void ImplicitColumns::write_multipliers(const ColumnGroup& group, int k) {
  double* to = group.dlambda + dyn_.rows() * k;
  if (group.bend == nullptr || dyn_.count == dyn_.rows()) return dyn_.spread(dyn_.nu.data(), to);
  const double* bend = group.bend + dyn_.width * k;
  dyn_.gather(-1, bend, gathered_.data());
  dense::add_multiple(dyn_.count, 1, dyn_.nu.data(), gathered_.data());
  dyn_.spread(gathered_.data(), to);
  dense::add_multiple(dyn_.rows(), 1, bend, to);
}

void ImplicitColumns::forward(std::span<const ColumnGroup> groups) {
  const int n = dyn_.nv();
  solve(
      groups,
      [&](const ColumnGroup& g, int k, double* f, double* nu) {
        if (g.D == nullptr) {  // by a force
          std::fill_n(f, n, 0.0), std::fill_n(nu, dyn_.count, 0.0);
          f[k] = 1;
          return;
        }
        for (int j = 0; j < n; ++j) f[j] = -g.D[n * k + j];
        dyn_.gather(-1, g.C + dyn_.width * k, nu);
      },
      [&](const ColumnGroup& g, int k, const double* da, const double* nu) {
        std::copy_n(da, n, g.found + n * k);
        std::copy_n(nu, dyn_.count, dyn_.nu.begin());
        write_multipliers(g, k);
      });
}

void ImplicitColumns::write_multipliers(const ColumnGroup& group, const double* nu) {
  for (int k = 0; k < group.count; ++k) {
    std::copy_n(nu + dyn_.width * k, dyn_.count, dyn_.nu.begin());
    write_multipliers(group, k);
  }
}
bool ImplicitColumns::forward_by_inverse(bool full, const ColumnGroup (&group)[3]) {
  const int n = dyn_.nv(), width = dyn_.width, nu_at = padded_constraints(n);
  const ConstrainedResponse in{.H = H_.data(),
                               .n = n,
                               .rates_at = (n + 3) / 4 * 4,
                               .rows = dyn_.count,
                               .nu_at = nu_at,
                               .stride = nu_at + padded_constraints(dyn_.count)};
  dyn_.tree.kernel.constrained_response(dyn_.factors, in);
  const bool sums = dyn_.apart;
  const auto room = [&](int k) { return sums_.data() + n * width * k; };
  ConstrainedProducts all{.pattern = dyn_.factors.pattern,
                          .full = full,
                          .range = dyn_.factors.range,
                          .C_stride = width,
                          .nu_stride = sums ? width : dyn_.count};
  for (int g = 0; g < 2; ++g) {
    all.D[g] = group[g].D, all.x[g] = group[g].found;
    all.C[g] = sums ? room(g) : group[g].C, all.nu[g] = sums ? room(2 + g) : group[g].dlambda;
    for (int k = 0; sums && k < n; ++k) dyn_.gather(1, group[g].C + width * k, room(g) + width * k);
  }
  bool finite = dyn_.tree.kernel.constrained_products(in, all);
  for (int g = 0; sums && g < 2; ++g) write_multipliers(group[g], room(2 + g));
  double* by_force = sums ? room(2) : group[2].dlambda;
  finite =
      dyn_.tree.kernel.constrained_by_force(in, group[2].found, by_force, all.nu_stride) && finite;
  if (sums) write_multipliers(group[2], by_force);
  return finite;
}

void ImplicitColumns::inverse(std::span<const ColumnGroup> groups) {
  const std::span<const bool> motors = dyn_.robot.actuated();
  const int n = dyn_.nv();
  for (const ColumnGroup& g : groups)
    for (int k = 0; k < g.count; ++k) {
      const double* D = g.D + n * k;
      const auto force = [&](int j) { return D[j] - dyn_.along_rows(j); };
      for (int j = 0; j < n; ++j) dyn_.rhs[size_t(j)] = motors[size_t(j)] ? 0 : D[j];
      dyn_.part.solve_transposed(dyn_.rhs.data(), dyn_.nu.data());
      settle(g, k, motors, force);
      for (int j = 0; j < n; ++j) g.found[n * k + j] = motors[size_t(j)] ? force(j) : 0;
      write_multipliers(g, k);
    }
}

void ImplicitColumns::hybrid(std::span<const bool> prescribed, const double* M,
                             std::span<const ColumnGroup> groups) {
  const int n = dyn_.nv();
  if (by_clusters_) return forward(groups);  // which finds the forces of what is held, too
  solve(
      groups,
      [&](const ColumnGroup& g, int k, double* f, double* nu) {
        for (int j = 0; j < n; ++j) f[j] = prescribed[size_t(j)] ? 0 : -g.D[n * k + j];
        dyn_.gather(-1, g.C + dyn_.width * k, gathered_.data());
        dyn_.part.gather(gathered_.data(), nu);
      },
      [&](const ColumnGroup& g, int k, const double* da, const double* nu) {
        dyn_.part.spread(nu, dyn_.nu.data());
        const auto force = [&](int i) {
          double sum = g.D[n * k + i] - dyn_.along_rows(i);
          for (int j = 0; j < n; ++j)
            if (!prescribed[size_t(j)]) sum += M[n * j + i] * da[j];
          return sum;
        };
        settle(g, k, prescribed, force);
        for (int i = 0; i < n; ++i) g.found[n * k + i] = prescribed[size_t(i)] ? force(i) : da[i];
        write_multipliers(g, k);
      });
}

}  // namespace jounce
