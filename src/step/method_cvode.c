// The multistep methods of CVODE (SUNDIALS): Adams for smooth motion, BDF for stiff systems.
#include "step/newton_matrix.h"
#include "step/sundials.h"

#include <cvode/cvode.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

typedef struct cvode
{
  step_sundials common;
  void* memory;
  SUNMatrix J;
  SUNLinearSolver linear;
  SUNNonlinearSolver nonlinear;
  step_newton_matrix* newton; // of many components
  double *inc, t_newton;
  bool initialised;
} cvode;

// of fewer components the matrix is a dense one of the library
enum { many_components = 17 };

// z' = f(t, z + offset); an empty system carries one idle component
static int evaluate(step_sundials* s, double t, const double* z, double* dz)
{
  step_stepper* b = &s->base;
  if (b->ode.n == 0) dz[0] = 0;
  b->counts.evaluations++;
  int code = b->ode.rhs(b->ode.context, t, step_sundials_state(s, z), dz);
  s->code = code;
  if (code != 0) return code;
  s->not_finite = !step_sundials_finite(b->ode.n, dz);
  return s->not_finite ? 1 : 0;
}

static int rhs(realtype t, N_Vector z, N_Vector dz, void* s)
{
  return evaluate(s, t, N_VGetArrayPointer(z), N_VGetArrayPointer(dz));
}

static int weights(N_Vector z, N_Vector w, void* user)
{
  step_sundials* s = user;
  const double* at = N_VGetArrayPointer(z);
  for (int i = 0; i < s->size; i++)
    N_VGetArrayPointer(w)[i] =
        i < s->base.ode.n ? step_sundials_weight(s, i, at[i] + s->offset[i]) : 1;
  return 0;
}

// df/dy by difference quotients, column by column; the other way where the first is refused
static int jacobian(realtype t, N_Vector zv, N_Vector fv, SUNMatrix J, void* user, N_Vector t1,
                    N_Vector t2, N_Vector t3)
{
  (void)t2, (void)t3;
  cvode* c = user;
  step_sundials* s = user;
  double *z = N_VGetArrayPointer(zv), *f = N_VGetArrayPointer(fv), *g = N_VGetArrayPointer(t1);
  double h = 0;
  CVodeGetCurrentStep(c->memory, &h);
  for (int j = 0; j < s->size; j++) {
    double kept = z[j], *column = SUNDenseMatrix_Column(J, j);
    double inc = step_sundials_increment(s, j, kept + s->offset[j], h * f[j]);
    z[j] = kept + inc;
    int code = evaluate(s, t, z, g);
    if (code > 0) {
      inc = -inc;
      z[j] = kept + inc;
      code = evaluate(s, t, z, g);
    }
    z[j] = kept;
    if (code != 0) return code;
    for (int i = 0; i < s->size; i++) column[i] = (g[i] - f[i]) / inc;
  }
  return 0;
}

// ---- many components ----------------------------------------------------------------------------

static int rates(void* context, const double* z, double* f)
{
  cvode* c = context;
  return evaluate(&c->common, c->t_newton, z, f);
}

// The matrix at z, whose factors the linear solver makes of it; df/dy is kept as long as the
// library takes it to be good. Nothing stands in A.
static int linear_system(realtype t, N_Vector zv, N_Vector fv, SUNMatrix A, booleantype good,
                         booleantype* renewed, realtype g, void* user, N_Vector t1, N_Vector t2,
                         N_Vector t3)
{
  (void)A, (void)t1, (void)t2, (void)t3;
  cvode* c = user;
  step_sundials* s = user;
  const double *z = N_VGetArrayPointer(zv), *f = N_VGetArrayPointer(fv);
  *renewed = !good;
  if (!good) {
    double h = 0;
    CVodeGetCurrentStep(c->memory, &h);
    for (int j = 0; j < s->size; j++)
      c->inc[j] = step_sundials_increment(s, j, z[j] + s->offset[j], h * f[j]);
    c->t_newton = t;
    const int code = step_newton_find(c->newton, rates, c, z, f, c->inc);
    if (code) return code;
  }
  return step_newton_factor(c->newton, g) ? 0 : 1;
}

