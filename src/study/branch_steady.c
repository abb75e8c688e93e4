// Branches of steady motions: equations with one solution for each value of the param.
//
// Steady motions come in families. Along a branch one member of each is followed: shifts along the
// group are told by
//   eta_k(q0) . (q - q0) = 0,
// then exact initial equations that hold at the first motion (a speed that is given), in their
// order, then a speed of the group or a coordinate that stays as it is. No more are taken than the
// family has dimensions, each only where it tells members apart.
#include "study/branch.h"
#include "study/hopf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_turns = 10 };
static const double agreed = 1e-7;   // coefficients of normal forms, by different widths
static const double nothing = 1e-13; // the same that are zero
static const double tells = 1e-7;    // what a condition has to see of a direction
static const double holds = 1e-8;    // initial equations at the first motion
static const double vanished = 1e-9; // pivots of the conditions of a family
static const double solved = 1e-10;  // last step to a motion that is looked at in passing
static const double moves = 1e-9;    // speeds of coordinates that are not ignorable

static double* doubles(base_arena* a, int count)
{
  return base_arena_take(a, sizeof(double) * (size_t)(count + 1));
}

int study_ways_rows(const study_ways* w)
{
  return w->c.rows + w->pins;
}

static bool is_seen(const study_ways* w, const double* u)
{
  return w->seen && !memcmp(w->seen_u, u, sizeof(double) * (size_t)w->c.wide);
}

static void keep_seen(study_ways* w, const double* u, const double* F, const double* J)
{
  const size_t rows = (size_t)study_ways_rows(w), wide = (size_t)w->c.wide;
  memcpy(w->seen_u, u, sizeof(double) * wide);
  memcpy(w->seen_F, F, sizeof(double) * rows);
  memcpy(w->seen_J, J, sizeof(double) * rows * wide);
  w->seen = w->stands = true;
}

int study_ways_at(void* context, const double* u, double* F, double* J)
{
  study_ways* w = context;
  const int wide = w->c.wide, rows = w->c.rows;
  if (J && is_seen(w, u)) {
    memcpy(F, w->seen_F, sizeof(double) * (size_t)study_ways_rows(w));
    memcpy(J, w->seen_J, sizeof(double) * (size_t)(study_ways_rows(w) * wide));
    return 0;
  }
  w->seen = w->stands = false;
  if (study_carried_at(&w->c, u, F, J)) return 1;
  for (int k = 0; k < w->pins; k++) {
    F[rows + k] = -w->pinned[k];
    for (int j = 0; j < wide; j++) F[rows + k] += w->pin[k * wide + j] * u[j];
  }
  if (J) memcpy(J + rows * wide, w->pin, sizeof(double) * (size_t)(w->pins * wide));
  if (J) keep_seen(w, u, F, J);
  return 0;
}

// The engine and its linear system are put where u is; false where that is nowhere. Who moves them
// from there says so by `stands`.
static bool stand(study_ways* w, const double* u)
{
  if (is_seen(w, u) && w->stands) return true;
  double* F = base_alloc(sizeof(double) * (size_t)(study_ways_rows(w) + 1));
  const int bad = study_ways_at(w, u, F, NULL);
  free(F);
  return !bad;
}

// ---- one of each family -------------------------------------------------------------------------

// directions that no condition sees yet: wide by z
typedef struct left
{
  int wide, z;
  double* Z;
} left;

// does the row see one of them? then that one is gone
static bool sees(left* f, const double* row)
{
  double size = 0, norm = 0, *r = base_alloc(sizeof(double) * (size_t)(f->z + 1));
  for (int j = 0; j < f->wide; j++) norm = fmax(norm, fabs(row[j]));
  int most = 0;
  for (int k = 0; k < f->z; k++) {
    for (int j = 0; j < f->wide; j++) r[k] += row[j] * f->Z[j * f->z + k];
    size += r[k] * r[k];
    if (fabs(r[k]) > fabs(r[most])) most = k;
  }
  const bool seen = f->z > 1 && sqrt(size) > tells * norm;
  if (seen) {
    // the others without what the row sees of them; then made orthonormal again
    const int z = f->z;
    double* Z = base_alloc(sizeof(double) * (size_t)(f->wide * z));
    int at = 0;
    for (int k = 0; k < z; k++) {
      if (k == most) continue;
      for (int j = 0; j < f->wide; j++)
        Z[j * (z - 1) + at] = f->Z[j * z + k] - r[k] / r[most] * f->Z[j * z + most];
      for (int h = 0; h <= at; h++) {
        double sum = 0;
        for (int j = 0; j < f->wide; j++) sum += Z[j * (z - 1) + h] * Z[j * (z - 1) + at];
        for (int j = 0; j < f->wide; j++)
          if (h < at)
            Z[j * (z - 1) + at] -= sum * Z[j * (z - 1) + h];
          else
            Z[j * (z - 1) + at] /= sqrt(sum);
      }
      at++;
    }
    f->z = z - 1;
    memcpy(f->Z, Z, sizeof(double) * (size_t)(f->wide * f->z));
    free(Z);
  }
  free(r);
  return seen;
}

