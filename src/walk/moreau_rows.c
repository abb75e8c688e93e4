// Rows of a time step: constraints, inequalities at or near their limit, friction, and contacts
// that come and go.
#include "walk/moreau.h"

#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rough = 1e6; // a coefficient of friction beyond all others

// ---- rows ---------------------------------------------------------------------------------------

bool walk_moreau_returns(const walk_moreau* s, double before, double freely, double nothing)
{
  return s->h * before > nothing && before > engine_moreau_away * fabs(freely);
}

int walk_moreau_first_touch(const walk_moreau* s)
{
  return s->m + s->T.count + s->dries + s->guides;
}

double walk_moreau_along(const walk_moreau* s, int row, const double* v)
{
  const walk_row* r = &s->row[row];
  double sum = 0;
  for (int p = 0; p < r->count; p++) sum += r->value[p] * v[r->column[p]];
  return r->sign * sum;
}

double walk_moreau_allowed(const walk_moreau* s, int count, const int* column, const double* value)
{
  double length = 0;
  for (int p = 0; p < count; p++) length += fabs(value[p]) * s->e->scales->place[column[p]];
  return engine_moreau_deep * length;
}

// more rows than any step so far
static void make_room(walk_moreau* s)
{
  const size_t room = (size_t)(s->room += s->room / 2 + 64) + 1;
  s->row = base_realloc(s->row, room * sizeof *s->row);
  s->kind = base_realloc(s->kind, room * sizeof *s->kind);
  double** numbers[] = {&s->x, &s->w, &s->mu, &s->shift, &s->sum};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = base_realloc(*numbers[i], room * sizeof(double));
  int** ints[] = {&s->normal, &s->pair,      &s->G_start, &s->G_fill,
                  &s->mark,   &s->col_start, &s->A_start};
  for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
    *ints[i] = base_realloc(*ints[i], room * sizeof(int));
}

int walk_moreau_add_row(walk_moreau* s, cone_many_kind kind, int of, double sign, double shift,
                        double x)
{
  if (s->rows + 1 >= s->room) make_room(s);
  const int row = s->rows++;
  s->kind[row] = kind;
  s->shift[row] = shift;
  s->x[row] = x;
  s->normal[row] = s->pair[row] = -1;
  s->mu[row] = 0;
  s->row[row] = (walk_row){.of = of, .sign = sign};
  return row;
}

// of a constraint, a slip, or what presses dry friction, which moves nothing
static int add_row(walk_moreau* s, cone_many_kind kind, int of, double sign, double shift)
{
  const int row = walk_moreau_add_row(s, kind, of, sign, shift, s->x_kept[of]);
  const walk_gradients* g = of < s->m ? &s->A : &s->T;
  const int k = of < s->m ? of : of - s->m;
  if (of >= s->m + s->T.count) return row;
  s->row[row].column = g->column + g->start[k];
  s->row[row].value = g->value + g->start[k];
  s->row[row].count = g->start[k + 1] - g->start[k];
  return row;
}

// a row that hangs on a normal one
static int add_tangent(walk_moreau* s, int of, double shift, int normal, double mu)
{
  const int row = add_row(s, CONE_MANY_TANGENT, of, 1, shift);
  s->normal[row] = normal;
  s->mu[row] = mu;
  s->row[row].drift = shift - walk_moreau_along(s, row, s->v_free);
  return row;
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
    add_tangent(s, u->link[j], s->f1[u->link[j]], normal, rough);
  }
  if (s->rows < first + 2) return;
  s->pair[first] = first + 1;
  s->pair[first + 1] = first;
}

// at its limit, as near as places are put back: Newton's law; near it: the gap at the end,
// gap + h/2 A (v+ - v_free), stays open
static void add_unilateral(walk_moreau* s, int i)
{
  const contact_inequalities* u = s->e->unilateral;
  const int k = u->of[i], order = s->e->model->constraint[k].order;
  const double sign = u->sign[i], gap = sign * s->f0[k];
  if (!u->present[i] || u->both[i]) return;
  const int from = s->A.start[k], count = s->A.start[k + 1] - from;
  const double shut = walk_moreau_allowed(s, count, s->A.column + from, s->A.value + from);
  const bool closed =
      order || (gap <= shut && !walk_moreau_returns(s, s->rate[k], sign * s->f1[k], shut));
  if (!closed && gap > 0 && !is_near(s, k, gap)) return;
  const double bounce = order == 0 ? u->restitution[i] * fmin(s->rate[k], 0) : 0;
  add_row(s, CONE_MANY_NORMAL, k, sign, closed ? sign * s->f1[k] + bounce : 2 * gap / s->h);
  s->row[s->rows - 1].drift = sign * s->f1[k] - walk_moreau_along(s, s->rows - 1, s->v_free);
  if (order == 2) accelerate(s, sign, k);
  if (!closed) s->row[s->rows - 1].ease = fmax(0, sign * s->f1[k] - 2 * gap / s->h);
  const int slip = s->slip_of[k], normal = s->rows - 1;
  add_links(s, i, normal);
  if (slip < 0 || !(s->bound[slip] > 0)) return;
  const int slips = s->e->model->constraint[k].slips;
  for (int t = 0; t < slips; t++) {
    const int row = add_tangent(s, s->m + slip + t, s->slip[slip + t], normal, s->bound[slip]);
    s->pair[row] = slips == 1 ? -1 : t ? row - 1 : row + 1;
  }
}

// dry friction that no contact presses: its bound as a pressure
static void add_dry(walk_moreau* s, int i)
{
  const int slip = s->first_dry + i;
  if (!(s->bound[slip] > 0)) return;
  const int pressure = s->m + s->T.count + i;
  const int normal = add_row(s, CONE_MANY_NORMAL, pressure, 1, -s->h * s->bound[slip]);
  add_tangent(s, s->m + slip, s->slip[slip], normal, 1);
}

// What holds both ways has a row among the equations; its bound is a pressure, too, since either
// sign of its impulse presses. `number` counts the guides.
static void add_guide(walk_moreau* s, int i, int number)
{
  const int k = s->e->unilateral->of[i], slip = s->slip_of[k];
  if (!s->e->unilateral->present[i] || slip < 0 || !(s->bound[slip] > 0)) return;
  const int pressure = s->m + s->T.count + s->dries + number;
  const int normal = add_row(s, CONE_MANY_NORMAL, pressure, 1, -s->h * s->bound[slip]);
  const int slips = s->e->model->constraint[k].slips;
  for (int t = 0; t < slips; t++) {
    const int row = add_tangent(s, s->m + slip + t, s->slip[slip + t], normal, 1);
    s->pair[row] = slips == 1 ? -1 : t ? row - 1 : row + 1;
  }
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
  double speed = 0;
  for (int i = 0; i < s->n; i++) {
    if (fabs(s->v[i]) > speed) speed = fabs(s->v[i]);
    if (fabs(s->v_free[i]) > speed) speed = fabs(s->v_free[i]);
  }
  s->speed = speed;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    add_row(s, CONE_MANY_EQUAL, k, 1, s->f1[k]);
    if (e->model->constraint[k].order == 2) accelerate(s, 1, k);
  }
  for (int i = 0; e->unilateral && i < e->unilateral->count; i++) add_unilateral(s, i);
  for (int i = 0, guide = 0; e->unilateral && i < e->unilateral->count; i++)
    if (e->unilateral->both[i]) add_guide(s, i, guide++);
  for (int i = 0; i < s->dries; i++) add_dry(s, i);
  walk_moreau_add_touches(s);
}
