// Rows of a time step: constraints, inequalities at or near their limit, friction; and
// G = A W^-1 A^T, by which their impulses move each other.
#include "walk/moreau.h"

#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rough = 1e6; // a coefficient of friction beyond all others

// ---- rows ---------------------------------------------------------------------------------------

const walk_gradients* walk_moreau_gradients(const walk_moreau* s, int row, int* k)
{
  const int of = s->row_of[row];
  *k = of < s->m ? of : of - s->m;
  if (of >= s->m + s->T.count) {
    *k = 0;
    return &s->nothing;
  }
  return of < s->m ? &s->A : &s->T;
}

// a row that presses dry friction, and moves nothing
static bool is_pressure(const walk_moreau* s, int row)
{
  return s->row_of[row] >= s->m + s->T.count;
}

double walk_moreau_along(const walk_moreau* s, int row, const double* v)
{
  int k;
  const walk_gradients* g = walk_moreau_gradients(s, row, &k);
  double sum = 0;
  for (int p = g->start[k]; p < g->start[k + 1]; p++) sum += g->value[p] * v[g->column[p]];
  return s->sign[row] * sum;
}

static void add_row(walk_moreau* s, cone_many_kind kind, int of, double sign, double shift)
{
  const int row = s->rows++;
  s->kind[row] = kind;
  s->row_of[row] = of;
  s->sign[row] = sign;
  s->shift[row] = shift;
  s->x[row] = s->x_kept[of];
}

// A (v_free - v) - h c
static void accelerate(walk_moreau* s, double sign, int k)
{
  const int row = s->rows - 1;
  s->shift[row] = walk_moreau_along(s, row, s->v_free) - walk_moreau_along(s, row, s->v) -
                  sign * s->h * s->c[k];
}

// Could other impulses close the gap of a constraint in this step? Bounded by the largest velocity.
static bool is_near(const walk_moreau* s, int k, double gap)
{
  double norm = 0;
  for (int p = s->A.start[k]; p < s->A.start[k + 1]; p++) norm += fabs(s->A.value[p]);
  return s->forced[k] || gap <= s->h * norm * s->speed;
}

// What holds while inequality i touches: friction that nothing exceeds, but for none where it does
// not press.
static void add_links(walk_moreau* s, int i, int normal)
{
  const contact_inequalities* u = s->e->unilateral;
  const int first = s->rows;
  for (int j = 0; j < u->links; j++) {
    if (u->link_of[j] != i || !u->link_present[j]) continue;
    add_row(s, CONE_MANY_TANGENT, u->link[j], 1, s->f1[u->link[j]]);
    s->normal[s->rows - 1] = normal;
    s->mu[s->rows - 1] = rough;
    s->pair[s->rows - 1] = -1;
  }
  if (s->rows < first + 2) return;
  s->pair[first] = first + 1;
  s->pair[first + 1] = first;
}

// at its limit: Newton's law; near it: the gap at the end, gap + h/2 A (v+ - v_free), stays open
static void add_unilateral(walk_moreau* s, int i)
{
  const contact_inequalities* u = s->e->unilateral;
  const int k = u->of[i], order = s->e->model->constraint[k].order;
  const double sign = u->sign[i], gap = sign * s->f0[k];
  if (!u->present[i]) return;
  const bool closed = order || gap <= 0;
  if (!closed && !is_near(s, k, gap)) return;
  const double bounce = order == 0 ? u->restitution[i] * fmin(s->rate[k], 0) : 0;
  add_row(s, CONE_MANY_NORMAL, k, sign, closed ? sign * s->f1[k] + bounce : 2 * gap / s->h);
  if (order == 2) accelerate(s, sign, k);
  const int slip = s->slip_of[k], normal = s->rows - 1;
  add_links(s, i, normal);
  if (slip < 0 || !(s->bound[slip] > 0)) return;
  const int slips = s->e->model->constraint[k].slips;
  for (int t = 0; t < slips; t++) {
    add_row(s, CONE_MANY_TANGENT, s->m + slip + t, 1, s->slip[slip + t]);
    s->normal[s->rows - 1] = normal;
    s->mu[s->rows - 1] = s->bound[slip];
    s->pair[s->rows - 1] = slips == 1 ? -1 : normal + 2 - t;
  }
}

