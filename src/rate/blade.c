// Velocities turned into the direction that a blade leaves free.
//
// A row a_i v_i + a_j v_j + a0 = 0 with a_i^2 + a_j^2 = N, a number, as that of a blade or of a
// wheel which does not slip sideways, has no velocity whose coefficient stays away from zero. But
// with c = a_j, s = -a_i,
//   v_i = c u - s w,   v_j = s u + c w,   u = (c v_i + s v_j) / N,
// it says N w + a0 = 0 at every state: w is eliminated for good, and the constraint is met by
// construction (Hamel's quasi-velocities; Kondrenkina 2018, I(3.17)). The pair turns at the rate
//   W = (c s' - s c') / N,   v_i' = c (u' - W w) - s (w' + W u),   v_j' = s (u' - W w) + c (w' + W
//   u),
// so that, with R the matrix of the turn and d = W (-w, u) at the places i and j,
//   M -> R^T M R,   F -> R^T F - R^T M R d,   A -> A R,   b -> b + A R d.
#include "rate/rate.h"

#include <string.h>

static void* take(base_arena* arena, int count, size_t size)
{
  return base_arena_take(arena, (size_t)(count + 1) * size);
}

rate_rows rate_rows_of(const engine* e, base_arena* arena, const rate_equations* q)
{
  const int n = e->n, rows = e->mode.rows;
  rate_rows p = {.n = n, .rows = rows, .power = q->power};
  p.M = q->M ? take(arena, n * n, sizeof(expr)) : NULL;
  p.F = take(arena, n, sizeof(expr));
  p.A = take(arena, rows * n, sizeof(expr));
  p.b = take(arena, rows, sizeof(expr));
  p.a0 = take(arena, rows, sizeof(expr));
  p.lambda = take(arena, rows, sizeof(expr));
  p.rate = take(arena, n, sizeof(expr));
  p.pair = take(arena, 2 * rows, sizeof(int));
  p.turned = take(arena, rows, sizeof *p.turned);
  if (q->M) memcpy(p.M, q->M, sizeof(expr) * (size_t)(n * n));
  memcpy(p.F, q->F, sizeof(expr) * (size_t)n);
  memcpy(p.rate, e->s->v, sizeof(expr) * (size_t)n);
  for (int r = 0; r < rows; r++) {
    const int k = e->mode.row[r];
    memcpy(p.A + r * n, q->A + k * n, sizeof(expr) * (size_t)n);
    p.b[r] = q->b[k];
    p.a0[r] = q->a0[k];
    p.lambda[r] = e->model->reaction[k];
  }
  return p;
}

// ---- which pair ---------------------------------------------------------------------------------

static bool was_turned(const rate_rows* p, int i)
{
  for (int k = 0; k < 2 * p->turns; k++)
    if (p->pair[k] == i) return true;
  return false;
}

// the two velocities that a row binds; false if it binds others, or some that were turned before
static bool binds_two(const mech_system* s, const rate_rows* p, int row, int* pair)
{
  int count = 0;
  for (int j = 0; j < p->n; j++) {
    if (p->A[row * p->n + j] == s->zero[0]) continue;
    if (count == 2 || was_turned(p, j)) return false;
    pair[count++] = j;
  }
  return count == 2;
}

// N of a row, EXPR_NONE where it is no number
static expr length_of(const engine_program* p, expr a, expr b)
{
  expr_pool* pool = p->s->pool;
  if (engine_is_constant(p, a) && engine_is_constant(p, b)) return EXPR_NONE;
  const expr N = expr_simplify(pool, expr_add(pool, expr_mul(pool, a, a), expr_mul(pool, b, b)));
  return N != EXPR_NONE && engine_is_constant(p, N) ? N : EXPR_NONE;
}

// ---- a turn -------------------------------------------------------------------------------------

typedef struct turn
{
  expr_pool* pool;
  int i, j;
  expr c, s, N, rate; // rate: W
  expr u, w;          // their symbols, those of v_i and v_j before
} turn;

// c x + s y and c y - s x
static expr along(const turn* t, expr x, expr y)
{
  return expr_add(t->pool, expr_mul(t->pool, t->c, x), expr_mul(t->pool, t->s, y));
}

static expr across(const turn* t, expr x, expr y)
{
  return expr_sub(t->pool, expr_mul(t->pool, t->c, y), expr_mul(t->pool, t->s, x));
}

// x and y of a covector
static void turn_both(const turn* t, expr* x, expr* y)
{
  const expr first = along(t, *x, *y), second = across(t, *x, *y);
  *x = expr_simplify(t->pool, first);
  *y = expr_simplify(t->pool, second);
}

