// IDA (SUNDIALS) on the implicit form F(t, y, y') = 0: backward differences for equations with
// multipliers. The first ode.n unknowns are differential, the rest algebraic and outside the error
// test.
#include "step/sundials.h"

#include <assert.h>
#include <float.h>
#include <ida/ida.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct ida
{
  step_sundials common;
  void* memory;
  N_Vector dz, id;
  SUNMatrix J;
  SUNLinearSolver linear;
  bool initialised;
} ida;

static int evaluate(step_sundials* s, double t, const double* z, const double* dz, double* r)
{
  step_stepper* b = &s->base;
  if (b->ode.dae_n == 0) r[0] = dz[0];
  b->counts.evaluations++;
  int code = b->ode.residual(b->ode.context, t, step_sundials_state(s, z), dz, r);
  s->code = code;
  if (code != 0) return code;
  s->not_finite = !step_sundials_finite(b->ode.dae_n, r);
  return s->not_finite ? 1 : 0;
}

static int residual(realtype t, N_Vector z, N_Vector dz, N_Vector r, void* s)
{
  return evaluate(s, t, N_VGetArrayPointer(z), N_VGetArrayPointer(dz), N_VGetArrayPointer(r));
}

static int weights(N_Vector z, N_Vector w, void* user)
{
  step_sundials* s = user;
  const double* at = N_VGetArrayPointer(z);
  for (int i = 0; i < s->size; i++)
    N_VGetArrayPointer(w)[i] = step_sundials_weight(s, i, at[i] + s->offset[i]);
  return 0;
}

// dF/dy + cj dF/dy' by difference quotients: z and z' move together
static int jacobian(realtype t, realtype cj, N_Vector zv, N_Vector dzv, N_Vector rv, SUNMatrix J,
                    void* user, N_Vector t1, N_Vector t2, N_Vector t3)
{
  (void)t2, (void)t3;
  ida* d = user;
  step_sundials* s = user;
  double *z = N_VGetArrayPointer(zv), *dz = N_VGetArrayPointer(dzv), *r = N_VGetArrayPointer(rv);
  double *g = N_VGetArrayPointer(t1), h = 0;
  IDAGetCurrentStep(d->memory, &h);
  for (int j = 0; j < s->size; j++) {
    double kept = z[j], rate = dz[j], *column = SUNDenseMatrix_Column(J, j);
    double inc = step_sundials_increment(s, j, kept + s->offset[j], h * rate);
    int code = 1;
    for (int side = 0; side < 2 && code > 0; side++) {
      if (side == 1) inc = -inc;
      z[j] = kept + inc;
      dz[j] = rate + cj * inc;
      code = evaluate(s, t, z, dz, g);
    }
    z[j] = kept;
    dz[j] = rate;
    if (code != 0) return code;
    for (int i = 0; i < s->size; i++) column[i] = (g[i] - r[i]) / inc;
  }
  return 0;
}

static void destroy(step_stepper* base)
{
  ida* d = (ida*)base;
  if (d->memory) IDAFree(&d->memory);
  if (d->linear) SUNLinSolFree(d->linear);
  if (d->J) SUNMatDestroy(d->J);
  if (d->dz) N_VDestroy(d->dz);
  if (d->id) N_VDestroy(d->id);
  step_sundials_free(&d->common);
}

static const step_sundials_library calls;

static step_stepper* create(const step_method* method, const step_ode* ode)
{
  assert(ode->residual && ode->consistent && ode->dae_n >= ode->n);
  ida* d = step_sundials_new(sizeof *d, method, &calls, ode, ode->dae_n > 0 ? ode->dae_n : 1);
  step_sundials* s = &d->common;
  if (!s->z) return &s->base;
  d->dz = N_VClone(s->z);
  d->id = N_VClone(s->z);
  d->memory = IDACreate(s->library);
  return &s->base;
}

static bool attach_solver(ida* d)
{
  step_sundials* s = &d->common;
  d->J = SUNDenseMatrix(s->size, s->size, s->library);
  if (d->J) d->linear = SUNLinSol_Dense(s->z, d->J, s->library);
  return d->linear && IDASetLinearSolver(d->memory, d->linear, d->J) == IDA_SUCCESS &&
         IDASetJacFn(d->memory, jacobian) == IDA_SUCCESS;
}

static long rejected(step_sundials* s)
{
  ida* d = (ida*)s;
  long errors = 0, failures = 0;
  if (!d->initialised) return 0;
  IDAGetNumErrTestFails(d->memory, &errors);
  IDAGetNumStepSolveFails(d->memory, &failures);
  return errors + failures;
}