static SUNLinearSolver_Type type_of(SUNLinearSolver s)
{
  (void)s;
  return SUNLINEARSOLVER_DIRECT;
}

static SUNMatrix_ID id_of(SUNMatrix A)
{
  (void)A;
  return SUNMATRIX_CUSTOM;
}

// made with the matrix already
static int set_up(SUNLinearSolver s, SUNMatrix A)
{
  (void)s, (void)A;
  return 0;
}

static int solve(SUNLinearSolver s, SUNMatrix A, N_Vector x, N_Vector b, realtype tolerance)
{
  (void)A, (void)tolerance;
  N_VScale(1, b, x);
  step_newton_solve(s->content, N_VGetArrayPointer(x));
  return 0;
}

static bool attach_newton(cvode* c)
{
  step_sundials* s = &c->common;
  c->newton = step_newton_new(s->size);
  c->inc = base_alloc(sizeof(double) * (size_t)s->size);
  c->J = SUNMatNewEmpty(s->library);
  c->linear = SUNLinSolNewEmpty(s->library);
  if (!c->J || !c->linear) return false;
  c->J->ops->getid = id_of;
  c->linear->content = c->newton;
  c->linear->ops->gettype = type_of;
  c->linear->ops->setup = set_up;
  c->linear->ops->solve = solve;
  return CVodeSetLinearSolver(c->memory, c->linear, c->J) == CV_SUCCESS &&
         CVodeSetLinSysFn(c->memory, linear_system) == CV_SUCCESS;
}

// ---- the stepper --------------------------------------------------------------------------------

static void destroy(step_stepper* base)
{
  cvode* c = (cvode*)base;
  if (c->memory) CVodeFree(&c->memory);
  if (c->linear && c->newton)
    SUNLinSolFreeEmpty(c->linear);
  else if (c->linear)
    SUNLinSolFree(c->linear);
  if (c->nonlinear) SUNNonlinSolFree(c->nonlinear);
  if (c->J && c->newton)
    SUNMatFreeEmpty(c->J);
  else if (c->J)
    SUNMatDestroy(c->J);
  step_newton_free(c->newton);
  free(c->inc);
  step_sundials_free(&c->common);
}

// bdf: Newton; Adams: fixed-point iteration
static bool attach_solvers(cvode* c)
{
  step_sundials* s = &c->common;
  if (s->base.method == &step_method_adams) {
    c->nonlinear = SUNNonlinSol_FixedPoint(s->z, 0, s->library);
    return c->nonlinear && CVodeSetNonlinearSolver(c->memory, c->nonlinear) == CV_SUCCESS;
  }
  if (s->size >= many_components) return attach_newton(c);
  c->J = SUNDenseMatrix(s->size, s->size, s->library);
  if (c->J) c->linear = SUNLinSol_Dense(s->z, c->J, s->library);
  return c->linear && CVodeSetLinearSolver(c->memory, c->linear, c->J) == CV_SUCCESS &&
         CVodeSetJacFn(c->memory, jacobian) == CV_SUCCESS;
}

static const step_sundials_library calls;

static step_stepper* create(const step_method* method, const step_ode* ode)
{
  cvode* c = step_sundials_new(sizeof *c, method, &calls, ode, ode->n > 0 ? ode->n : 1);
  step_sundials* s = &c->common;
  if (s->z) c->memory = CVodeCreate(method == &step_method_adams ? CV_ADAMS : CV_BDF, s->library);
  return &s->base;
}

static long rejected(step_sundials* s)
{
  cvode* c = (cvode*)s;
  long errors = 0, failures = 0;
  if (!c->initialised) return 0;
  CVodeGetNumErrTestFails(c->memory, &errors);
  CVodeGetNumStepSolveFails(c->memory, &failures);
  return errors + failures;
}

