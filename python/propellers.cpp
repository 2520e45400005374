// SPDX-License-Identifier: BSD-3-Clause
// Propellers in Python: arrays of places and axes in, speeds and wrenches with derivatives out.
#include <jounce/propellers.hpp>

#include "bindings.hpp"

namespace jounce::python {
namespace {

using RowsOfThree = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Columns = py::array_t<double, py::array::f_style | py::array::forcecast>;

Vec3<double> row_of(const RowsOfThree& x, const char* name, py::ssize_t k) {
  if (x.ndim() != 2 || x.shape(1) != 3 || k >= x.shape(0))
    throw InputError(std::string("Propellers: ") + name + " needs the shape (n, 3), one row each");
  return {x.at(k, 0), x.at(k, 1), x.at(k, 2)};
}

Propellers make(const RowsOfThree& positions, const RowsOfThree& axes, double thrust, double drag,
                const std::vector<int>& spins) {
  std::vector<Propeller> all;
  for (py::ssize_t k = 0; k < py::ssize_t(spins.size()); ++k)
    all.push_back({row_of(positions, "positions", k), row_of(axes, "axes", k), thrust, drag,
                   spins[size_t(k)]});
  return Propellers(all);
}

/// A vector, or a matrix with a column per derivative, as Eigen sees it.
Eigen::Map<const Eigen::MatrixXd> matrix_of_columns(const Columns& x) {
  const bool vector = x.ndim() == 1;
  if (!vector && x.ndim() != 2) throw InputError("Propellers: needs a vector or a matrix");
  return {x.data(), x.shape(0), vector ? 1 : x.shape(1)};
}
/// With as many dimensions as what was given.
py::array shaped_as(const Columns& given, const Eigen::MatrixXd& x) {
  if (given.ndim() == 1) return Columns(x.rows(), x.data());
  Columns found({x.rows(), x.cols()});
  std::copy(x.data(), x.data() + x.size(), found.mutable_data());
  return found;
}

}  // namespace

void bind_propellers(py::module_& m) {
  py::class_<Propellers> c(
      m, "Propellers",
      "Propellers(positions, axes, thrust, drag, spins)\n\n"
      "Any number of propellers fixed to a body: shape (n, 3) for places and unit axes in its "
      "frame, N s^2, N m s^2, and +1 or -1 each. Columns of speeds and wrenches are derivatives.");
  c.def(py::init(&make), py::arg("positions"), py::arg("axes"), py::arg("thrust"), py::arg("drag"),
        py::arg("spins"));
  c.def_property_readonly("count", &Propellers::count, "How many there are.");
  c.def_property_readonly("rank", &Propellers::rank,
                          "The dimension of the wrenches that they can give.");
  c.def(
      "allocation",
      [](const Propellers& p) {
        const Eigen::MatrixXd A = p.allocation();
        Columns found({A.rows(), A.cols()});
        std::copy(A.data(), A.data() + A.size(), found.mutable_data());
        return found;
      },
      "allocation($self)\n--\n\nThe wrench of every propeller at unit squared speed, (6, n).");
  c.def(
      "wrench",
      [](const Propellers& p, const Columns& speeds) {
        return shaped_as(speeds, p.wrench(matrix_of_columns(speeds)));
      },
      py::arg("speeds"),
      "wrench($self, speeds)\n--\n\nThe wrench on the body, moment first, with as many derivatives "
      "as the speeds have.");
  c.def(
      "speeds",
      [](const Propellers& p, const Columns& wrenches) {
        return shaped_as(wrenches, p.speeds(matrix_of_columns(wrenches)));
      },
      py::arg("wrenches"),
      "speeds($self, wrenches)\n--\n\nThe speeds that give a wrench, of least squares where there "
      "are many; ComputationError where there are none.");
  c.def(
      "nearest_speeds",
      [](const Propellers& p, const Columns& wrenches) {
        return shaped_as(wrenches, p.nearest_speeds(matrix_of_columns(wrenches)));
      },
      py::arg("wrenches"),
      "nearest_speeds($self, wrenches)\n--\n\nThe same for the nearest wrench that they can give.");
  m.def("tilted_hexarotor", &tilted_hexarotor, py::arg("arm"), py::arg("height"), py::arg("tilt"),
        py::arg("thrust"), py::arg("drag"),
        "tilted_hexarotor(arm, height, tilt, thrust, drag)\n--\n\nSix propellers around the z "
        "axis, tilted about their arms by +tilt and -tilt in turn.");
}

}  // namespace jounce::python
