// SPDX-License-Identifier: BSD-3-Clause
// The tape of a user's constraint: its values, differentiated by running their recording on dual
// numbers that record.
#include <jounce/error.hpp>
#include <jounce/model/custom_constraint.hpp>

namespace jounce {
namespace {

/// C, dC/dq, dC/dt, and the second derivative along (dq/dt, 1).
Program record_rows(int coordinates, const Program& values) {
  using Along = Dual<Recorded, 1>;
  using Twice = Dual<Along, 1>;
  const int n = coordinates, rows = values.outputs;
  Recorder recorder;
  std::vector<Recorded> q, qdot;
  for (std::vector<Recorded>* x : {&q, &qdot})
    for (int k = 0; k < n; ++k) x->push_back(recorder.input());
  q.push_back(recorder.input());  // time
  qdot.push_back(Recorded(1));
  std::vector<Recorded> found(size_t(rows * (3 + n)));
  std::vector<Along> x(size_t(values.numbers));
  for (int k = 0; k <= n; ++k) {
    for (size_t j = 0; j < q.size(); ++j) {
      x[j] = Along(q[j]);
      x[j].d[0] = Recorded(int(j) == k ? 1 : 0);
    }
    run(values.tape(), x.data());
    for (int r = 0; r < rows; ++r) {
      const Along& y = x[size_t(n + 1 + r)];
      found[size_t(r)] = y.a;
      found[size_t(k < n ? rows + n * r + k : rows * (1 + n) + r)] = y.d[0];
    }
  }
  std::vector<Twice> along(size_t(values.numbers));
  for (size_t j = 0; j < q.size(); ++j) {
    along[j] = Twice(Along(q[j]));
    along[j].a.d[0] = along[j].d[0].a = qdot[j];
  }
  run(values.tape(), along.data());
  for (int r = 0; r < rows; ++r)
    found[size_t(rows * (2 + n) + r)] = along[size_t(n + 1 + r)].d[0].d[0];
  return recorder.finish(found);
}

int checked_sizes(int coordinates, int rows) {
  if (coordinates < 1 || coordinates > CustomConstraint::most_coordinates)
    throw InputError("CustomConstraint: " + std::to_string(coordinates) +
                     " coordinates, needs 1 to " +
                     std::to_string(CustomConstraint::most_coordinates));
  if (rows < 1 || rows > CustomConstraint::most_rows)
    throw InputError("CustomConstraint: " + std::to_string(rows) + " rows, needs 1 to " +
                     std::to_string(CustomConstraint::most_rows));
  return coordinates;
}

}  // namespace

CustomConstraint::CustomConstraint(int coordinates_, const Recorder& recorder,
                                   std::span<const Recorded> values)
    : motion_(
          record_rows(checked_sizes(coordinates_, int(values.size())), recorder.finish(values))),
      coordinates(coordinates_),
      rows(int(values.size())),
      motion(motion_.tape()) {}

}  // namespace jounce
