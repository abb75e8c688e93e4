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

static bool is_known_zero(expr_pool* p, expr e)
{
  return e == expr_int(p, 0) || expr_is_zero(p, e) == EXPR_YES;
}

// forces with all controls zero
static void free_forces(const mech_servo_table* t, expr* F)
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

// the first inequality that changes something for a lead when it takes hold: A_k y is not zero
static int stands_between(const mech_servo_table* t)
{
  const mech_system* s = t->s;
  for (int k = 0; k < s->written; k++) {
    if (!s->role[k].ideal || !mech_servo_comes_and_goes(s, k)) continue;
    for (int i = 0; i < t->count; i++)
      if (!is_known_zero(s->pool, mech_dot(s->pool, s->n, t->Y + i, t->count, s->A + k * s->n, 1)))
        return k;
  }
  return -1;
}

static void fill(mech_servo_table* t)
{
  const mech_system* s = t->s;
  expr_pool* p = s->pool;
  const int n = s->n, k = t->count;
  expr* F = mech_take(t->arena, n);
  free_forces(t, F);
  mech_servo_directions(t);
  t->between = stands_between(t);
  for (int i = 0; i < k; i++) {
    for (int j = 0; j < k; j++) {
      expr g = mech_dot(p, n, t->Y + i, k, s->model->constraint[t->servo[j]].along, 1);
      t->Gamma[i * k + j] = expr_simplify(p, g);
    }
    expr known = mech_dot(p, n, t->Y + i, k, F, 1);
    for (int r = 0; r < t->ideal; r++)
      known = expr_add(p, known, expr_mul(p, t->Y[(n + r) * k + i], s->c[t->row[r]]));
    t->right[i] = expr_sub(p, expr_mul(p, t->D[i], s->c[t->lead[i]]), known);
  }
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
static void clear(mech_servo_table* t, int r, int q, int column)
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
static int empty_row(mech_servo_table* t)
{
  expr_pool* p = t->s->pool;
  const int k = t->count;
  for (int i = 0; i < k; i++) {
    if (!t->known[i]) continue;
    int column = 0;
    while (column < k && is_known_zero(p, t->Gamma[i * k + column])) column++;
    if (column == k) return i;
    for (int r = i + 1; r < k; r++)
      if (t->known[r] && !is_known_zero(p, t->Gamma[r * k + column])) clear(t, r, i, column);
  }
  return -1;
}

// ---- hidden constraints -------------------------------------------------------------------------

// Does f change with the velocities, and linearly? By its slopes: where they jump, as sign(v) does,
// the state jumps or ends there, and elsewhere they are constant.
static bool moves(const mech_system* s, expr f, bool* linear)
{
  expr* slope = base_alloc(sizeof(expr) * (size_t)(s->n + 1));
  expr_gradient(s->pool, f, s->n, s->v, slope);
  bool any = false;
  *linear = true;
  for (int i = 0; i < s->n; i++) {
    any = any || !is_known_zero(s->pool, slope[i]);
    *linear = *linear && !expr_has_any(s->pool, slope[i], s->n, s->v);
  }
  free(slope);
  return any;
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
  bool linear;
  const bool moving = moves(s, f, &linear);
  const int k = s->m, number = chain(s, servo) + 1;
  m->constraint[k] =
      (model_constraint){.name = base_arena_printf(s->arena, "%s, hidden %d", of->name, number),
                         .f = f,
                         .order = moving ? 1 : 0,
                         .linear = !moving || linear,
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

// does e depend on velocities by steps alone, as sign(v) does, or if(v > 0, x, y)?
static bool is_step(const mech_system* s, expr e)
{
  const expr_pool* p = s->pool;
  const expr_kind kind = expr_kind_of(p, e);
  if (kind == EXPR_CALL) return expr_fn_of(p, e) == EXPR_SIGN && expr_has_any(p, e, s->n, s->v);
  return kind == EXPR_IF && expr_has_any(p, expr_arg(p, e, 0), s->n, s->v) &&
         !expr_has_any(p, expr_arg(p, e, 1), s->n, s->v) &&
         !expr_has_any(p, expr_arg(p, e, 2), s->n, s->v);
}

typedef BASE_LIST(expr) exprs;

// the steps of f, and symbols to stand for them; parts have smaller numbers than what they are in
static void find_steps(const mech_system* s, expr f, exprs* step, exprs* symbol)
{
  bool* seen = base_alloc((size_t)f + 1);
  seen[f] = true;
  for (expr e = f; e > 0; e--) {
    if (!seen[e]) continue;
    if (is_step(s, e)) {
      const char* name = base_arena_printf(s->arena, "(step %d)", step->n + 1);
      base_push(step, e);
      base_push(symbol, expr_symbol(s->pool, name));
      continue;
    }
    for (int k = 0; k < expr_arg_count(s->pool, e); k++) seen[expr_arg(s->pool, e, k)] = true;
  }
  free(seen);
}

// Without the velocities where these cancel but for steps: an order too high would hide what is
// known of places.
static expr lowest(const mech_system* s, expr f)
{
  expr_pool* p = s->pool;
  const expr simple = expr_simplify(p, f);
  if (simple == EXPR_NONE || !expr_has_any(p, simple, s->n, s->v)) return simple;
  exprs step = {0}, symbol = {0};
  find_steps(s, simple, &step, &symbol);
  expr* zero = base_alloc(sizeof(expr) * (size_t)(s->n + 1));
  for (int i = 0; i < s->n; i++) zero[i] = s->zero[0];
  const expr smooth = expr_substitute(p, simple, step.n, step.at, symbol.at),
             at_rest = expr_substitute(p, smooth, s->n, s->v, zero);
  const bool cancel = expr_is_zero(p, expr_sub(p, smooth, at_rest)) == EXPR_YES;
  const expr low = cancel ? expr_simplify(p, at_rest) : EXPR_NONE;
  const expr whole = low != EXPR_NONE ? expr_substitute(p, low, step.n, symbol.at, step.at) : low;
  free(zero);
  free(step.at);
  free(symbol.at);
  return cancel ? whole : simple;
}

// the condition that row i of the controls' equations leaves on the state replaces its lead
static bool hide(mech_servo_table* t, int i, base_notes* notes)
{
  mech_system* s = t->s;
  const int servo = t->servo[i];
  if (expr_has_any(s->pool, t->right[i], s->written, s->model->reaction))
    return refuse(s, servo, notes,
                  "forces that depend on reactions stand between the control and the constraint");
  if (expr_has_any(s->pool, t->right[i], s->n, s->a))
    return refuse(s, servo, notes,
                  "a constraint nonlinear in the accelerations stands between the control and the "
                  "constraint");
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
  for (int r = 0; r < t->ideal; r++)
    if (mech_servo_reaches(t, i, t->row[r])) s->role[t->row[r]].behind = true;
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
  mech_servo_table t = {.s = s, .arena = base_arena_new()};
  t.lead = base_arena_take(t.arena, sizeof(int) * (size_t)count);
  t.servo = base_arena_take(t.arena, sizeof(int) * (size_t)count);
  for (int k = 0; k < s->written; k++)
    if (!s->role[k].ideal) t.servo[t.count++] = k;
  memcpy(t.lead, t.servo, sizeof(int) * (size_t)count);
  t.known = base_arena_take(t.arena, sizeof(bool) * (size_t)count);
  t.Gamma = mech_take(t.arena, count * count);
  t.right = mech_take(t.arena, count);
  t.D = mech_take(t.arena, count);
  bool fine = true;
  for (int i = 0; fine && i >= 0;) {
    // what is too large to be looked at as a whole is taken as it is: singular states show in runs
    fill(&t);
    i = empty_row(&t);
    if (i >= 0) fine = hide(&t, i, notes);
  }
  for (int i = 0; i < count; i++)
    if (t.known[i]) count_index(s, t.servo[i]);
  base_arena_free(t.arena);
  return fine;
}
