// What a servo constraint moves: the part of the system that is coupled to it at an instant.
//
// Coordinates belong together where M has an entry for both, or where an ideal constraint that
// always holds, or one that leads a control, binds both. M y + A^T z = A_s^T, A y = 0 is solved for
// each part alone, and y is zero elsewhere: what stands beside it makes nothing larger.
#include <stdlib.h>
#include <string.h>

#include "mech/linear.h"
#include "mech/servo.h"

bool mech_servo_comes_and_goes(const mech_system* s, int k)
{
  const model_constraint* c = &s->model->constraint[k];
  return c->sense || c->sticks || c->during;
}

// ---- parts --------------------------------------------------------------------------------------

static void join(int n, int* part, int i, int j)
{
  if (part[i] == part[j]) return;
  const int from = part[i] > part[j] ? part[i] : part[j], to = part[i] + part[j] - from;
  for (int k = 0; k < n; k++)
    if (part[k] == from) part[k] = to;
}

// the first coordinate that a row binds, -1; the others join it where `part` is given
static int bind(const mech_system* s, const expr* row, int* part)
{
  int first = -1;
  for (int i = 0; i < s->n; i++) {
    if (row[i] == s->zero[0]) continue;
    if (first < 0) first = i;
    if (part) join(s->n, part, first, i);
  }
  return first;
}

// every coordinate names the first of its part
static void find_parts(mech_servo_table* t)
{
  const mech_system* s = t->s;
  const int n = s->n;
  for (int i = 0; i < n; i++) t->part[i] = i;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (s->M[i * n + j] != s->zero[0]) join(n, t->part, i, j);
  for (int h = 0; h < t->ideal; h++) bind(s, s->A + t->row[h] * n, t->part);
  for (int c = 0; c < t->count; c++) bind(s, s->A + t->lead[c] * n, t->part);
}

bool mech_servo_reaches(const mech_servo_table* t, int c, int k)
{
  const mech_system* s = t->s;
  const int of = bind(s, s->A + t->lead[c] * s->n, NULL), at = bind(s, s->A + k * s->n, NULL);
  return of >= 0 && at >= 0 && t->part[of] == t->part[at];
}

// ---- one part -----------------------------------------------------------------------------------

// What the equations leave when the rows of lone masses (M_l, numbers of their own) are solved:
// unknown are the other y and z,
//   M_r y_r + A_r^T z = A_sr^T,   A_r y_r - A_l M_l^-1 A_l^T z = -A_l M_l^-1 A_sl^T.
typedef struct reduced
{
  int ideal, rest, lone, leads, size;
  int* row;          // ideal constraints of the part, as numbers in the table
  int *other, *mass; // coordinates that are not lone, and those that are
  int* lead;         // leads of the part, as numbers in the table
  expr *K, *B;
} reduced;

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

static int* numbers(const mech_servo_table* t, int count)
{
  return base_arena_take(t->arena, sizeof(int) * (size_t)(count + 1));
}

// the members of a part
static reduced gather(const mech_servo_table* t, int part)
{
  const mech_system* s = t->s;
  const int n = s->n;
  reduced r = {.row = numbers(t, t->ideal),
               .other = numbers(t, n),
               .mass = numbers(t, n),
               .lead = numbers(t, t->count)};
  for (int i = 0; i < n; i++) {
    if (t->part[i] != part) continue;
    if (is_lone(s, i))
      r.mass[r.lone++] = i;
    else
      r.other[r.rest++] = i;
  }
  for (int h = 0; h < t->ideal; h++) {
    const int at = bind(s, s->A + t->row[h] * n, NULL);
    if (at >= 0 && t->part[at] == part) r.row[r.ideal++] = h;
  }
  for (int c = 0; c < t->count; c++) {
    const int at = bind(s, s->A + t->lead[c] * n, NULL);
    if (at >= 0 && t->part[at] == part) r.lead[r.leads++] = c;
  }
  r.size = r.rest + r.ideal;
  return r;
}

static expr in_row(const mech_servo_table* t, const reduced* r, int h, int i)
{
  return t->s->A[t->row[r->row[h]] * t->s->n + i];
}

static expr in_lead(const mech_servo_table* t, const reduced* r, int c, int i)
{
  return t->s->A[t->lead[r->lead[c]] * t->s->n + i];
}

