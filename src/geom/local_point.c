// A random point near the given one, on the position constraints, and a basis of velocities there.
#include "geom/local.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double weak = 1e-9;  // rows of constraints that depend on each other, relative
static const double flat = 1e-11; // lengths in T, relative, of velocities that have no energy
static const double fade[] = {0.4, 0.15, 0.05, 0.01}; // how far from the given point

enum { TRIES = 4 * sizeof fade / sizeof *fade };

// ---- what suits ---------------------------------------------------------------------------------

static bool holds_any(const mech_system* s, int count, const expr* e, int n, const expr* symbols)
{
  for (int i = 0; i < count; i++)
    if (e[i] != EXPR_NONE && expr_has_any(s->pool, e[i], n, symbols)) return true;
  return false;
}

static bool holds(const mech_system* s, int k)
{
  return model_constraint_starts(s->model, k) && model_constraint_binds(s->model, k);
}

static const char* constraint_unsuited(const mech_system* s, int k)
{
  const model_constraint* c = &s->model->constraint[k];
  if (!holds(s, k)) return NULL;
  if (!s->role[k].ideal) return "a constraint is held by a control";
  if (c->order == 2) return "a constraint holds accelerations";
  if (c->order == 1 && !c->linear) return "a constraint is not linear in the velocities";
  if (holds_any(s, 1, &c->f, 1, &s->model->t)) return "a constraint depends on time";
  if (c->order == 1) {
    const expr rest = expr_substitute(s->pool, c->f, s->n, s->v, s->zero);
    if (expr_is_zero(s->pool, rest) == EXPR_NO) return "a constraint moves by itself";
  }
  return NULL;
}

const char* geom_local_unsuited(const mech_system* s)
{
  const model* m = s->model;
  if (s->n > GEOM_MOST || !mech_mass(s)) return "there are too many coordinates";
  if (m->places < m->coords) return "it has states of first order";
  if (m->meetings) return "it has contacts between shapes";
  const int n = s->n;
  if (holds_any(s, n * n, mech_mass(s), 1, &m->t) || holds_any(s, n, s->F, 1, &m->t))
    return "its masses or forces depend on time";
  if (holds_any(s, n, s->F, s->m, m->reaction)) return "its forces depend on reactions";
  const char* why = NULL;
  for (int k = 0; k < s->m && !why; k++) why = constraint_unsuited(s, k);
  return why;
}

// ---- the point ----------------------------------------------------------------------------------

// the same points on every machine: a linear congruential sequence
static double uniform(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

// position constraints and their slopes, for Newton
typedef struct level
{
  geom_anchor* a;
  int m;
  expr* e;
  double* out;
} level;

static int equations(void* context, const double* x, double* F, double* J)
{
  level* l = context;
  geom_anchor* a = l->a;
  const int n = a->s->n, count = l->m * (1 + n);
  for (int i = 0; i < n; i++) a->value[a->place[i]] = x[i];
  expr_values(a->s->pool, count, l->e, a->symbols, a->symbol, a->value, l->out);
  for (int i = 0; i < count; i++)
    if (!isfinite(l->out[i])) return 1;
  memcpy(F, l->out, sizeof(double) * (size_t)l->m);
  if (J) memcpy(J, l->out + l->m, sizeof(double) * (size_t)(l->m * n));
  return 0;
}

static level level_make(geom_anchor* a)
{
  const mech_system* s = a->s;
  level l = {.a = a};
  const size_t room = (size_t)(s->m * (1 + s->n) + 1);
  l.e = base_arena_take(a->arena, sizeof(expr) * room);
  l.out = base_arena_take(a->arena, sizeof(double) * room);
  for (int k = 0; k < s->m; k++)
    if (holds(s, k) && s->f0[k] != EXPR_NONE) l.e[l.m++] = s->f0[k];
  for (int k = 0; k < l.m; k++) expr_gradient(s->pool, l.e[k], s->n, s->q, l.e + l.m + k * s->n);
  return l;
}

// the point at a distance; false where it cannot be had
static bool throw_point(level* l, const double* start, double distance, uint64_t* seed)
{
  geom_anchor* a = l->a;
  const int n = a->s->n;
  double* x = base_alloc(sizeof(double) * (size_t)(n + 1));
  for (int i = 0; i < n; i++) {
    const double q = start[a->place[i]];
    x[i] = q + distance * (1 + fabs(q)) * uniform(seed);
    a->value[a->place[i]] = x[i];
  }
  bool fine = true;
  if (l->m > 0) fine = num_newton(l->m, n, equations, l, NULL, NULL, 1e-13, 60, x).solved;
  for (int i = 0; i < n; i++) a->value[a->place[i]] = x[i];
  if (l->m > 0) fine = fine && equations(l, x, l->out, NULL) == 0;
  free(x);
  return fine;
}

// ---- velocities ---------------------------------------------------------------------------------

static double along(int n, const double* M, const double* x, const double* y)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += x[i] * M[i * n + j] * y[j];
  return sum;
}

