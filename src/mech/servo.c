// Servo (program) constraints: held by a control that acts along a direction of its own.
//
// With ideal constraints A a = c and controls u along B the motion is
//   M a = F + B u + A^T Lambda.
// A servo constraint, differentiated up to accelerations, says A_s a = c_s. With y_s from
//   M y + A^T z = A_s^T,  A y = 0
// its left side is A_s a = y.(F + B u) + z.c, so the controls follow from Gamma u = c_s - y.F - z.c
// with Gamma = y.B. Where a combination of rows of Gamma is zero, the same combination of the right
// sides must vanish: a constraint on the state alone, hidden in the servo constraints, which takes
// the place of one of them and is differentiated in its turn. This is the structure algorithm of
// Silverman (1969) applied to the equations of motion; the differentiations of the servo constraint
// until its control appears, plus one, are the index of the problem (Blajer and Kolodziejczyk
// 2004).
#include "mech/servo.h"

#include <stdlib.h>
#include <string.h>

#include "mech/linear.h"

// each chain of hidden constraints ends, at the latest, when they fix the whole state
static int longest_chain(const model* m)
{
  return 2 * m->coords;
}

static int servos(const model* m)
{
  int count = 0;
  for (int k = 0; k < m->constraints; k++) count += m->constraint[k].along != NULL;
  return count;
}

int mech_servo_room(const model* m)
{
  return m->constraints + servos(m) * longest_chain(m);
}

// ---- the controls in the accelerations of a constraint ------------------------------------------

// the equations of the present lead constraints: Gamma u = right, scaled by a common denominator
typedef struct table
{
  mech_system* s;
  base_arena* arena;
  int count;   // of servo constraints
  int* lead;   // the constraint that leads for each
  int* servo;  // the written constraint
  expr* Gamma; // count by count
  expr* right;
  int between; // an inequality along whose gradient some lead moves, -1
} table;

static bool is_known_zero(expr_pool* p, expr e)
{
  return e == expr_int(p, 0) || expr_is_zero(p, e) == EXPR_YES;
}

// forces with all controls zero
static void free_forces(const table* t, expr* F)
{
  const mech_system* s = t->s;
  expr* control = mech_take(t->arena, t->count);
  expr* zero = mech_take(t->arena, t->count);
  for (int i = 0; i < t->count; i++) {
    control[i] = s->model->reaction[t->servo[i]];
    zero[i] = s->zero[0];
  }
  for (int i = 0; i < s->n; i++) {
    expr f = expr_sub(s->pool, s->G[i], s->h[i]);
    F[i] = expr_substitute(s->pool, f, t->count, control, zero);
  }
}

// a coordinate whose mass is a number of its own: its row can be solved by dividing
static bool is_lone(const mech_system* s, int i)
{
  const int n = s->n;
  for (int j = 0; j < n; j++)
    if (j != i && s->M[i * n + j] != s->zero[0]) return false;
  const expr mass = s->M[i * n + i];
  return mass != s->zero[0] && !expr_has_any(s->pool, mass, n, s->q) &&
         !expr_has_any(s->pool, mass, n, s->v) && !expr_has(s->pool, mass, s->model->t);
}

// What M y + A^T z = A_s^T, A y = 0 leave when the rows of lone masses are solved: unknown are the
// other y and z,
//   M_r y_r + A_r^T z = A_sr^T,   A_r y_r - A_l M_l^-1 A_l^T z = -A_l M_l^-1 A_sl^T.
typedef struct reduced
{
  int ideal, rest, size;
  const int* row; // ideal constraints
  int* other;     // coordinates that are not lone
  expr *K, *B;
} reduced;

