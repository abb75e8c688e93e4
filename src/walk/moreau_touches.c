// Contacts that come and go in time-stepping: found at the start of a step, where places are where
// they may be, as rows of numbers (cone_touch), and looked at where the motion without impulses
// ends. What they press with is the guess of the next step, by their ids.
#include "walk/moreau.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double reach = 2; // of the way of both sides in a step: impulses may double it

static int failed(walk_moreau* s, const char* reason)
{
  snprintf(s->e->reason, sizeof s->e->reason, "%s", reason);
  return 1;
}

int walk_moreau_find_touches(walk_moreau* s)
{
  walk_touches* u = &s->touches;
  const char* reason = "contacts could not be found";
  if (!u->by) return 0;
  u->list.touch.n = u->list.column.n = u->list.value.n = 0;
  if (u->by->find(u->by->context, s->t, s->q, s->v, s->h, 0, &u->list, &reason))
    return failed(s, reason);
  if (u->list.touch.n > u->room) {
    u->room = u->list.touch.n + u->list.touch.n / 2 + 16;
    u->impulse = base_realloc(u->impulse, CONE_TOUCH_ROWS * sizeof(double) * (size_t)u->room);
    u->before = base_realloc(u->before, sizeof(double) * (size_t)u->room);
  }
  for (int i = 0; i < u->list.touch.n; i++) {
    const cone_touch* c = &u->list.touch.at[i];
    u->before[i] = c->drift[0];
    for (int p = 0; p < c->columns; p++)
      u->before[i] += u->list.value.at[c->value + p] * s->v[u->list.column.at[c->column + p]];
  }
  return 0;
}

// Rows belong to where the motion without impulses ends, as those of inequalities do: what goes
// along a curved surface has its next direction there, and presses by as much as that turns.
int walk_moreau_look_at_touches(walk_moreau* s)
{
  walk_touches* u = &s->touches;
  const char* reason = "contacts could not be found";
  if (!u->by || !u->list.touch.n) return 0;
  if (u->by->look(u->by->context, s->t + s->h, s->q_look, &u->list, &reason))
    return failed(s, reason);
  return 0;
}

// ---- impulses by their ids ----------------------------------------------------------------------

// the place of an id, or a free one
static int place_of(const walk_touches* u, uint64_t id)
{
  const uint64_t spread = id * UINT64_C(0x9e3779b97f4a7c15);
  int at = (int)(spread >> 32) & (u->places - 1);
  while (u->id[at] && u->id[at] != id + 1) at = (at + 1) & (u->places - 1);
  return at;
}

void walk_moreau_touch_room(walk_moreau* s, int places)
{
  walk_touches* u = &s->touches;
  if (places == u->places) return;
  u->places = places;
  if (!places) return;
  u->id = base_realloc(u->id, sizeof *u->id * (size_t)places);
  u->kept = base_realloc(u->kept, CONE_TOUCH_ROWS * sizeof(double) * (size_t)places);
}

void walk_moreau_keep_touches(walk_moreau* s)
{
  walk_touches* u = &s->touches;
  const int count = u->list.touch.n, first = walk_moreau_first_touch(s);
  if (!u->by) return;
  if (count) memset(u->impulse, 0, CONE_TOUCH_ROWS * sizeof(double) * (size_t)count);
  for (int row = 0; row < s->rows; row++)
    if (s->row[row].of >= first) u->impulse[s->row[row].of - first] = s->x[row];
  int places = 64;
  while (places <= 4 * count) places *= 2;
  if (2 * count >= u->places) walk_moreau_touch_room(s, places);
  memset(u->id, 0, sizeof *u->id * (size_t)u->places);
  for (int i = 0; i < count; i++) {
    const double* x = u->impulse + CONE_TOUCH_ROWS * i;
    if (x[0] == 0) continue;
    const int at = place_of(u, u->list.touch.at[i].id);
    u->id[at] = u->list.touch.at[i].id + 1;
    memcpy(u->kept + CONE_TOUCH_ROWS * at, x, CONE_TOUCH_ROWS * sizeof(double));
  }
}

// ---- rows ---------------------------------------------------------------------------------------

static int add_row(walk_moreau* s, int i, int k, cone_many_kind kind, double x)
{
  const cone_touches* list = &s->touches.list;
  const cone_touch* c = &list->touch.at[i];
  const int of = walk_moreau_first_touch(s) + CONE_TOUCH_ROWS * i + k,
            row = walk_moreau_add_row(s, kind, of, 1, 0, x);
  s->row[row].count = c->columns;
  s->row[row].drift = c->drift[k];
  s->row[row].column = list->column.at + c->column;
  s->row[row].value = list->value.at + c->value + k * c->columns;
  return row;
}

