// Symmetries as formulas: fields X that keep kinetic energy, potential and constraints.
#include "geom/closed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPARE = 30, MOST_UNKNOWN = 420 };

// Where nothing is held but positions and all forces have a potential, the fields are those of the
// linear integrals (Noether). Else they are found as they are: with X' = dX/dq v
//   X dT/dq + X' dT/dv = 0 for all v,  X dV/dq = 0,  X df/dq = 0 for constraints of positions,
//   X d(a v)/dq + a X' = 0 for forms a(q) v and v that satisfy them.
// The momentum of such a field has the rate Lambda_k (a_k X), which does not vanish where X is not
// admissible (the momentum equation; Bloch, Krishnaprasad, Marsden, Murray 1996).

static void take_noether(geom_search* w)
{
  geom_structure* r = w->r;
  r->closed_symmetries = r->closed_linear;
  r->symmetry = base_arena_take(r->arena, sizeof *r->symmetry * (size_t)(r->closed_linear + 1));
  for (int i = 0; i < r->closed_linear; i++) {
    r->symmetry[i] = r->linear_of[i];
    r->symmetry[i].value = geom_closed_momentum(w, r->linear_of[i].field);
  }
}

typedef struct rows
{
  int columns, count;
  double* A;
} rows;

static double* next(rows* x)
{
  return x->A + x->columns * x->count++;
}

// columns: f_j d/dq_i at j * n + i
static void energies(const geom_search* w, const geom_state* y, rows* out)
{
  const int n = w->s->n, L = w->basis.count;
  double* T = next(out);
  for (int j = 0; j < L; j++)
    for (int i = 0; i < n; i++) T[j * n + i] = y->f[j] * y->Tq[i] + y->df[j] * y->p[i];
  double* V = next(out);
  for (int j = 0; j < L; j++)
    for (int i = 0; i < n; i++) V[j * n + i] = y->f[j] * y->Vq[i];
  for (int k = 0; k < y->positions; k++) {
    double* X = next(out);
    for (int j = 0; j < L; j++)
      for (int i = 0; i < n; i++) X[j * n + i] = y->f[j] * y->x[k * n + i];
  }
}

static void forms(const geom_search* w, const geom_state* y, rows* out)
{
  const int n = w->s->n, L = w->basis.count;
  for (int k = 0; k < y->speeds; k++) {
    double* X = next(out);
    for (int j = 0; j < L; j++)
      for (int i = 0; i < n; i++)
        X[j * n + i] = y->f[j] * y->wq[k * n + i] + y->df[j] * y->w[k * n + i];
  }
}

// the rate of X.p: what reactions of velocity constraints do to it
static expr momentum_rate(const geom_search* w, const expr* X)
{
  const mech_system* s = w->s;
  expr_pool* p = s->pool;
  expr sum = expr_int(p, 0);
  for (int k = 0; k < s->m; k++) {
    if (s->f0[k] != EXPR_NONE) continue;
    expr along = expr_int(p, 0);
    for (int i = 0; i < s->n; i++)
      along = expr_add(p, along, expr_mul(p, s->A[k * s->n + i], X[i]));
    along = geom_closed_tidy(p, along);
    if (expr_is_zero(p, along) != EXPR_YES)
      sum = expr_add(p, sum, expr_mul(p, s->model->reaction[k], along));
  }
  return sum == expr_int(p, 0) ? EXPR_NONE : sum;
}

static void take_field(geom_search* w, const double* c, geom_closed* out)
{
  expr_pool* p = w->s->pool;
  const int n = w->s->n;
  out->field = base_arena_take(w->r->arena, sizeof(expr) * (size_t)n);
  for (int i = 0; i < n; i++) out->field[i] = expr_int(p, 0);
  for (int j = 0; j < w->basis.count; j++)
    for (int i = 0; i < n; i++)
      if (c[j * n + i] != 0)
        out->field[i] = expr_add(p, out->field[i],
                                 expr_mul(p, geom_ansatz_number(p, c[j * n + i]), w->basis.f[j]));
  out->value = geom_closed_momentum(w, out->field);
  out->lost = momentum_rate(w, out->field);
}

// Fields at the states: they have to differ there
static int choose(geom_search* w, const geom_states* at, int count, const double* R, int want,
                  geom_closed* out)
{
  const int n = w->s->n, L = w->basis.count, C = L * n, S = at->count;
  int *degree = base_arena_take(w->work, sizeof(int) * (size_t)(C + 1)), found = 0;
  double* X = base_arena_take(w->work, sizeof(double) * (size_t)(S * n + 1));
  for (int j = 0; j < C; j++) degree[j] = w->basis.degree[j / n];
  const int* order = geom_closed_order(count, C, R, degree, w->work);
  geom_independent known = geom_independent_make(S * n, want + 1, w->work);
  for (int k = 0; k < count && found <= want; k++) {
    const double* c = R + order[k] * C;
    double size = 0;
    for (int h = 0; h < S; h++)
      for (int i = 0; i < n; i++) {
        X[h * n + i] = 0;
        for (int j = 0; j < L; j++) {
          const double part = c[j * n + i] * at->at[h].f[j];
          X[h * n + i] += part;
          size += part * part;
        }
      }
    if (geom_independent_take(&known, X, sqrt(size))) take_field(w, c, &out[found++]);
  }
  return found;
}

void geom_closed_symmetries(geom_search* w)
{
  geom_structure* r = w->r;
  const mech_system* s = w->s;
  const int n = s->n, L = w->basis.count, C = L * n, want = r->symmetries.dimension;
  if (want <= 0 || !r->kept) return;
  if (r->holonomic && !r->speedy && r->closed_linear == want) {
    take_noether(w);
    return;
  }
  if (r->speedy || C > MOST_UNKNOWN + n) return;
  geom_states loose, held;
  if (!geom_states_make(s, w->symbols, w->symbol, w->value, &w->basis, 0, NULL, true, C + SPARE, 77,
                        w->work, &loose) ||
      !geom_states_make(s, w->symbols, w->symbol, w->value, &w->basis, 0, NULL, false, C + SPARE,
                        78, w->work, &held))
    return;
  const int most = (C + SPARE) * (3 + 2 * s->m);
  rows x = {.columns = C};
  x.A = base_alloc(sizeof(double) * ((size_t)most * (size_t)C + (size_t)C + 1));
  double *size = x.A + (size_t)most * (size_t)C, *R;
  for (int k = 0; k < loose.count; k++) energies(w, &loose.at[k], &x);
  for (int k = 0; k < held.count; k++) forms(w, &held.at[k], &x);
  for (int k = 0; k < loose.count; k++)
    for (int j = 0; j < C; j++) size[j] += fabs(loose.at[k].f[j / n]) / loose.count;
  for (int j = 0; j < C; j++)
    if (!(size[j] > 0)) size[j] = 1;
  const int count = geom_ansatz_solve(x.count, C, x.A, size, w->work, &R);
  geom_closed* out = base_arena_take(r->arena, sizeof *out * (size_t)(want + 2));
  const int found = choose(w, &loose, count, R, want, out);
  free(x.A);
  if (found > want) return;
  r->closed_symmetries = found;
  r->symmetry = out;
}
