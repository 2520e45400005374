// SPDX-License-Identifier: BSD-3-Clause
// MuJoCo: steps of Runge and Kutta's method, without contacts, limits and passive forces.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "benchmarks/bench.hpp"
#include "benchmarks/peers/peer.hpp"

namespace jounce::bench {
namespace {

struct Work {
  mjModel* model = nullptr;
  mjData* data = nullptr;
  ~Work() {
    if (data) mj_deleteData(data);
    if (model) mj_deleteModel(model);
  }
};

void write(std::ostream& out, const double* x, int n) {
  for (int k = 0; k < n; ++k) out << (k ? " " : "") << x[k];
}
/// A body and all that it carries.
void write_body(std::ostream& out, const PeerTree& tree, size_t i) {
  const PeerBody& b = tree.bodies[i];
  mjtNum q[4];
  mju_mat2Quat(q, b.placement.R.data());
  out << "<body pos='";
  write(out, b.placement.p.data(), 3);
  out << "' quat='";
  write(out, q, 4);
  out << "'><inertial mass='" << b.mass << "' pos='";
  write(out, b.com.data(), 3);
  const auto& I = b.I_com;
  const double full[] = {I[0], I[4], I[8], I[1], I[2], I[5]};
  out << "' fullinertia='";
  write(out, full, 6);
  out << "'/>";
  if (b.joint == PeerJoint::free) out << "<freejoint/>";
  else
    out << "<joint axis='0 0 1' type='" << (b.joint == PeerJoint::revolute ? "hinge" : "slide")
        << "'/>";
  for (size_t k = i + 1; k < tree.bodies.size(); ++k)
    if (size_t(tree.bodies[k].parent) == i) write_body(out, tree, k);
  out << "</body>";
}
std::string model_text(const PeerTree& tree) {
  std::ostringstream out;
  out.precision(17);
  out << "<mujoco><compiler angle='radian'/><option timestep='0.001' integrator='RK4' gravity='";
  write(out, tree.gravity.data(), 3);
  out << "'><flag constraint='disable' contact='disable' limit='disable' passive='disable'/>"
         "</option><worldbody>";
  for (size_t k = 1; k < tree.bodies.size(); ++k)
    if (tree.bodies[k].parent == 0) write_body(out, tree, k);
  out << "</worldbody></mujoco>";
  return out.str();
}

}  // namespace

PeerCalls mujoco_calls(const PeerTree& tree) {
  const auto w = std::make_shared<Work>();
  const std::string text = model_text(tree), name = "robot.xml";
  auto vfs = std::make_unique<mjVFS>();
  mj_defaultVFS(vfs.get());
  mj_makeEmptyFileVFS(vfs.get(), name.c_str(), int(text.size()));
  std::copy(text.begin(), text.end(), static_cast<char*>(vfs->filedata[0]));
  char error[300] = "";
  w->model = mj_loadXML(name.c_str(), vfs.get(), error, sizeof error);
  mj_deleteVFS(vfs.get());
  if (!w->model) throw std::runtime_error(std::string("mujoco: ") + error);
  w->data = mj_makeData(w->model);
  mj_forward(w->model, w->data);
  PeerCalls calls;
  const int n = w->model->nv;
  std::vector<double> M(size_t(n) * size_t(n));
  mj_fullM(w->model, M.data(), w->data->qM);
  for (int k = 0; k < n; ++k) calls.mass_trace += M[size_t(n * k + k)];
  calls.add("rk4-step", [w, n] {
    if (w->data->time > 0.5) mj_resetData(w->model, w->data);
    if (w->data->time == 0)
      for (int k = 0; k < n; ++k) w->data->qvel[k] = 0.1;
    mj_step(w->model, w->data);
  });
  return calls;
}

}  // namespace jounce::bench
