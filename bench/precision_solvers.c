// Ways to solve the eight problems with right-hand sides by hand: dop853 (precision_hand.c),
// SUNDIALS, and GSL where they were found.
#include "precision.h"

#include "step/step.h"

#include <math.h>
#include <string.h>

static int rhs(void* context, double t, const double* y, double* dy)
{
  precision_rhs(*(const int*)context, t, y, dy);
  return 0;
}

static void begin(int problem, double* y)
{
  const precision_problem* p = &precision_problem_list[problem];
  memcpy(y, p->start, sizeof(double) * (size_t)p->n);
}

static bool by_cvode(int problem, double tolerance, double* y)
{
  const step_method* method = &step_method_adams;
  const precision_problem* p = &precision_problem_list[problem];
  double abs_tol[most_unknowns];
  for (int i = 0; i < p->n; i++) abs_tol[i] = 0.1 * tolerance;
  const step_ode ode = {
      .n = p->n, .rhs = rhs, .context = &problem, .rel_tol = tolerance, .abs_tol = abs_tol};
  step_stepper* s = method->create(method, &ode);
  begin(problem, y);
  bool fine = method->start(s, 0, y, p->t_end) == STEP_OK;
  while (fine && s->t < p->t_end) {
    fine = method->step(s, p->t_end) == STEP_OK && s->counts.steps < 1000000;
    if (!fine || !p->project) continue;
    double on[most_unknowns];
    memcpy(on, s->y, sizeof(double) * (size_t)p->n);
    p->project(on);
    method->amend(s, on);
  }
  memcpy(y, s->y, sizeof(double) * (size_t)p->n);
  method->destroy(s);
  return fine;
}

#ifdef BENCH_ARKODE
#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

static int rhs_arkode(realtype t, N_Vector y, N_Vector dy, void* problem)
{
  precision_rhs(*(const int*)problem, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
  return 0;
}

static bool by_arkode(int problem, double tolerance, double* y)
{
  const precision_problem* p = &precision_problem_list[problem];
  SUNContext context;
  if (SUNContext_Create(NULL, &context)) return false;
  begin(problem, y);
  N_Vector v = N_VMake_Serial(p->n, y, context);
  void* ark = ERKStepCreate(rhs_arkode, 0, v, context);
  double t = 0;
  ERKStepSetUserData(ark, &problem);
  ERKStepSetOrder(ark, 8);
  ERKStepSetMaxNumSteps(ark, 1000000);
  ERKStepSStolerances(ark, tolerance, 0.1 * tolerance);
  ERKStepSetStopTime(ark, p->t_end);
  const bool fine = ERKStepEvolve(ark, p->t_end, v, &t, ARK_NORMAL) >= 0;
  ERKStepFree(&ark);
  N_VDestroy(v);
  SUNContext_Free(&context);
  return fine;
}
#endif

// IDA: y' - f = 0
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

static int residual_of(realtype t, N_Vector y, N_Vector dy, N_Vector r, void* context)
{
  const int problem = *(const int*)context;
  const double* rate = N_VGetArrayPointer(dy);
  double* out = N_VGetArrayPointer(r);
  precision_rhs(problem, t, N_VGetArrayPointer(y), out);
  for (int i = 0; i < precision_problem_list[problem].n; i++) out[i] = rate[i] - out[i];
  return 0;
}

static bool by_ida(int problem, double tolerance, double* y)
{
  const precision_problem* p = &precision_problem_list[problem];
  const int n = p->n;
  SUNContext context;
  if (SUNContext_Create(NULL, &context)) return false;
  N_Vector v = N_VNew_Serial(n, context), dv = N_VNew_Serial(n, context);
  double *at = N_VGetArrayPointer(v), *rate = N_VGetArrayPointer(dv), t = 0;
  begin(problem, at);
  precision_rhs(problem, 0, at, rate);
  void* ida = IDACreate(context);
  SUNMatrix matrix = SUNDenseMatrix(n, n, context);
  SUNLinearSolver solver = SUNLinSol_Dense(v, matrix, context);
  IDAInit(ida, residual_of, 0, v, dv);
  IDASetUserData(ida, &problem);
  IDASStolerances(ida, tolerance, 0.1 * tolerance);
  IDASetLinearSolver(ida, solver, matrix);
  IDASetMaxNumSteps(ida, 100000);
  IDASetErrFile(ida, NULL);
  IDASetStopTime(ida, p->t_end);
  const bool fine = IDASolve(ida, p->t_end, &t, v, dv, IDA_NORMAL) >= 0;
  for (int i = 0; i < p->n; i++) y[i] = at[i];
  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(v);
  N_VDestroy(dv);
  SUNContext_Free(&context);
  return fine;
}

#ifdef BENCH_GSL
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

static int rhs_gsl(double t, const double* y, double* dy, void* problem)
{
  precision_rhs(*(const int*)problem, t, y, dy);
  return GSL_SUCCESS;
}

// a driver is kept for the next run of the same kind: as zwang, it is set up once
typedef struct kept_driver
{
  gsl_odeiv2_system system;
  gsl_odeiv2_driver* driver;
  int problem;
  double tolerance;
} kept_driver;

static void keep_driver(kept_driver* k, const gsl_odeiv2_step_type* type, int problem,
                        double tolerance)
{
  const precision_problem* p = &precision_problem_list[problem];
  if (k->driver && k->problem == problem && k->tolerance == tolerance) return;
  if (k->driver) gsl_odeiv2_driver_free(k->driver);
  gsl_set_error_handler_off();
  k->problem = problem;
  k->tolerance = tolerance;
  k->system = (gsl_odeiv2_system){rhs_gsl, NULL, (size_t)p->n, &k->problem};
  k->driver = gsl_odeiv2_driver_alloc_y_new(&k->system, type, 1, 0.1 * tolerance, tolerance);
  gsl_odeiv2_driver_set_nmax(k->driver, 1000000);
}

static bool by_gsl(kept_driver* k, const gsl_odeiv2_step_type* type, int problem, double tolerance,
                   double* y)
{
  // GSL leaves the first step to its user: about as long as steps are here
  enum { first_parts = 30 };
  const double t_end = precision_problem_list[problem].t_end;
  double t = 0;
  keep_driver(k, type, problem, tolerance);
  begin(problem, y);
  gsl_odeiv2_driver_reset_hstart(k->driver, t_end / first_parts);
  return gsl_odeiv2_driver_apply(k->driver, &t, t_end, y) == GSL_SUCCESS;
}

static bool by_rk8pd(int problem, double tolerance, double* y)
{
  static kept_driver kept;
  return by_gsl(&kept, gsl_odeiv2_step_rk8pd, problem, tolerance, y);
}

static bool by_msadams(int problem, double tolerance, double* y)
{
  static kept_driver kept;
  return by_gsl(&kept, gsl_odeiv2_step_msadams, problem, tolerance, y);
}
#endif

const precision_solver precision_solver_list[] = {
    {"hand-written C, dop853", precision_hand},
    {"hand-written C, CVODE Adams", by_cvode},
#ifdef BENCH_ARKODE
    {"hand-written C, ARKODE order 8", by_arkode},
#endif
    {"hand-written C, IDA", by_ida},
#ifdef BENCH_GSL
    {"hand-written C, GSL rk8pd", by_rk8pd},
    {"hand-written C, GSL msadams", by_msadams},
#endif
};
const int precision_solvers = (int)(sizeof precision_solver_list / sizeof *precision_solver_list);