static bool initialise(ida* d, double t)
{
  step_sundials* s = &d->common;
  if (d->initialised) {
    // the library counts from zero again
    s->rejected_before += rejected(s);
    return IDAReInit(d->memory, t, s->z, d->dz) == IDA_SUCCESS;
  }
  IDASetErrHandlerFn(d->memory, step_sundials_message, d);
  for (int i = 0; i < s->size; i++)
    N_VGetArrayPointer(d->id)[i] = i < s->base.ode.n || s->base.ode.dae_n == 0;
  bool ok = IDAInit(d->memory, residual, t, s->z, d->dz) == IDA_SUCCESS &&
            IDAWFtolerances(d->memory, weights) == IDA_SUCCESS &&
            IDASetUserData(d->memory, d) == IDA_SUCCESS && attach_solver(d) &&
            IDASetId(d->memory, d->id) == IDA_SUCCESS &&
            IDASetSuppressAlg(d->memory, SUNTRUE) == IDA_SUCCESS;
  if (!ok) return false;
  IDASetMaxErrTestFails(d->memory, 20);
  IDASetMaxConvFails(d->memory, 40);
  return d->initialised = true;
}

// A first step of order 1 errs by h^2 |y''| / 2. The library's own guess, half a tolerance over
// |y'|, is so short at tight tolerances that y' is lost in rounding; take the root of the tolerance
// in units of the time in which the state changes by its own size.
static void choose_first_step(ida* d)
{
  const step_stepper* b = &d->common.base;
  const double* dz = N_VGetArrayPointer(d->dz);
  double size = 1, rate = 0;
  for (int i = 0; i < b->ode.n; i++) {
    if (b->ode.quiet && b->ode.quiet[i]) continue;
    size = fmax(size, fabs(b->y[i]));
    rate = fmax(rate, fabs(dz[i]));
  }
  const double span = fabs(d->common.t_end - b->t);
  double h = sqrt(fmax(b->ode.rel_tol, DBL_EPSILON)) * (rate > 0 ? size / rate : 1) * 0.1;
  if (isfinite(span)) h = fmin(h, 1e-3 * span);
  IDASetInitStep(d->memory, d->common.direction * h);
}

static step_status start(step_stepper* base, double t, const double* y, double t_end)
{
  ida* d = (ida*)base;
  step_sundials* s = &d->common;
  step_status status = step_sundials_begin(s, t, y, t_end);
  if (status != STEP_OK) return status;
  if (!d->memory || !d->dz || !d->id)
    return step_sundials_fail(s, STEP_SOLVER, "the library cannot be started");
  N_VConst(0, d->dz);
  double *z = N_VGetArrayPointer(s->z), *dz = N_VGetArrayPointer(d->dz);
  int code = base->ode.consistent(base->ode.context, t, base->y, z, dz);
  s->code = code;
  if (code != 0) return step_sundials_refuse(s);
  s->not_finite = !step_sundials_finite(s->size, z) || !step_sundials_finite(s->size, dz);
  if (s->not_finite) return step_sundials_refuse(s);
  if (!initialise(d, t)) return STEP_SOLVER;
  choose_first_step(d);
  return STEP_OK;
}

static step_status status_of(step_sundials* s, int flag)
{
  switch (flag) {
  case IDA_RES_FAIL:
  case IDA_REP_RES_ERR:
  case IDA_FIRST_RES_FAIL:
    return step_sundials_refuse(s);
  case IDA_ERR_FAIL:
    return step_sundials_fail(s, STEP_STEP_TOO_SMALL, "the step size became too small");
  default:
    return s->code != 0 || s->not_finite ? step_sundials_refuse(s) : STEP_SOLVER;
  }
}

static step_status euler(step_sundials* s, double h)
{
  N_VLinearSum(1, s->z, h, ((ida*)s)->dz, s->z);
  return STEP_OK;
}

static int advance(step_sundials* s, double far, double t_limit, double* t)
{
  ida* d = (ida*)s;
  // left alone the library would go on with steps that no longer move the time
  IDASetMinStep(d->memory, 16 * DBL_EPSILON * fabs(s->base.t));
  const int flag = IDASetStopTime(d->memory, t_limit);
  return flag == IDA_SUCCESS ? IDASolve(d->memory, far, t, s->z, d->dz, IDA_ONE_STEP) : flag;
}

static bool interpolate(step_sundials* s, double t)
{
  return IDAGetDky(((ida*)s)->memory, t, 0, s->z) == IDA_SUCCESS;
}

static const step_sundials_library calls = {.advance = advance,
                                            .status_of = status_of,
                                            .euler = euler,
                                            .interpolate = interpolate,
                                            .rejected = rejected};

const step_method step_method_ida = {
    .name = "ida",
    .summary = "IDA, backward differences on the equations with multipliers",
    .implicit_form = true,
    .has_history = true,
    .create = create,
    .destroy = destroy,
    .start = start,
    .step = step_sundials_step,
    .dense = step_sundials_dense,
    .amend = step_sundials_amend,
};
