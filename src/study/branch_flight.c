// The motion over one period from its start, with its derivatives by the start and the param.
//
// Who can fly is a table: runs through all that happens, polynomials on a mesh, and steps (exact
// right sides, Dormand and Prince's 8(5,3)), which take what the others do not.
#include "study/branch.h"

#include <math.h>
#include <string.h>

static const double tolerance = 1e-13;
static const double whole = 1e-10; // what polynomials may have left to close
enum { most_steps = 100000, most_turns = 6 };

// y = (q, v, X), X of 2n + 1 columns (by the state, then by the param) stored row by row
static int rhs(void* context, double t, const double* y, double* dy)
{
  const study_rounds* o = context;
  study_linear* l = o->l;
  engine* e = l->e;
  const int n = e->n, N = 2 * n, wide = N + 1;
  engine_state(e, t, y, y + n);
  if (study_linear_rates(l)) return 1;
  memcpy(dy, y + n, sizeof(double) * (size_t)n);
  memcpy(dy + n, e->a, sizeof(double) * (size_t)n);
  const double *X = y + N, *J = l->J + n * N;
  double* dX = dy + N;
  memcpy(dX, X + n * wide, sizeof(double) * (size_t)(n * wide));
  for (int i = 0; i < n; i++)
    for (int k = 0; k < wide; k++) {
      double sum = k == N ? l->Jp[i] : 0;
      for (int j = 0; j < N; j++) sum += J[i * N + j] * X[j * wide + k];
      dX[(n + i) * wide + k] = sum;
    }
  return 0;
}

bool study_rounds_put(const study_rounds* o, const double* u)
{
  return o->l->param < 0 || engine_given_move(o->l->e, o->l->param, u[2 * o->l->n + 1]);
}

// the speed at the end of the flight
static bool take_speed(study_rounds* o, const double* u)
{
  engine* e = o->l->e;
  const int n = e->n;
  engine_state(e, o->t + u[2 * n], o->y, o->y + n);
  e->factored = false;
  if (contact_accelerations(e)) return false;
  memcpy(o->end, e->v, sizeof(double) * (size_t)n);
  memcpy(o->end + n, e->a, sizeof(double) * (size_t)n);
  return true;
}

static bool fly_by_runs(study_rounds* o, const double* u)
{
  return o->run(o->hybrid, u, o->y, o->end);
}

static bool fly_on_mesh(study_rounds* o, const double* u)
{
  if (!o->mesh) o->mesh = study_mesh_new(o->l, o->tolerance);
  return study_mesh_fly(o->mesh, o->t, u, o->y) && take_speed(o, u);
}

static bool fly_by_steps(study_rounds* o, const double* u)
{
  const int N = 2 * o->l->n, wide = N + 1, size = N * (1 + wide);
  const step_method* method = &step_method_dop853;
  memcpy(o->y, u, sizeof(double) * (size_t)N);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < wide; k++) o->y[N + i * wide + k] = i == k;
  if (!o->stepper) {
    o->ode = (step_ode){.n = size, .rhs = rhs, .context = o, .rel_tol = tolerance};
    double* abs_tol = base_arena_take(o->arena, sizeof(double) * (size_t)(size + 1));
    for (int i = 0; i < size; i++) abs_tol[i] = tolerance;
    o->ode.abs_tol = abs_tol;
    o->stepper = method->create(method, &o->ode);
  }
  const step_way way = {.most_steps = most_steps, .context = o};
  if (step_carry(o->stepper, o->t, o->y, o->t + u[N], &way) != STEP_OK) return false;
  memcpy(o->y, o->stepper->y, sizeof(double) * (size_t)size);
  return take_speed(o, u);
}

bool study_rounds_steps(study_rounds* o, const double* u)
{
  o->flown = false;
  if (!(u[2 * o->l->n] > 0) || !study_rounds_put(o, u)) return false;
  return o->hybrid ? fly_by_runs(o, u) : fly_by_steps(o, u);
}

typedef struct study_flier
{
  bool hybrid; // for motions that are not smooth
  bool (*fly)(study_rounds* o, const double* u);
  bool lifted; // what it says is linear in what is left to close
} study_flier;

static const study_flier fliers[] = {
    {.hybrid = true, .fly = fly_by_runs},
    {.fly = fly_on_mesh, .lifted = true},
    {.fly = fly_by_steps},
};

bool study_rounds_fly(study_rounds* o, const double* u)
{
  const int N = 2 * o->l->n;
  if (o->flown && !memcmp(u, o->u, sizeof(double) * (size_t)(N + 2))) {
    if (o->mesh) o->mesh->settle = false;
    return true;
  }
  o->flown = false;
  if (!(u[N] > 0) || !study_rounds_put(o, u)) return false;
  // one by one along each direction and the param, by differences of the sixth order
  o->work += o->rounds * (o->hybrid ? 6.0 * (N + 1) : 1);
  memcpy(o->u, u, sizeof(double) * (size_t)(N + 2));
  for (size_t k = 0; k < sizeof fliers / sizeof *fliers && !o->flown; k++) {
    if (fliers[k].hybrid != (o->hybrid != NULL)) continue;
    o->flier = &fliers[k];
    o->flown = fliers[k].fly(o, u);
    // next to a motion that is known there is none: others would only take longer to find that
    if (fliers[k].lifted && study_mesh_knows(o->mesh)) break;
  }
  return o->flown;
}

bool study_rounds_whole(study_rounds* o, const double* u)
{
  for (int turn = 0; turn < most_turns; turn++) {
    if (!study_rounds_fly(o, u)) return false;
    if (!o->flier->lifted) return true;
    if (study_mesh_off(o->mesh) < whole) {
      study_mesh_keep(o->mesh);
      return true;
    }
    o->flown = false;
  }
  return false;
}

bool study_rounds_on_mesh(const study_rounds* o)
{
  return o->flown && o->flier->lifted;
}