static bool initialise(cvode* c, double t)
{
  step_sundials* s = &c->common;
  if (!c->memory) return false;
  if (c->initialised) {
    // the library counts from zero again
    s->rejected_before += rejected(s);
    return CVodeReInit(c->memory, t, s->z) == CV_SUCCESS;
  }
  CVodeSetErrHandlerFn(c->memory, step_sundials_message, c);
  bool ok = CVodeInit(c->memory, rhs, t, s->z) == CV_SUCCESS &&
            CVodeWFtolerances(c->memory, weights) == CV_SUCCESS &&
            CVodeSetUserData(c->memory, c) == CV_SUCCESS && attach_solvers(c);
  if (!ok) return false;
  CVodeSetMaxHnilWarns(c->memory, -1);
  CVodeSetMaxErrTestFails(c->memory, 20);
  CVodeSetMaxConvFails(c->memory, 40);
  return c->initialised = true;
}

static step_status start(step_stepper* base, double t, const double* y, double t_end)
{
  cvode* c = (cvode*)base;
  step_sundials* s = &c->common;
  step_status status = step_sundials_begin(s, t, y, t_end);
  if (status != STEP_OK) return status;
  memcpy(N_VGetArrayPointer(s->z), base->y, (size_t)base->ode.n * sizeof *y);
  // the library would find a bad start only later
  if (evaluate(s, t, base->y, s->gap) != 0) return step_sundials_refuse(s);
  if (!initialise(c, t)) return STEP_SOLVER;
  return STEP_OK;
}

static step_status status_of(step_sundials* s, int flag)
{
  switch (flag) {
  case CV_RHSFUNC_FAIL:
  case CV_FIRST_RHSFUNC_ERR:
  case CV_REPTD_RHSFUNC_ERR:
  case CV_UNREC_RHSFUNC_ERR:
    return step_sundials_refuse(s);
  case CV_ERR_FAILURE:
  case CV_TOO_CLOSE:
    return step_sundials_fail(s, STEP_STEP_TOO_SMALL, "the step size became too small");
  default:
    return s->code != 0 || s->not_finite ? step_sundials_refuse(s) : STEP_SOLVER;
  }
}

static step_status euler(step_sundials* s, double h)
{
  double* z = N_VGetArrayPointer(s->z);
  if (evaluate(s, s->base.t, z, s->gap) != 0) return step_sundials_refuse(s);
  for (int i = 0; i < s->size; i++) z[i] += h * s->gap[i];
  return STEP_OK;
}

// by the time in which the state changes by its own size
static double far_end(const step_sundials* s)
{
  const step_stepper* b = &s->base;
  double size = 0, rate = 0;
  for (int i = 0; i < b->ode.n; i++) {
    size = fmax(size, fabs(b->y[i]));
    rate = fmax(rate, fabs(s->gap[i]));
  }
  double scale = size > 0 && rate > 0 ? size / rate : 1;
  return b->t + s->direction * fmax(scale, 1e6 * DBL_EPSILON * fabs(b->t));
}

static int advance(step_sundials* s, double far, double t_limit, double* t)
{
  cvode* c = (cvode*)s;
  // left alone the library would go on with steps that no longer move the time
  CVodeSetMinStep(c->memory, 16 * DBL_EPSILON * fabs(s->base.t));
  const int flag = CVodeSetStopTime(c->memory, t_limit);
  return flag == CV_SUCCESS ? CVode(c->memory, far, s->z, t, CV_ONE_STEP) : flag;
}

static bool interpolate(step_sundials* s, double t)
{
  return CVodeGetDky(((cvode*)s)->memory, t, 0, s->z) == CV_SUCCESS;
}

static const step_sundials_library calls = {.advance = advance,
                                            .status_of = status_of,
                                            .euler = euler,
                                            .far_end = far_end,
                                            .interpolate = interpolate,
                                            .rejected = rejected};

const step_method step_method_adams = {
    .name = "adams",
    .summary = "CVODE, Adams-Moulton of variable order 1 to 12, for smooth motion",
    .has_history = true,
    .create = create,
    .destroy = destroy,
    .start = start,
    .step = step_sundials_step,
    .dense = step_sundials_dense,
    .amend = step_sundials_amend,
};

const step_method step_method_bdf = {
    .name = "bdf",
    .summary = "CVODE, backward differences of variable order 1 to 5, for stiff systems",
    .has_history = true,
    .create = create,
    .destroy = destroy,
    .start = start,
    .step = step_sundials_step,
    .dense = step_sundials_dense,
    .amend = step_sundials_amend,
};
