// SPDX-License-Identifier: BSD-3-Clause
// The tapes of a custom joint: its pose, differentiated by running its recording on dual numbers
// that record.
#include <jounce/model/custom.hpp>

namespace jounce {
namespace {

/// (T^-1 dT)^vee from a pose and a derivative of its entries; R^T dR is skew.
template <class Real>
Twist<Real> body_twist(const SE3<Real>& T, const SE3<Real>& dT) {
  const Mat3<Real> columns = transpose(T.R.m), rates = transpose(dT.R.m);
  const auto& [x, y, z] = columns.row;
  const auto& [dx, dy, dz] = rates.row;
  return {{dot(z, dy), dot(x, dz), dot(y, dx)}, inverse_times(T.R, dT.p)};
}

/// The outputs of a tape on other numbers.
template <class Real>
std::vector<Real> outputs(const Tape& tape, const std::vector<Real>& inputs) {
  std::vector<Real> x(inputs);
  x.resize(size_t(tape.numbers));
  run(tape, x.data());
  return {x.begin() + tape.inputs, x.begin() + tape.inputs + tape.outputs};
}

void append(std::vector<Recorded>& to, const Vec3<Recorded>& x) {
  to.insert(to.end(), {x.x, x.y, x.z});
}
void append(std::vector<Recorded>& to, const SE3<Recorded>& T) {
  for (const Vec3<Recorded>& row : T.R.m.row) append(to, row);
  append(to, T.p);
}

/// Inputs q and v of a new recording.
struct Inputs {
  Inputs(int dof, Recorder& recorder) {
    for (std::vector<Recorded>* x : {&q, &v})
      for (int k = 0; k < dof; ++k) x->push_back(recorder.input());
  }
  std::vector<Recorded> q, v;
};

Program record_pose(const Recorder& recorder, const SE3<Recorded>& T) {
  std::vector<Recorded> numbers;
  append(numbers, T);
  return recorder.finish(numbers);
}

/// T, S_k and Sdot_k from T: the derivative along q_k, and the rate of both along v.
Program record_motion(int dof, const Program& pose) {
  using Along = Dual<Recorded, 1>;  // value and rate
  using Partial = Dual<Along, 1>;   // and their derivative along q_k
  Recorder recorder;
  const Inputs in(dof, recorder);
  std::vector<Recorded> T, S, Sdot;
  for (int k = 0; k < dof; ++k) {
    std::vector<Partial> q;
    for (size_t j = 0; j < in.q.size(); ++j) {
      Along at(in.q[j]);
      at.d[0] = in.v[j];
      q.push_back(int(j) == k ? Partial::variable(at, 0) : Partial(at));
    }
    const std::vector<Partial> y = outputs(pose.tape(), q);
    std::vector<Along> value, partial;
    for (const Partial& x : y) value.push_back(x.a), partial.push_back(x.d[0]);
    const Twist<Along> screw = body_twist(CustomMotion<Along>{value.data(), 0}.T(),
                                          CustomMotion<Along>{partial.data(), 0}.T());
    for (const Vec3<Along>& x : {screw.w, screw.v})
      for (const Along& number : {x.x, x.y, x.z})
        S.push_back(number.a), Sdot.push_back(number.d[0]);
    T.clear();
    for (const Along& x : value) T.push_back(x.a);
  }
  T.insert(T.end(), S.begin(), S.end());
  T.insert(T.end(), Sdot.begin(), Sdot.end());
  return recorder.finish(T);
}

/// The derivatives of S_l and Sdot_l along q_k from the motion.
Program record_partials(int dof, const Program& motion) {
  using Partial = Dual<Recorded, 1>;
  Recorder recorder;
  const Inputs in(dof, recorder);
  std::vector<Recorded> numbers(size_t(12 * dof * dof));
  for (int k = 0; k < dof; ++k) {
    std::vector<Partial> x(in.q.begin(), in.q.end());
    x.insert(x.end(), in.v.begin(), in.v.end());
    x[size_t(k)].d[0] = 1;
    const std::vector<Partial> y = outputs(motion.tape(), x);
    for (int l = 0; l < 2 * dof; ++l)
      for (int j = 0; j < 6; ++j)
        numbers[size_t(6 * (l * dof + k) + j)] = y[size_t(12 + 6 * l + j)].d[0];
  }
  return recorder.finish(numbers);
}

}  // namespace

CustomJoint::CustomJoint(int dof_, const Recorder& recorder, const SE3<Recorded>& T)
    : motion_(record_motion(dof_, record_pose(recorder, T))),
      partials_(record_partials(dof_, motion_)),
      dof(dof_),
      motion(motion_.tape()),
      partials(partials_.tape()) {}

}  // namespace jounce