// The columns of `from` (coords by count) made orthonormal in M behind the `done` columns of E, the
// one with most left first; false where one has no length.
static bool orthonormal(geom_anchor* a, const double* M, int count, const double* from, int done,
                        int want)
{
  const int C = a->s->n;
  double *x = base_alloc(sizeof(double) * (size_t)(C * (count + 1) + 1)), largest = 0;
  for (int k = 0; k < count; k++)
    for (int i = 0; i < C; i++) x[k * C + i] = from[i * count + k];
  for (int k = 0; k < count; k++) largest = fmax(largest, along(C, M, x + k * C, x + k * C));
  bool fine = true;
  for (; done < want && fine; done++) {
    double most = 0;
    int best = -1;
    for (int k = 0; k < count; k++) {
      double* y = x + k * C;
      for (int pass = 0; pass < 2; pass++)
        for (int h = 0; h < done; h++) {
          double column[GEOM_MOST];
          for (int i = 0; i < C; i++) column[i] = a->E[i * a->n + h];
          const double sum = along(C, M, column, y);
          for (int i = 0; i < C; i++) y[i] -= sum * column[i];
        }
      const double square = along(C, M, y, y);
      if (square > most) {
        most = square;
        best = k;
      }
    }
    fine = best >= 0 && most > flat * largest;
    for (int i = 0; i < C && fine; i++) a->E[i * a->n + done] = x[best * C + i] / sqrt(most);
  }
  free(x);
  return fine;
}

// M of all coordinates, and where T does not know some directions of positions a little more
static bool make_basis(geom_anchor* a, const double* admissible, const double* positions,
                       const char** why)
{
  const int C = a->s->n;
  double *M = base_alloc(sizeof(double) * (size_t)(C * C + 1)), trace = 0;
  expr_values(a->s->pool, C * C, mech_mass(a->s), a->symbols, a->symbol, a->value, M);
  a->E = base_arena_take(a->arena, sizeof(double) * (size_t)(C * a->n + 1));
  bool fine = orthonormal(a, M, a->l, admissible, 0, a->l);
  if (!fine) *why = "the kinetic energy is not positive";
  if (fine && !orthonormal(a, M, a->n, positions, a->l, a->n)) {
    for (int i = 0; i < C; i++) trace += fabs(M[i * C + i]);
    for (int i = 0; i < C; i++) M[i * C + i] += trace > 0 ? trace / C : 1;
    fine = orthonormal(a, M, a->n, positions, a->l, a->n);
    if (!fine) *why = "the kinetic energy is not positive";
  }
  free(M);
  return fine;
}

static double* numbers(const geom_anchor* a, int count)
{
  return base_arena_take(a->arena, sizeof(double) * (size_t)(count + 1));
}

// independent constraints of positions, and what they leave of the velocities: Z, coords by n
static void make_positions(geom_anchor* a, const level* l, num_null* f, double* Z)
{
  const int C = a->s->n;
  double* rows = numbers(a, (l->m + 1) * C);
  expr_values(a->s->pool, l->m * C, l->e + l->m, a->symbols, a->symbol, a->value, rows);
  a->positions = l->m ? num_null_factor(f, l->m, C, rows, weak) : 0;
  a->n = C - a->positions;
  for (int i = 0; i < C && !l->m; i++) Z[i * C + i] = 1;
  if (l->m && a->n > 0) num_null_basis(f, Z);
  a->position = base_arena_take(a->arena, sizeof(expr) * (size_t)(l->m + 1));
  a->normal = numbers(a, C * (l->m + 1));
  for (int k = 0; k < a->positions; k++) {
    const int from = num_null_order(f)[k];
    a->position[k] = l->e[from];
    for (int i = 0; i < C; i++) a->normal[i * a->positions + k] = rows[from * C + i];
  }
}