// dry friction that no contact presses: its bound as a pressure
static void add_dry(walk_moreau* s, int i)
{
  const int slip = s->first_dry + i;
  if (!(s->bound[slip] > 0)) return;
  add_row(s, CONE_MANY_NORMAL, s->m + s->T.count + i, 1, -s->h * s->bound[slip]);
  add_row(s, CONE_MANY_TANGENT, s->m + slip, 1, s->slip[slip]);
  s->normal[s->rows - 1] = s->rows - 2;
  s->mu[s->rows - 1] = 1;
  s->pair[s->rows - 1] = -1;
}

// a force with the sign of a velocity that would drive it there
bool walk_moreau_drives(walk_moreau* s)
{
  for (int i = 0; i < s->dries; i++) {
    if (!(s->bound[s->first_dry + i] < 0)) continue;
    snprintf(s->e->reason, sizeof s->e->reason,
             "a force with the sign of a velocity drives it there; the method `moreau` takes those "
             "that slow it down");
    return true;
  }
  return false;
}

void walk_moreau_choose_rows(walk_moreau* s)
{
  engine* e = s->e;
  s->rows = 0;
  s->speed = 0;
  for (int i = 0; i < s->n; i++) s->speed = fmax(s->speed, fmax(fabs(s->v[i]), fabs(s->v_free[i])));
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    add_row(s, CONE_MANY_EQUAL, k, 1, s->f1[k]);
    if (e->model->constraint[k].order == 2) accelerate(s, 1, k);
  }
  for (int i = 0; e->unilateral && i < e->unilateral->count; i++) add_unilateral(s, i);
  for (int i = 0; i < s->dries; i++) add_dry(s, i);
}

// ---- G = A W^-1 A^T -----------------------------------------------------------------------------

// W^-1 A^T of a row, into its place
static void spread_row(walk_moreau* s, int row)
{
  int k;
  const walk_gradients* g = walk_moreau_gradients(s, row, &k);
  for (int at = g->reach[k]; at < g->reach[k + 1];) {
    const int b = s->block_of[g->reached[at]], size = s->block_start[b + 1] - s->block_start[b];
    memset(s->right, 0, sizeof(double) * (size_t)size);
    for (int p = g->start[k]; p < g->start[k + 1]; p++)
      if (s->block_of[g->column[p]] == b)
        s->right[s->place[g->column[p]]] += s->sign[row] * g->value[p];
    walk_moreau_solve_block(s, b);
    memcpy(g->spread + at, s->right, sizeof(double) * (size_t)size);
    at += size;
  }
}

// which rows have an entry at each coordinate
static void list_touches(walk_moreau* s)
{
  int k;
  memset(s->touch_start, 0, sizeof(int) * (size_t)(s->n + 1));
  for (int row = 0; row < s->rows; row++) {
    const walk_gradients* g = walk_moreau_gradients(s, row, &k);
    for (int p = g->start[k]; p < g->start[k + 1]; p++) s->touch_start[g->column[p] + 1]++;
  }
  for (int i = 0; i < s->n; i++) s->touch_start[i + 1] += s->touch_start[i];
  for (int row = s->rows - 1; row >= 0; row--) {
    const walk_gradients* g = walk_moreau_gradients(s, row, &k);
    for (int p = g->start[k]; p < g->start[k + 1]; p++)
      s->touch[--s->touch_start[g->column[p] + 1]] = row;
  }
  // now touch_start[i + 1] is where coordinate i begins
}

static int touches_from(const walk_moreau* s, int i)
{
  return s->touch_start[i + 1];
}