static void add_pin(study_ways* w, left* f, const double* row, const double* u)
{
  const int wide = w->c.wide;
  if (!sees(f, row)) return;
  memcpy(w->pin + w->pins * wide, row, sizeof(double) * (size_t)wide);
  for (int j = 0; j < wide; j++) w->pinned[w->pins] += row[j] * u[j];
  w->pins++;
}

// A place that shifts along the group change tells where the motion is, not which one it is.
static bool is_of_shifts(const study_ways* w, const double* u, const double* row)
{
  const int n = w->s.n;
  double *eta = base_alloc(sizeof(double) * (size_t)(n + 1)), most = 0, norm = 0;
  for (int j = 0; j < w->c.wide; j++) norm = fmax(norm, fabs(row[j]));
  for (int k = 0; k < w->s.count; k++) {
    double along = 0, size = 0;
    memset(eta, 0, sizeof(double) * (size_t)n);
    study_symmetry_apply(n, w->s.C + k * n * n, w->s.c + k * n, u, eta);
    for (int i = 0; i < n; i++) {
      along += row[i] * eta[i];
      size = fmax(size, fabs(eta[i]));
    }
    if (size > 0) most = fmax(most, fabs(along) / size);
  }
  free(eta);
  return most > tells * norm;
}

// Exact initial equations that hold here, those on speeds first, as far as they tell members of the
// family apart
static void keep_initial(study_ways* w, left* f, int count, const model_initial* initial,
                         const double* u)
{
  study_linear* l = w->l;
  engine* e = l->e;
  BASE_LIST(expr) list = {0};
  const int wide = w->c.wide;
  double *F = doubles(w->arena, w->c.rows + count),
         *J = doubles(w->arena, (w->c.rows + count) * wide);
  for (int speeds = 1; speeds >= 0; speeds--)
    for (int i = 0; i < count && f->z > 1; i++) {
      const bool fast = expr_has_any(e->s->pool, initial[i].f, e->n, e->s->v);
      if (initial[i].guess || initial[i].coord == MODEL_TIME || fast != (speeds == 1)) continue;
      study_carried_keep(&w->c, 1, &initial[i].f);
      if (!w->c.kept.count || study_carried_at(&w->c, u, F, J)) continue;
      const int row = w->c.rows - 1;
      if (!(fabs(F[row]) < holds) || (!fast && is_of_shifts(w, u, J + row * wide))) continue;
      if (sees(f, J + row * wide)) base_push(&list, initial[i].f);
    }
  study_carried_keep(&w->c, list.n, list.at);
  base_list_free(&list);
}

// The conditions at the steady motion next to u for a value of the param a little aside; false
// where none is found.
static bool look_aside(study_ways* w, const double* u, double aside, double* F, double* J)
{
  const int wide = w->c.wide, rows = w->c.rows;
  double *v = base_alloc(sizeof(double) * (size_t)(2 * wide + 1)), *y = v + wide, size = 1;
  num_null* f = num_null_new(rows + 1, wide);
  memcpy(v, u, sizeof(double) * (size_t)wide);
  v[wide - 1] += aside;
  bool found = false, fine = true;
  for (int turn = 0; turn < most_turns && fine && !found; turn++) {
    if (!(fine = !study_carried_at(&w->c, v, F, J))) break;
    F[rows] = 0;
    for (int j = 0; j < wide; j++) J[rows * wide + j] = j == wide - 1;
    for (int i = 0; i < rows; i++) F[i] = -F[i];
    num_null_factor(f, rows + 1, wide, J, vanished);
    num_null_solve(f, J, F, y);
    double step = 0;
    for (int j = 0; j < wide; j++) {
      v[j] += y[j];
      size = fmax(size, fabs(v[j]));
      step = fmax(step, fabs(y[j]));
    }
    found = step < solved * size;
  }
  num_null_free(f);
  free(v);
  return found;
}