// R^T M R, with c^2 + s^2 = N put in where it makes numbers
static void turn_masses(const turn* t, int n, expr* M)
{
  expr_pool* o = t->pool;
  const int i = t->i, j = t->j;
  for (int k = 0; k < n; k++) {
    if (k == i || k == j) continue;
    turn_both(t, &M[k * n + i], &M[k * n + j]);
    M[i * n + k] = M[k * n + i];
    M[j * n + k] = M[k * n + j];
  }
  const expr ii = M[i * n + i], jj = M[j * n + j], ij = M[i * n + j];
  const expr cc = expr_mul(o, t->c, t->c), ss = expr_mul(o, t->s, t->s);
  const expr cs = expr_mul(o, t->c, t->s), apart = expr_simplify(o, expr_sub(o, ii, jj));
  const expr twice = expr_mul(o, expr_int(o, 2), expr_mul(o, ij, cs));
  const expr more = expr_add(o, expr_mul(o, apart, cc), twice);
  M[i * n + i] = expr_simplify(o, expr_add(o, expr_mul(o, t->N, jj), more));
  M[j * n + j] = expr_simplify(o, expr_sub(o, expr_mul(o, t->N, ii), more));
  const expr both = expr_mul(o, ij, expr_sub(o, cc, ss));
  M[i * n + j] = M[j * n + i] = expr_simplify(o, expr_sub(o, both, expr_mul(o, apart, cs)));
}

// a row of R^T M R or of A R, times d
static expr by_turning(const turn* t, const expr* row)
{
  expr_pool* o = t->pool;
  const expr d = expr_sub(o, expr_mul(o, row[t->j], t->u), expr_mul(o, row[t->i], t->w));
  return expr_mul(o, t->rate, d);
}

// what stands for the velocities and the accelerations of the pair
static void set_stand_ins(const turn* t, const expr* a, expr* to)
{
  expr_pool* o = t->pool;
  const turn back = {.pool = o, .c = t->c, .s = expr_neg(o, t->s)};
  const expr first = expr_sub(o, a[t->i], expr_mul(o, t->rate, t->w));
  const expr second = expr_add(o, a[t->j], expr_mul(o, t->rate, t->u));
  to[0] = along(&back, t->u, t->w);
  to[1] = across(&back, t->u, t->w);
  to[2] = along(&back, first, second);
  to[3] = across(&back, first, second);
}

// u = (c v_i + s v_j) / N; no velocity of the pair has been turned before
static void set_inverse(const turn* t, const mech_system* s, expr* out)
{
  expr_pool* o = t->pool;
  out[0] = expr_div(o, along(t, t->u, t->w), t->N);
  out[1] = expr_div(o, t->c, t->N);
  out[2] = expr_div(o, t->s, t->N);
  expr_totals_at(o, 1, out, s->n, s->v, out + 3);
}

static expr put_in(const turn* t, expr x, int count, const expr* from, const expr* to)
{
  return expr_simplify(t->pool, expr_substitute(t->pool, x, count, from, to));
}

static void turn_rows(const mech_system* s, rate_rows* p, turn* t)
{
  expr_pool* o = t->pool;
  const int n = p->n;
  expr to[4];
  const expr from[] = {t->u, t->w, s->a[t->i], s->a[t->j]};
  // W: along the motion q' is what the velocities so far make of it, and those of the pair are put
  // in thereafter
  const expr W = expr_div(o, across(t, expr_total(o, t->c), expr_total(o, t->s)), t->N);
  t->rate = s->zero[0];
  set_stand_ins(t, s->a, to);
  t->rate = put_in(t, expr_substitute(o, W, n, s->v, p->rate), 2, from, to);
  set_stand_ins(t, s->a, to);
  set_inverse(t, s, p->turned[p->turns]);
  for (int k = 0; k < n; k++) {
    p->rate[k] = put_in(t, p->rate[k], 2, from, to);
    p->F[k] = put_in(t, p->F[k], 2, from, to);
  }
  for (int r = 0; r < p->rows; r++) p->b[r] = put_in(t, p->b[r], 2, from, to);
  p->power = put_in(t, p->power, 4, from, to);
  turn_masses(t, n, p->M);
  turn_both(t, &p->F[t->i], &p->F[t->j]);
  for (int k = 0; k < n; k++)
    p->F[k] = expr_simplify(o, expr_sub(o, p->F[k], by_turning(t, p->M + k * n)));
  for (int r = 0; r < p->rows; r++) {
    turn_both(t, &p->A[r * n + t->i], &p->A[r * n + t->j]);
    p->b[r] = expr_simplify(o, expr_add(o, p->b[r], by_turning(t, p->A + r * n)));
  }
  p->pair[2 * p->turns] = t->i;
  p->pair[2 * p->turns + 1] = t->j;
  p->turns++;
}

bool rate_rows_turn(const engine_program* program, rate_rows* p)
{
  const mech_system* s = program->s;
  expr_pool* pool = s->pool;
  const int n = p->n;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++) p->M[k * n + i] = p->M[i * n + k];
  for (int r = 0; r < p->rows; r++) {
    int pair[2];
    if (!binds_two(s, p, r, pair)) continue;
    const expr ai = p->A[r * n + pair[0]], aj = p->A[r * n + pair[1]],
               N = length_of(program, ai, aj);
    if (N == EXPR_NONE) continue;
    turn t = {.pool = pool, .i = pair[0], .j = pair[1], .c = aj, .s = expr_neg(pool, ai), .N = N};
    t.u = s->v[t.i];
    t.w = s->v[t.j];
    turn_rows(s, p, &t);
  }
  return p->turns && !expr_pool_full(pool);
}