static reduced reduce(const table* t, int ideal, const int* row)
{
  const mech_system* s = t->s;
  expr_pool* p = s->pool;
  const int n = s->n, k = t->count;
  reduced r = {.ideal = ideal, .row = row};
  r.other = base_arena_take(t->arena, sizeof(int) * (size_t)(n + 1));
  for (int i = 0; i < n; i++)
    if (!is_lone(s, i)) r.other[r.rest++] = i;
  r.size = r.rest + ideal;
  r.K = mech_take(t->arena, r.size * r.size + 1);
  r.B = mech_take(t->arena, r.size * k + 1);
  for (int i = 0; i < r.size * r.size; i++) r.K[i] = s->zero[0];
  for (int i = 0; i < r.size * k; i++) r.B[i] = s->zero[0];
  for (int i = 0; i < r.rest; i++) {
    for (int j = 0; j < r.rest; j++) r.K[i * r.size + j] = s->M[r.other[i] * n + r.other[j]];
    for (int j = 0; j < ideal; j++)
      r.K[i * r.size + r.rest + j] = r.K[(r.rest + j) * r.size + i] = s->A[row[j] * n + r.other[i]];
    for (int c = 0; c < k; c++) r.B[i * k + c] = s->A[t->lead[c] * n + r.other[i]];
  }
  for (int i = 0; i < n; i++) {
    if (!is_lone(s, i)) continue;
    for (int h = 0; h < ideal; h++) {
      const expr share = expr_div(p, s->A[row[h] * n + i], s->M[i * n + i]);
      expr* K = r.K + (r.rest + h) * r.size + r.rest;
      expr* B = r.B + (r.rest + h) * k;
      for (int j = 0; j < ideal; j++)
        K[j] = expr_sub(p, K[j], expr_mul(p, share, s->A[row[j] * n + i]));
      for (int c = 0; c < k; c++)
        B[c] = expr_sub(p, B[c], expr_mul(p, share, s->A[t->lead[c] * n + i]));
    }
  }
  for (int i = 0; i < r.size * r.size; i++) r.K[i] = expr_simplify(p, r.K[i]);
  return r;
}

// (y, z) D of every lead constraint, as columns of Y; D is not zero
static bool directions(const table* t, int ideal, const int* row, expr* Y, expr* D)
{
  const mech_system* s = t->s;
  expr_pool* p = s->pool;
  const int n = s->n, k = t->count;
  const reduced r = reduce(t, ideal, row);
  expr* X = mech_take(t->arena, r.size * k + 1);
  *D = expr_int(p, 1);
  if (r.size && mech_linear_fraction(s, r.size, k, r.K, r.B, X, D) != MECH_SOLVED) {
    if (ideal) return false;
    mech_linear_positive(s, r.size, k, r.K, r.B, X);
    *D = expr_int(p, 1);
  }
  for (int c = 0; c < k; c++) {
    const expr* z = X + r.rest * k + c;
    for (int i = 0; i < r.rest; i++) Y[r.other[i] * k + c] = X[i * k + c];
    for (int h = 0; h < ideal; h++) Y[(n + h) * k + c] = z[h * k];
    for (int i = 0; i < n; i++) {
      if (!is_lone(s, i)) continue;
      expr f = expr_mul(p, *D, s->A[t->lead[c] * n + i]);
      for (int h = 0; h < ideal; h++)
        f = expr_sub(p, f, expr_mul(p, z[h * k], s->A[row[h] * n + i]));
      Y[i * k + c] = expr_div(p, f, s->M[i * n + i]);
    }
  }
  return true;
}

// an inequality, or what sticks only while it touches: the controls are sought as if it were open
static bool comes_and_goes(const mech_system* s, int k)
{
  const model_constraint* c = &s->model->constraint[k];
  return c->sense || c->sticks || c->during;
}

// the first inequality that changes something for a lead when it takes hold: A_k y is not zero
static int stands_between(const table* t, const expr* Y)
{
  const mech_system* s = t->s;
  for (int k = 0; k < s->written; k++) {
    if (!s->role[k].ideal || !comes_and_goes(s, k)) continue;
    for (int i = 0; i < t->count; i++)
      if (!is_known_zero(s->pool, mech_dot(s->pool, s->n, Y + i, t->count, s->A + k * s->n, 1)))
        return k;
  }
  return -1;
}

static bool fill(table* t)
{
  const mech_system* s = t->s;
  expr_pool* p = s->pool;
  const int n = s->n, k = t->count;
  int ideal = 0;
  int* row = base_arena_take(t->arena, sizeof(int) * (size_t)(s->m + 1));
  for (int i = 0; i < s->written; i++)
    if (s->role[i].ideal && !comes_and_goes(s, i)) row[ideal++] = i;
  expr *F = mech_take(t->arena, n), *Y = mech_take(t->arena, (n + ideal) * k), D;
  free_forces(t, F);
  if (!directions(t, ideal, row, Y, &D)) return false;
  t->between = stands_between(t, Y);
  for (int i = 0; i < k; i++) {
    for (int j = 0; j < k; j++) {
      expr g = mech_dot(p, n, Y + i, k, s->model->constraint[t->servo[j]].along, 1);
      t->Gamma[i * k + j] = expr_simplify(p, g);
    }
    expr known = mech_dot(p, n, Y + i, k, F, 1);
    for (int r = 0; r < ideal; r++)
      known = expr_add(p, known, expr_mul(p, Y[(n + r) * k + i], s->c[row[r]]));
    t->right[i] = expr_sub(p, expr_mul(p, D, s->c[t->lead[i]]), known);
  }
  return true;
}