static double allowed(const walk_moreau* s, const cone_touch* c)
{
  const cone_touches* list = &s->touches.list;
  return walk_moreau_allowed(s, c->columns, list->column.at + c->column, list->value.at + c->value);
}

// Could it close in this step, by all that its two sides move with? Impulses of others may turn a
// motion along it into one across, and of what touches already any motion can.
static bool is_near(const walk_moreau* s, const cone_touch* c)
{
  const cone_touches* list = &s->touches.list;
  double speed = fabs(c->drift[0]);
  for (int k = 0; k < c->rows; k++)
    for (int p = 0; p < c->columns; p++) {
      const int j = list->column.at[c->column + p];
      const double value = list->value.at[c->value + k * c->columns + p];
      speed += fabs(value) * fmax(fabs(s->v[j]), fabs(s->v_free[j]));
    }
  return c->gap <= fmax(reach * s->h * speed, allowed(s, c));
}

// What a row is shifted by whose gap, here at the end without impulses, may close and no more:
// u+ >= -2 gap/h - u-. Where the gap has been below zero, by rounding or by what putting places
// back leaves, that would ask both sides to part, which what is pressed from all sides cannot do:
// there would be no impulses at all. To stand still is enough; places are put back after the step.
static double kept_open(const walk_moreau* s, double gap, double freely)
{
  return fmax(2 * gap / s->h, freely);
}

// rows of a contact with a common bound: slip, rolling or pivoting
typedef struct group
{
  int first, rows;
  double mu;
} group;

// does what moves move this row?
static bool moves(const cone_touches* list, const cone_touch* c, int k)
{
  bool any = false;
  for (int p = 0; p < c->columns; p++)
    any = any || list->value.at[c->value + k * c->columns + p] != 0;
  return any;
}

// Points have no turning, and what turns about one axis has none about another: there is nothing
// to resist.
static void add_group(walk_moreau* s, int i, group g, int normal, const double* kept)
{
  const cone_touches* list = &s->touches.list;
  const cone_touch* c = &list->touch.at[i];
  const int first = s->rows;
  for (int k = g.first; k < g.first + g.rows && g.mu > 0; k++) {
    if (k > c->slips && !moves(list, c, k)) continue;
    const int row = add_row(s, i, k, CONE_MANY_TANGENT, kept[k]);
    s->shift[row] = walk_moreau_along(s, row, s->v_free) + c->drift[k];
    s->normal[row] = normal;
    s->mu[row] = g.mu;
  }
  if (s->rows < first + 2) return;
  s->pair[first] = first + 1;
  s->pair[first + 1] = first;
}

// Closed at the end, or as good as closed: Newton's law; near: kept from closing beyond zero. What
// lies on something that falls as it does keeps its gap without impulses, however small: to close a
// gap of rounding takes a velocity 2 gap/h, and stopping it again a force 2 gap/h^2, from step to
// step.
static void add_touch(walk_moreau* s, int i)
{
  const walk_touches* u = &s->touches;
  const cone_touch* c = &u->list.touch.at[i];
  const int at = u->places ? place_of(u, c->id) : 0;
  const double none[CONE_TOUCH_ROWS] = {0},
               *kept = u->places && u->id[at] ? u->kept + CONE_TOUCH_ROWS * at : none;
  if (kept == none && !is_near(s, c)) return;
  const int normal = add_row(s, i, 0, CONE_MANY_NORMAL, kept[0]);
  const double before = u->before[i], gap = c->gap, shut = allowed(s, c),
               freely = walk_moreau_along(s, normal, s->v_free) + c->drift[0];
  const bool closed = gap <= shut && !walk_moreau_returns(s, before, freely, shut);
  s->shift[normal] = closed ? freely + c->restitution * fmin(before, 0) : kept_open(s, gap, freely);
  const group groups[] = {{1, c->slips, c->mu},
                          {1 + c->slips, c->rolls, c->rolling},
                          {1 + c->slips + c->rolls, c->pivots, c->pivoting}};
  for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
    add_group(s, i, groups[k], normal, kept);
}

void walk_moreau_add_touches(walk_moreau* s)
{
  for (int i = 0; s->touches.by && i < s->touches.list.touch.n; i++) add_touch(s, i);
}

void walk_moreau_free_touches(walk_moreau* s)
{
  walk_touches* u = &s->touches;
  cone_touches* lists[] = {&u->list, &u->end};
  for (int i = 0; i < 2; i++) {
    base_list_free(&lists[i]->touch);
    base_list_free(&lists[i]->column);
    base_list_free(&lists[i]->value);
  }
  free(u->impulse);
  free(u->before);
  free(u->id);
  free(u->kept);
}