// forms of velocities that are independent on what positions leave; false where they have no value
static bool make_speeds(geom_anchor* a, num_null* f, const double* Z)
{
  const mech_system* s = a->s;
  const int C = s->n, room = (s->m + 1) * C;
  expr* w = base_arena_take(a->arena, sizeof(expr) * (size_t)room);
  double *rows = numbers(a, room), *on = numbers(a, room);
  int forms = 0;
  for (int k = 0; k < s->m; k++)
    if (holds(s, k) && s->f0[k] == EXPR_NONE)
      memcpy(w + forms++ * C, s->A + k * C, sizeof(expr) * (size_t)C);
  expr_values(s->pool, forms * C, w, a->symbols, a->symbol, a->value, rows);
  bool finite = true;
  for (int k = 0; k < forms; k++)
    for (int i = 0; i < C; i++) {
      finite = finite && isfinite(rows[k * C + i]);
      for (int j = 0; j < a->n; j++) on[k * a->n + j] += rows[k * C + i] * Z[i * a->n + j];
    }
  a->speeds = forms && finite && a->n > 0 ? num_null_factor(f, forms, a->n, on, weak) : 0;
  a->l = a->n - a->speeds;
  a->speed = base_arena_take(a->arena, sizeof(expr) * (size_t)room);
  for (int k = 0; k < a->speeds; k++)
    memcpy(a->speed + k * C, w + num_null_order(f)[k] * C, sizeof(expr) * (size_t)C);
  return finite;
}

// what all constraints leave, coords by l
static double* make_admissible(const geom_anchor* a, const num_null* f, const double* Z)
{
  const int C = a->s->n;
  double *N = numbers(a, C * C), *D = numbers(a, C * C);
  for (int i = 0; i < a->n && !a->speeds; i++) N[i * a->n + i] = 1;
  if (a->speeds && a->l > 0) num_null_basis(f, N);
  for (int i = 0; i < C; i++)
    for (int k = 0; k < a->l; k++)
      for (int j = 0; j < a->n; j++) D[i * a->l + k] += Z[i * a->n + j] * N[j * a->l + k];
  return D;
}

static bool make_rows(geom_anchor* a, const level* l, const char** why)
{
  const int C = a->s->n;
  double* Z = numbers(a, C * C);
  num_null* f = num_null_new(a->s->m + 1, C);
  make_positions(a, l, f, Z);
  const bool finite = make_speeds(a, f, Z);
  const double* D = make_admissible(a, f, Z);
  num_null_free(f);
  if (!finite) *why = "its constraints have no value near this state";
  if (finite && a->l == 0) *why = "nothing is left to move";
  return finite && a->l > 0 && make_basis(a, D, Z, why);
}

bool geom_anchor_find(const mech_system* s, int symbols, const expr* symbol, const double* value,
                      int number, base_arena* arena, geom_anchor* a, const char** why)
{
  *a = (geom_anchor){.arena = arena, .s = s, .symbols = symbols};
  a->symbol = base_arena_take(arena, sizeof(expr) * (size_t)(symbols + 1));
  a->value = base_arena_take(arena, sizeof(double) * (size_t)(symbols + 1));
  a->place = base_arena_take(arena, sizeof(int) * (size_t)(s->n + 1));
  memcpy(a->symbol, symbol, sizeof(expr) * (size_t)symbols);
  memcpy(a->value, value, sizeof(double) * (size_t)symbols);
  for (int i = 0; i < s->n; i++)
    while (symbol[a->place[i]] != s->q[i]) a->place[i]++;
  level l = level_make(a);
  uint64_t seed = 20180607u + 7919u * (uint64_t)number;
  *why = "no point near this state lies on its constraints";
  for (int i = 0; i < (int)TRIES; i++)
    if (throw_point(&l, value, fade[i / 4], &seed) && make_rows(a, &l, why)) return true;
  return false;
}