// ---- elimination --------------------------------------------------------------------------------

// base and whole exponent of a factor
static expr base_of(expr_pool* p, expr factor, long* power)
{
  *power = 1;
  if (expr_kind_of(p, factor) == EXPR_POWER && expr_is_int(p, expr_arg(p, factor, 1), power) &&
      *power > 0)
    return expr_arg(p, factor, 0);
  *power = 1;
  return factor;
}

// how often the factor divides e, or minus the factor does: then *sign has what is left of that
static long times_in(expr_pool* p, expr e, expr factor, long most, expr* left)
{
  const bool product = expr_kind_of(p, e) == EXPR_PRODUCT;
  const expr opposite = expr_neg(p, factor);
  for (int i = 0; i < (product ? expr_arg_count(p, e) : 1); i++) {
    long power;
    const expr part = product ? expr_arg(p, e, i) : e, base = base_of(p, part, &power);
    if (base != factor && base != opposite) continue;
    const long times = power < most ? power : most;
    const expr shared = expr_pow(p, base, expr_int(p, times));
    *left = expr_div(p, e, shared);
    if (base == opposite && times % 2) *left = expr_neg(p, *left);
    return times;
  }
  return 0;
}

// take out of both what they share, also with opposite signs: x - y and y - x
static void take_out_shared(const mech_system* s, expr* a, expr* b)
{
  expr_pool* p = s->pool;
  const expr whole = *a;
  const bool product = expr_kind_of(p, whole) == EXPR_PRODUCT;
  for (int i = 0; i < (product ? expr_arg_count(p, whole) : 1); i++) {
    long power;
    expr left;
    const expr base = base_of(p, product ? expr_arg(p, whole, i) : whole, &power);
    if (expr_is_number(p, base)) continue;
    const long times = times_in(p, *b, base, power, &left);
    if (!times) continue;
    *b = left;
    *a = expr_div(p, *a, expr_pow(p, base, expr_int(p, times)));
  }
}

// row r of Gamma and right becomes its combination with row q that has no entry in the column
static void clear(table* t, int r, int q, int column)
{
  expr_pool* p = t->s->pool;
  const int k = t->count;
  // without what both share: it would hide the combination where it vanishes
  expr a = t->Gamma[q * k + column], b = t->Gamma[r * k + column];
  take_out_shared(t->s, &a, &b);
  for (int j = 0; j < k; j++) {
    expr x = expr_sub(p, expr_mul(p, a, t->Gamma[r * k + j]), expr_mul(p, b, t->Gamma[q * k + j]));
    t->Gamma[r * k + j] = j == column ? t->s->zero[0] : expr_simplify(p, x);
  }
  t->right[r] = expr_sub(p, expr_mul(p, a, t->right[r]), expr_mul(p, b, t->right[q]));
}

// the first row without any control after elimination, -1 where the controls are determined
static int empty_row(table* t)
{
  expr_pool* p = t->s->pool;
  const int k = t->count;
  for (int i = 0; i < k; i++) {
    int column = 0;
    while (column < k && is_known_zero(p, t->Gamma[i * k + column])) column++;
    if (column == k) return i;
    for (int r = i + 1; r < k; r++)
      if (!is_known_zero(p, t->Gamma[r * k + column])) clear(t, r, i, column);
  }
  return -1;
}

// ---- hidden constraints -------------------------------------------------------------------------

static bool affine(const mech_system* s, expr f)
{
  expr* slope = base_alloc(sizeof(expr) * (size_t)(s->n + 1));
  expr_gradient(s->pool, f, s->n, s->v, slope);
  bool linear = true;
  for (int i = 0; i < s->n && linear; i++) linear = !expr_has_any(s->pool, slope[i], s->n, s->v);
  free(slope);
  return linear;
}

// number the hidden constraints of a servo one from one on
static int chain(const mech_system* s, int servo)
{
  int count = 0;
  for (int k = s->written; k < s->m; k++) count += s->role[k].servo == servo;
  return count;
}

static void append(mech_system* s, int servo, expr f)
{
  model* m = (model*)s->model; // our own copy
  const model_constraint* of = &m->constraint[servo];
  const bool moving = expr_has_any(s->pool, f, s->n, s->v);
  const int k = s->m, number = chain(s, servo) + 1;
  m->constraint[k] =
      (model_constraint){.name = base_arena_printf(s->arena, "%s, hidden %d", of->name, number),
                         .f = f,
                         .order = moving ? 1 : 0,
                         .linear = !moving || affine(s, f),
                         .starts_off = of->starts_off,
                         .hidden = true,
                         .place = of->place};
  m->reaction[k] = expr_symbol(s->pool, base_arena_printf(s->arena, "(%s)", m->constraint[k].name));
  m->holds[k] = m->holds[servo];
  s->role[k] = (mech_role){.leads = true, .servo = servo};
  m->constraints = ++s->m;
  mech_derive_row(s, k);
}

