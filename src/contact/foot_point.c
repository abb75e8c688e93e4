// The nearest point of a base in flight: where another becomes nearer than the one that is
// followed, the contact goes over to it (model/roll_near.c). Nothing moves by that but the
// coordinates of the contact, which have no mass.
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { around = 24, round_points = 400, most_turns = 60, newton_turns = 30 };
static const double golden = 2.399963229728653;

static const model_near* near_of(const engine* e, int i)
{
  return &e->model->contact[i].near;
}

// where the values of contact i stand in the output of the kernel
static const double* values(engine* e, int i)
{
  int at = 0;
  for (int j = 0; j < i; j++) at += near_of(e, j)->count ? 5 : 0;
  code_run(e->program->feet, e->in, e->work.foot_out, e->work.scratch);
  return e->work.foot_out + at;
}

// numbers of the coordinates that tell the point of the base
static void places_of(const engine* e, int i, int* at)
{
  const model_near* near = near_of(e, i);
  for (int k = 0; k < near->count; k++)
    for (int j = 0; j < e->n; j++)
      if (e->s->q[j] == near->coord[k]) at[k] = j;
}

typedef struct search
{
  engine* e;
  int i, count;
  int at[3];
  double best, x[3];
  bool lost;
} search;

// F at the coordinates x; kept where it is the least
static bool try_at(search* s, const double* x)
{
  double y[3], size = 0;
  memcpy(y, x, sizeof(double) * (size_t)s->count);
  for (int k = 0; k < 3 && s->count == 3; k++) size += x[k] * x[k];
  for (int k = 0; k < 3 && s->count == 3; k++) y[k] /= sqrt(size);
  for (int k = 0; k < s->count; k++) s->e->q[s->at[k]] = y[k];
  const double F = values(s->e, s->i)[0];
  if (!(F < s->best)) return false;
  s->best = F;
  memcpy(s->x, y, sizeof(double) * (size_t)s->count);
  return true;
}

// every point of a coarse net
static void cast(search* s, const double* v)
{
  const double middle[2] = {v[1], v[2]}, half[2] = {v[3], v[4]};
  for (int k = 0; k < round_points && s->count == 3; k++) {
    const double z = 1 - (2 * k + 1.0) / round_points, r = sqrt(1 - z * z);
    try_at(s, (const double[3]){r * cos(golden * k), r * sin(golden * k), z});
  }
  for (int a = 0; a <= around && s->count == 2; a++)
    for (int b = 0; b <= around; b++)
      try_at(s, (const double[2]){middle[0] + half[0] * (2.0 * a / around - 1),
                                  middle[1] + half[1] * (2.0 * b / around - 1)});
}

// from the best of them on, by steps that shrink
static void refine(search* s, const double* step)
{
  double part = 1;
  for (int turn = 0; turn < most_turns; turn++) {
    bool better = false;
    for (int k = 0; k < 2 * s->count; k++) {
      double x[3];
      memcpy(x, s->x, sizeof(double) * (size_t)s->count);
      x[k / 2] += (k % 2 ? part : -part) * step[k / 2];
      better = try_at(s, x) || better;
    }
    if (!better) part /= 2;
  }
}

static void find_least(search* s)
{
  double v[5];
  memcpy(v, values(s->e, s->i), sizeof v);
  s->best = INFINITY;
  cast(s, v);
  const double round[3] = {0.1, 0.1, 0.1}, flat[2] = {v[3] / around, v[4] / around};
  refine(s, s->count == 3 ? round : flat);
}

// The constraints that tie the point of the base to the body, solved for its coordinates alone.
static bool settle(search* s)
{
  engine* e = s->e;
  const model_near* near = near_of(e, s->i);
  const int m = s->count, n = e->n;
  double J[9], f[3];
  int pivot[3];
  for (int turn = 0; turn < newton_turns; turn++) {
    double moved = 0;
    code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
    for (int r = 0; r < m; r++) {
      f[r] = e->f0[near->row[r]];
      for (int k = 0; k < m; k++) J[r * m + k] = e->LA[near->row[r] * n + s->at[k]];
    }
    if (!num_lu(m, J, pivot)) return false;
    num_lu_solve(m, J, pivot, f);
    for (int k = 0; k < m; k++) {
      e->q[s->at[k]] -= f[k];
      moved = fmax(moved, fabs(f[k]) / (1 + fabs(e->q[s->at[k]])));
    }
    if (moved < engine_foot_solved) break;
  }
  for (int k = 0; k < m; k++)
    if (!(fabs(e->q[s->at[k]] - s->x[k]) < 0.1 * (1 + fabs(s->x[k])))) return false;
  return true;
}

// what distances of this contact are measured by, levels evaluated
static double reach_of(const search* s)
{
  const engine* e = s->e;
  const int gap = e->model->contact[s->i].gap;
  return fmax(fabs(e->f0[gap]), engine_scale_row(e, gap, 0));
}

// Is another point than that of the state in the input block nearer? Then it is in s->x. `lost`:
// the surfaces are in each other where none is found.
static bool find_nearer(search* s)
{
  engine* e = s->e;
  const int gap = e->model->contact[s->i].gap;
  double kept[3], v[5];
  places_of(e, s->i, s->at);
  for (int k = 0; k < s->count; k++) kept[k] = e->q[s->at[k]];
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  const double followed = e->f0[gap];
  memcpy(v, values(e, s->i), sizeof v);
  find_least(s);
  bool nearer = s->best < v[0] - engine_same_foot * reach_of(s);
  if (nearer) {
    for (int k = 0; k < s->count; k++) e->q[s->at[k]] = s->x[k];
    s->lost = !settle(s) && s->best < -engine_same_foot * reach_of(s);
    code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
    nearer = s->lost || e->f0[gap] < followed - engine_same_foot * fabs(followed);
    for (int k = 0; k < s->count; k++) s->x[k] = e->q[s->at[k]];
  }
  for (int k = 0; k < s->count; k++) e->q[s->at[k]] = kept[k];
  return nearer;
}

bool contact_foot_is_followed(const engine* e, int i)
{
  const model_contact* c = &e->model->contact[i];
  return c->near.count && !c->near.stays && e->unilateral && !e->mode.active[c->gap];
}

bool contact_foot_seed(engine* e, int i)
{
  search s = {.e = e, .i = i, .count = near_of(e, i)->count};
  if (!s.count) return true;
  places_of(e, i, s.at);
  find_least(&s);
  for (int k = 0; k < s.count; k++) e->q[s.at[k]] = s.x[k];
  return settle(&s);
}

int contact_foot_change(engine* e, int i)
{
  search s = {.e = e, .i = i, .count = near_of(e, i)->count};
  if (!find_nearer(&s)) return 0;
  for (int k = 0; k < s.count; k++) e->q[s.at[k]] = s.x[k];
  if (!s.lost && !engine_kick(e, NULL)) return 0;
  snprintf(e->reason, sizeof e->reason,
           "contact `%s`: the point of the base that is next to the body in flight is not found",
           e->model->contact[i].name);
  return 1;
}

bool contact_foot_is_passed(engine* e, int i)
{
  search s = {.e = e, .i = i, .count = near_of(e, i)->count};
  return find_nearer(&s);
}
