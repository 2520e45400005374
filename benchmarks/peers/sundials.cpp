// SPDX-License-Identifier: BSD-3-Clause
// CVODE of SUNDIALS: Adams' multistep method with fixed-point iterations, for our equations.
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "benchmarks/peers/peer.hpp"

namespace jounce::bench {
namespace {

int rate_of(double t, N_Vector x, N_Vector xdot, void* rate) {
  (*static_cast<const Rate*>(rate))(t, N_VGetArrayPointer(x), N_VGetArrayPointer(xdot));
  return 0;
}

}  // namespace

void cvode_adams(const Rate& rate, std::vector<double>& x, double until, double tol) {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector at = N_VMake_Serial(long(x.size()), x.data(), context);
  void* memory = CVodeCreate(CV_ADAMS, context);
  CVodeInit(memory, rate_of, 0, at);
  CVodeSStolerances(memory, tol, tol);
  CVodeSetUserData(memory, const_cast<Rate*>(&rate));
  CVodeSetMaxNumSteps(memory, 100000000);
  SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(at, 0, context);
  CVodeSetNonlinearSolver(memory, solver);
  CVodeSetStopTime(memory, until);
  double t = 0;
  CVode(memory, until, at, &t, CV_NORMAL);
  CVodeFree(&memory);
  SUNNonlinSolFree(solver);
  N_VDestroy(at);
  SUNContext_Free(&context);
}

}  // namespace jounce::bench