// the system gets a model of its own with room for what is hidden
static void own_model(mech_system* s)
{
  const model* given = s->model;
  const size_t room = (size_t)mech_servo_room(given) + 1, count = (size_t)s->m;
  model* m = base_arena_take(s->arena, sizeof *m);
  *m = *given;
  m->constraint = base_arena_take(s->arena, sizeof *m->constraint * room);
  m->reaction = mech_take(s->arena, (int)room);
  m->holds = mech_take(s->arena, (int)room);
  memcpy(m->constraint, given->constraint, sizeof *m->constraint * count);
  memcpy(m->reaction, given->reaction, sizeof(expr) * count);
  memcpy(m->holds, given->holds, sizeof(expr) * count);
  s->model = m;
}

// factors that no state can make zero say nothing
static expr without_constants(const mech_system* s, expr f)
{
  expr_pool* p = s->pool;
  if (expr_kind_of(p, f) != EXPR_PRODUCT) return f;
  expr kept = expr_int(p, 1);
  for (int i = 0; i < expr_arg_count(p, f); i++) {
    expr g = expr_arg(p, f, i);
    if (expr_has_any(p, g, s->n, s->q) || expr_has_any(p, g, s->n, s->v))
      kept = expr_mul(p, kept, g);
  }
  return kept;
}

static bool refuse(const mech_system* s, int servo, base_notes* notes, const char* why)
{
  const model_constraint* c = &s->model->constraint[servo];
  base_error(notes, c->place, "no control along `%s` can hold the constraint `%s`: %s", c->by,
             c->name, why);
  return false;
}

// Without the velocities where these cancel: an order too high would hide what is known of places.
static expr lowest(const mech_system* s, expr f)
{
  expr_pool* p = s->pool;
  const expr simple = expr_simplify(p, f);
  if (simple == EXPR_NONE || !expr_has_any(p, simple, s->n, s->v)) return simple;
  expr* zero = base_alloc(sizeof(expr) * (size_t)(s->n + 1));
  for (int i = 0; i < s->n; i++) zero[i] = s->zero[0];
  const expr at_rest = expr_substitute(p, simple, s->n, s->v, zero);
  free(zero);
  const bool cancel = expr_is_zero(p, expr_sub(p, simple, at_rest)) == EXPR_YES;
  return cancel ? expr_simplify(p, at_rest) : simple;
}

// the condition that row i of the controls' equations leaves on the state replaces its lead
static bool hide(table* t, int i, base_notes* notes)
{
  mech_system* s = t->s;
  const int servo = t->servo[i];
  if (expr_has_any(s->pool, t->right[i], s->written, s->model->reaction))
    return refuse(s, servo, notes,
                  "forces that depend on reactions stand between the control and the constraint");
  expr f = lowest(s, t->right[i]);
  if (f == EXPR_NONE || expr_pool_full(s->pool))
    return refuse(s, servo, notes, "the equations between them are too large");
  if (!expr_has_any(s->pool, f, s->n, s->q) && !expr_has_any(s->pool, f, s->n, s->v))
    return refuse(s, servo, notes,
                  is_known_zero(s->pool, f)
                      ? "the control has no influence on it, and it is held without"
                      : "the control has no influence on it");
  if (chain(s, servo) >= longest_chain(s->model))
    return refuse(s, servo, notes, "its influence is not found by differentiation");
  if (t->between >= 0)
    return refuse(s, servo, notes,
                  base_arena_printf(s->arena,
                                    "what is hidden in it changes where `%s` takes hold or lets go",
                                    s->model->constraint[t->between].name));
  s->role[t->lead[i]].leads = false;
  append(s, servo, without_constants(s, f));
  t->lead[i] = s->m - 1;
  return true;
}

// u appears in the k-th derivative of the servo constraint: index k + 1
static void count_index(mech_system* s, int servo)
{
  int times = 2 - s->model->constraint[servo].order;
  for (int k = s->written; k < s->m; k++)
    if (s->role[k].servo == servo) times += 2 - s->model->constraint[k].order;
  s->role[servo].index = times + 1;
}