// What no condition sees at u: wide by as many as are returned. A motion at which branches cross is
// one of no family along the other branch: next to it the conditions see that.
static int find_family(study_ways* w, const double* u, double aside, double* Z)
{
  const int wide = w->c.wide, rows = w->c.rows;
  double *F = doubles(w->arena, rows + 1), *J = doubles(w->arena, (rows + 1) * wide);
  if (study_carried_at(&w->c, u, F, J)) return 0;
  int z = study_steady_null(wide, rows, J, 0, vanished, Z);
  if (z < 2) return z;
  double* other = doubles(w->arena, wide * wide);
  if (look_aside(w, u, aside, F, J) || look_aside(w, u, -aside, F, J)) {
    const int fewer = study_steady_null(wide, rows, J, 0, vanished, other);
    if (fewer < z) memcpy(Z, other, sizeof(double) * (size_t)(wide * (z = fewer)));
  }
  study_carried_at(&w->c, u, F, J);
  return z;
}

static void pick(study_ways* w, int count, const model_initial* initial, double aside, double* u)
{
  const int n = w->s.n, g = w->s.count, wide = w->c.wide;
  double* row = doubles(w->arena, wide);
  left f = {.wide = wide, .Z = doubles(w->arena, wide * wide)};
  f.z = find_family(w, u, aside, f.Z);
  if (!f.z) return;
  for (int k = 0; k < g; k++) {
    memset(row, 0, sizeof(double) * (size_t)wide);
    study_symmetry_apply(n, w->s.C + k * n * n, w->s.c + k * n, u, row);
    add_pin(w, &f, row, u);
  }
  keep_initial(w, &f, count, initial, u);
  for (int turn = 0; turn < 2; turn++)
    for (int j = turn ? 0 : n; j < (turn ? n : n + g); j++) {
      memset(row, 0, sizeof(double) * (size_t)wide);
      row[j] = 1;
      add_pin(w, &f, row, u);
    }
}

study_ways* study_ways_new(study_linear* l, const bool* ignorable, int count,
                           const model_initial* initial, double value, double aside,
                           base_arena* arena, double* u)
{
  engine* e = l->e;
  const int n = e->n;
  study_ways* w = base_arena_take(arena, sizeof *w);
  *w = (study_ways){.l = l, .arena = arena, .ignorable = ignorable};
  w->shifts = study_symmetry_shifts(n, ignorable, arena);
  w->s = study_symmetry_find(l, 0, arena);
  if (w->s.count < w->shifts.count) w->s = w->shifts;
  w->c = study_carried_new(l, &w->s, true, arena);
  w->family.F = doubles(arena, 4 * n * n);
  w->pin = doubles(arena, w->c.wide * w->c.wide);
  w->pinned = doubles(arena, w->c.wide);
  memcpy(u, e->q, sizeof(double) * (size_t)n);
  study_relative_speed(&w->s, e->q, e->v, u + n);
  study_relative_calm(l, &w->s, u + n);
  u[w->c.wide - 1] = value;
  pick(w, count, initial, aside, u);
  const int rows = study_ways_rows(w);
  w->seen_u = doubles(arena, w->c.wide);
  w->seen_F = doubles(arena, rows);
  w->seen_J = doubles(arena, rows * w->c.wide);
  return w;
}

void study_ways_free(study_ways* w)
{
  if (w) study_kept_free(&w->c.kept);
}

// ---- one motion ---------------------------------------------------------------------------------

static bool turns(const study_ways* w)
{
  const engine* e = w->l->e;
  double fast = 0, most = 0;
  for (int i = 0; i < e->n; i++) {
    fast = fmax(fast, fabs(e->v[i]));
    if (!w->ignorable[i]) most = fmax(most, fabs(e->v[i]));
  }
  return most > moves * (1 + fast);
}

// is there anything whose side is found at each state?
static bool has_sides(const engine* e)
{
  return e->parts || e->program->modes.count || e->mode.curved || e->mode.coupled;
}

static bool sides_stay(engine* e)
{
  const int count = e->program->modes.count;
  double* before = base_alloc(sizeof(double) * (size_t)(count + 1));
  memcpy(before, e->side, sizeof(double) * (size_t)count);
  bool stay = !contact_sides(e);
  for (int i = 0; i < count; i++) stay = stay && e->side[i] == before[i];
  free(before);
  return stay;
}