static int touches_to(const walk_moreau* s, int i, int total)
{
  return i + 1 < s->n ? s->touch_start[i + 2] : total;
}

// entries of a step beyond the most so far need more room; a motion has soon met its most
static void make_room(walk_moreau* s, int need)
{
  if (need <= s->G_room) return;
  s->G_room = need + need / 2 + 64;
  const size_t room = (size_t)s->G_room;
  s->G = base_realloc(s->G, room * sizeof *s->G);
  s->G_column = base_realloc(s->G_column, room * sizeof *s->G_column);
  s->col = base_realloc(s->col, room * sizeof *s->col);
  s->col_row = base_realloc(s->col_row, room * sizeof *s->col_row);
}

static double value_at(const walk_moreau* s, int row, int coordinate)
{
  int k;
  const walk_gradients* g = walk_moreau_gradients(s, row, &k);
  for (int p = g->start[k]; p < g->start[k + 1]; p++)
    if (g->column[p] == coordinate) return s->sign[row] * g->value[p];
  return 0;
}

// column j of G: the rows that meet what row j moves
static int add_column(walk_moreau* s, int j, int at, int total)
{
  int k;
  const walk_gradients* g = walk_moreau_gradients(s, j, &k);
  const int from = at;
  if (is_pressure(s, j)) {
    s->mark[j] = j + 1;
    s->sum[j] = 1;
    make_room(s, at + 1);
    s->col_row[at++] = j;
  }
  for (int p = g->reach[k]; p < g->reach[k + 1]; p++) {
    const int c = g->reached[p];
    for (int t = touches_from(s, c); t < touches_to(s, c, total); t++) {
      const int i = s->touch[t];
      if (s->mark[i] != j + 1) {
        s->mark[i] = j + 1;
        s->sum[i] = 0;
        make_room(s, at + 1);
        s->col_row[at++] = i;
      }
      s->sum[i] += value_at(s, i, c) * g->spread[p];
    }
  }
  for (int p = from; p < at; p++) s->col[p] = s->sum[s->col_row[p]];
  return at;
}

static void transpose(walk_moreau* s, int entries)
{
  memset(s->G_start, 0, sizeof(int) * (size_t)(s->rows + 1));
  for (int p = 0; p < entries; p++) s->G_start[s->col_row[p] + 1]++;
  for (int i = 0; i < s->rows; i++) s->G_start[i + 1] += s->G_start[i];
  memcpy(s->G_fill, s->G_start, sizeof(int) * (size_t)s->rows);
  for (int j = 0; j < s->rows; j++)
    for (int p = s->col_start[j]; p < s->col_start[j + 1]; p++) {
      const int at = s->G_fill[s->col_row[p]]++;
      s->G_column[at] = j;
      s->G[at] = s->col[p];
    }
}

// 0, or 1 where a row moves nothing
int walk_moreau_assemble(walk_moreau* s)
{
  int total = 0, at = 0, k;
  list_touches(s);
  for (int row = 0; row < s->rows; row++) {
    const walk_gradients* g = walk_moreau_gradients(s, row, &k);
    total += g->start[k + 1] - g->start[k];
    spread_row(s, row);
  }
  memset(s->mark, 0, sizeof(int) * (size_t)(s->rows + 1));
  for (int j = 0; j < s->rows; j++) {
    s->col_start[j] = at;
    at = add_column(s, j, at, total);
    if (s->mark[j] == j + 1 && s->sum[j] > 0 && isfinite(s->sum[j])) continue;
    k = s->row_of[j] < s->m ? s->row_of[j] : s->row_of[s->normal[j]];
    snprintf(s->e->reason, sizeof s->e->reason, "the constraint `%s` has no gradient there",
             s->e->model->constraint[k].name);
    return 1;
  }
  s->col_start[s->rows] = at;
  transpose(s, at);
  return 0;
}