bool mech_servo_reduce(mech_system* s, base_notes* notes)
{
  const int count = servos(s->model);
  if (!count) return true;
  own_model(s);
  table t = {.s = s, .arena = base_arena_new()};
  t.lead = base_arena_take(t.arena, sizeof(int) * (size_t)count);
  t.servo = base_arena_take(t.arena, sizeof(int) * (size_t)count);
  for (int k = 0; k < s->written; k++)
    if (!s->role[k].ideal) t.servo[t.count++] = k;
  memcpy(t.lead, t.servo, sizeof(int) * (size_t)count);
  t.Gamma = mech_take(t.arena, count * count);
  t.right = mech_take(t.arena, count);
  bool fine = true;
  for (int i = 0; fine && i >= 0;) {
    fine = fill(&t);
    // too large to be looked at as a whole: taken as it is, singular states show in the run
    if (!fine && !expr_pool_full(s->pool)) {
      base_arena_free(t.arena);
      return true;
    }
    i = fine ? empty_row(&t) : -1;
    if (i >= 0) fine = hide(&t, i, notes);
  }
  for (int i = 0; i < count; i++) count_index(s, t.servo[i]);
  base_arena_free(t.arena);
  return fine;
}

// ---- for the forms ------------------------------------------------------------------------------

mech_system* mech_servo_ideal(const mech_system* s, base_arena* arena)
{
  mech_system* ideal = base_arena_take(arena, sizeof *ideal);
  model* m = base_arena_take(arena, sizeof *m);
  const size_t room = (size_t)s->m + 1;
  *ideal = *s;
  *m = *s->model;
  ideal->model = m;
  m->constraint = base_arena_take(arena, sizeof *m->constraint * room);
  m->reaction = mech_take(arena, (int)room);
  m->holds = mech_take(arena, (int)room);
  ideal->role = base_arena_take(arena, sizeof *s->role * room);
  ideal->A = mech_take(arena, (int)room * s->n);
  ideal->c = mech_take(arena, (int)room);
  ideal->f0 = mech_take(arena, (int)room);
  ideal->f1 = mech_take(arena, (int)room);
  int count = 0;
  for (int k = 0; k < s->m; k++) {
    if (!s->role[k].ideal) continue;
    m->constraint[count] = s->model->constraint[k];
    m->reaction[count] = s->model->reaction[k];
    m->holds[count] = s->model->holds[k];
    ideal->role[count] = s->role[k];
    memcpy(ideal->A + count * s->n, s->A + k * s->n, sizeof(expr) * (size_t)s->n);
    ideal->c[count] = s->c[k];
    ideal->f0[count] = s->f0[k];
    ideal->f1[count] = s->f1[k];
    count++;
  }
  m->constraints = ideal->m = ideal->written = count;
  return ideal;
}

const char* mech_form_unsuited(const mech_form* form, const mech_system* s, base_arena* arena)
{
  if (s->n > MECH_DENSE)
    return base_arena_printf(arena, "it has %d coordinates; forms are written out for at most %d",
                             s->n, MECH_DENSE);
  for (int k = 0; k < s->m; k++)
    if (mech_is_nonlinear(s, k) && !form->curved)
      return base_arena_printf(arena, "the constraint `%s` is nonlinear in the accelerations",
                               s->model->constraint[k].name);
  return form->unsuited(mech_servo_ideal(s, arena), arena);
}

// numbers of constraints among the ideal ones
static const int* renumbered(const mech_system* s, const mech_choice* choice, base_arena* arena)
{
  int* rows = base_arena_take(arena, sizeof(int) * (size_t)(choice->rank + 1));
  for (int i = 0; i < choice->rank; i++) {
    rows[i] = 0;
    for (int k = 0; k < choice->rows[i]; k++) rows[i] += s->role[k].ideal;
  }
  return rows;
}

mech_equations* mech_equations_of(const mech_form* form, mech_system* s, const mech_choice* choice,
                                  base_notes* notes)
{
  base_arena* arena = base_arena_new();
  mech_choice mine = {0};
  if (choice) mine = *choice;
  if (choice && choice->rows) mine.rows = renumbered(s, choice, arena);
  mech_equations* e = NULL;
  const char* why = mech_form_unsuited(form, s, arena);
  if (why)
    base_error(notes, BASE_NOWHERE, "the form `%s` does not suit this model: %s", form->name, why);
  else
    e = form->derive(mech_servo_ideal(s, arena), choice ? &mine : NULL, notes);
  for (int k = 0; e && k < s->m; k++)
    if (!s->role[k].ideal)
      mech_add_equation(e, s->model->constraint[k].name, mech_tidy(s, s->model->constraint[k].f),
                        s->zero[0]);
  base_arena_free(arena);
  return e;
}