study_stability* study_ways_look(void* context, const double* u)
{
  study_ways* w = context;
  study_linear* l = w->l;
  engine* e = l->e;
  const int n = e->n;
  if (!stand(w, u)) return NULL;
  bool stands = !has_sides(e);
  if (!stands && !sides_stay(e)) {
    w->seen = false;
    return NULL;
  }
  const bool turning = turns(w);
  // speeds that are rounding would turn the directions of the family
  for (int i = 0; i < n && !turning; i++) {
    if (w->ignorable[i] || e->v[i] == 0) continue;
    e->v[i] = 0;
    stands = false;
  }
  w->stands = false;
  if (!stands) e->factored = false;
  if (!stands && study_linear_at(l)) return NULL;
  base_notes* quiet = base_notes_new();
  study_stability* r = study_stability_new(e);
  memcpy(r->ignorable, w->ignorable, (size_t)n);
  study_stability_keep(e, r);
  study_carrier c = {.s = w->shifts,
                     .relative = turning,
                     .care = w->brief ? STUDY_CARE_EIGENVALUES : STUDY_CARE_VERDICT};
  if (c.relative) {
    c.s = w->s;
    c.xi = doubles(r->arena, c.s.count);
    memcpy(c.xi, u + n, sizeof(double) * (size_t)c.s.count);
    study_relative_calm(l, &c.s, c.xi);
    r->C = doubles(r->arena, n * n);
    r->c = doubles(r->arena, n);
    study_symmetry_sum(&c.s, c.xi, 0, r->C, r->c);
  }
  const bool fine = study_stability_is_smooth(e, quiet) && !(turning && study_linear_at(l)) &&
                    study_spectrum(l, &c, &w->family, r, quiet);
  base_notes_free(quiet);
  if (fine) return r;
  study_stability_free(r);
  return NULL;
}

void study_ways_brief(void* context, bool on)
{
  ((study_ways*)context)->brief = on;
}

void study_ways_plain(void* context, bool on)
{
  ((study_ways*)context)->c.plain = on;
}

void study_ways_second(void* context, double value)
{
  study_ways* w = context;
  w->seen = false;
  engine_given_move(w->l->e, w->second, value);
  w->l->e->factored = false;
}

// the family that the next motion's is to be nearest to
void* study_ways_mark(void* context)
{
  const study_ways* w = context;
  const size_t size = sizeof(double) * (size_t)(4 * w->l->n * w->l->n);
  study_family* mark = base_alloc(sizeof *mark + size);
  *mark = w->family;
  memcpy(mark + 1, w->family.F, size);
  return mark;
}

void study_ways_recall(void* context, void* mark)
{
  study_ways* w = context;
  const study_family* before = mark;
  memcpy(w->family.F, before + 1, sizeof(double) * (size_t)(4 * w->l->n * w->l->n));
  w->family = (study_family){before->known, before->relative, before->f, w->family.F};
  free(mark);
}

double study_ways_normal(void* context, const double* u, double im)
{
  study_ways* w = context;
  if (!stand(w, u) || turns(w)) return NAN;
  w->stands = false;
  base_arena* arena = base_arena_new();
  double error = 0;
  const double value = im > 0 ? study_hopf_coefficient(w->l, w->ignorable, im, arena, &error)
                              : study_fold_coefficient(w->l, w->ignorable, arena, &error);
  base_arena_free(arena);
  if (!(error <= agreed * (1 + fabs(value)))) return NAN;
  // what differences of three widths do not tell from nothing is nothing
  return fabs(value) > fmax(nothing, 10 * error) ? value : 0;
}

// the squares of 2 q, where the cycle is 2 z Re(q exp(i w t)) but for smaller terms
bool study_ways_shape(void* context, const double* u, double im, double* square)
{
  study_ways* w = context;
  if (!stand(w, u) || turns(w)) return false;
  w->stands = false;
  const int n = w->l->n;
  base_arena* arena = base_arena_new();
  double* shape = doubles(arena, 4 * n);
  const bool fine = study_hopf_shape(w->l, w->ignorable, im, arena, shape);
  for (int j = 0; j < n && fine; j++)
    square[j] = 4 * (shape[j] * shape[j] + shape[2 * n + j] * shape[2 * n + j]);
  base_arena_free(arena);
  return fine;
}

bool study_ways_takens(void* context, const double* u, double form[2])
{
  study_ways* w = context;
  if (!stand(w, u) || turns(w)) return false;
  w->stands = false;
  base_arena* arena = base_arena_new();
  double error = 0;
  const bool fine = study_takens_coefficients(w->l, w->ignorable, arena, form, &error);
  base_arena_free(arena);
  for (int k = 0; k < 2 && fine; k++)
    if (!(fabs(form[k]) > fmax(nothing, 10 * error))) form[k] = 0;
  return fine && error <= agreed * (1 + fabs(form[0]) + fabs(form[1]));
}