static void fill_equations(const mech_servo_table* t, reduced* r)
{
  const mech_system* s = t->s;
  expr_pool* p = s->pool;
  const int n = s->n, k = r->leads, size = r->size;
  r->K = mech_take(t->arena, size * size + 1);
  r->B = mech_take(t->arena, size * k + 1);
  for (int i = 0; i < size * size; i++) r->K[i] = s->zero[0];
  for (int i = 0; i < size * k; i++) r->B[i] = s->zero[0];
  for (int i = 0; i < r->rest; i++) {
    for (int j = 0; j < r->rest; j++) r->K[i * size + j] = s->M[r->other[i] * n + r->other[j]];
    for (int h = 0; h < r->ideal; h++)
      r->K[i * size + r->rest + h] = r->K[(r->rest + h) * size + i] = in_row(t, r, h, r->other[i]);
    for (int c = 0; c < k; c++) r->B[i * k + c] = in_lead(t, r, c, r->other[i]);
  }
  for (int i = 0; i < r->lone; i++)
    for (int h = 0; h < r->ideal; h++) {
      const int at = r->mass[i];
      const expr share = expr_div(p, in_row(t, r, h, at), s->M[at * n + at]);
      expr* K = r->K + (r->rest + h) * size + r->rest;
      expr* B = r->B + (r->rest + h) * k;
      for (int j = 0; j < r->ideal; j++)
        K[j] = expr_sub(p, K[j], expr_mul(p, share, in_row(t, r, j, at)));
      for (int c = 0; c < k; c++)
        B[c] = expr_sub(p, B[c], expr_mul(p, share, in_lead(t, r, c, at)));
    }
  for (int i = 0; i < size * size; i++) r->K[i] = expr_simplify(p, r->K[i]);
}

// (y, z) D of every lead of the part, as columns of Y
static void write_directions(mech_servo_table* t, const reduced* r, const expr* X, expr D)
{
  const mech_system* s = t->s;
  expr_pool* p = s->pool;
  const int n = s->n, k = t->count;
  for (int c = 0; c < r->leads; c++) {
    const int column = r->lead[c];
    const expr* z = X + r->rest * r->leads + c;
    t->D[column] = D;
    for (int i = 0; i < r->rest; i++) t->Y[r->other[i] * k + column] = X[i * r->leads + c];
    for (int h = 0; h < r->ideal; h++) t->Y[(n + r->row[h]) * k + column] = z[h * r->leads];
    for (int i = 0; i < r->lone; i++) {
      const int at = r->mass[i];
      expr f = expr_mul(p, D, in_lead(t, r, c, at));
      for (int h = 0; h < r->ideal; h++)
        f = expr_sub(p, f, expr_mul(p, z[h * r->leads], in_row(t, r, h, at)));
      t->Y[at * k + column] = expr_div(p, f, s->M[at * n + at]);
    }
  }
}

static void solve_part(mech_servo_table* t, int part)
{
  const mech_system* s = t->s;
  reduced r = gather(t, part);
  if (!r.leads) return;
  fill_equations(t, &r);
  expr *X = mech_take(t->arena, r.size * r.leads + 1), D = expr_int(s->pool, 1);
  bool solved = true;
  if (r.size && mech_linear_fraction(s, r.size, r.leads, r.K, r.B, X, &D) != MECH_SOLVED) {
    solved = !r.ideal;
    if (solved) mech_linear_positive(s, r.size, r.leads, r.K, r.B, X);
    D = expr_int(s->pool, 1);
  }
  for (int c = 0; c < r.leads; c++) t->known[r.lead[c]] = solved;
  if (solved) write_directions(t, &r, X, D);
}

void mech_servo_directions(mech_servo_table* t)
{
  const mech_system* s = t->s;
  const int n = s->n, k = t->count;
  t->row = numbers(t, s->m);
  t->part = numbers(t, n);
  t->ideal = 0;
  for (int i = 0; i < s->written; i++)
    if (s->role[i].ideal && !mech_servo_comes_and_goes(s, i)) t->row[t->ideal++] = i;
  t->Y = mech_take(t->arena, (n + t->ideal) * k + 1);
  for (int i = 0; i < (n + t->ideal) * k; i++) t->Y[i] = s->zero[0];
  for (int c = 0; c < k; c++) {
    t->D[c] = expr_int(s->pool, 1);
    t->known[c] = false;
  }
  find_parts(t);
  for (int i = 0; i < n; i++)
    if (t->part[i] == i) solve_part(t, i);
}
