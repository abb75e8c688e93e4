// Flat shapes with corners, event by event: which corners stand above which sides.
//
// Two convex shapes are parted most along the normal of a side of one of them, or overlap least
// along it. With the side j of B, the lowest corner of A above it ends two sides of A; the one that
// leans less is k. What may touch next are the ends of k above j, and those of j above k, as far as
// they stand above the side and not beyond its ends. Gaps of all corners above all sides are rows
// of the system, so that all of this is read from them. A circle has one corner, its centre, and a
// radius: it stands above the side that parts it most, or beyond its end at that corner. Where
// shapes are farther apart than they can come in a while, nothing of them is looked at.
#include "contact/footing.h"

#include <math.h>
#include <string.h>

// one shape: its corners, and of the sides from each to the next lengths and normals
typedef struct outline
{
  int n;
  double (*at)[2], (*normal)[2], *length;
  double size;   // across
  double radius; // of a circle, whose gaps are less by it than the heights of its centre
} outline;

typedef struct facing
{
  outline shape[2];
  const int* row[2]; // of corner i of shape s above side j of the other: row[s][i * n_other + j]
} facing;

struct contact_facings
{
  int count;
  facing* pair;
  bool* wanted;               // by inequality
  int* number;                // of the inequality of a row
  contact_footings* footings; // shapes in space (footing.c)
};

// ---- what is made once --------------------------------------------------------------------------

static void draw(engine* e, const model_solid* x, outline* out)
{
  out->n = x->points;
  out->at = engine_take(e, (size_t)out->n, sizeof *out->at);
  out->normal = engine_take(e, (size_t)out->n, sizeof *out->normal);
  out->length = engine_doubles(e, out->n);
  for (int i = 0; i < out->n; i++) {
    out->at[i][0] = engine_value_again(e, x->point[i][0]);
    out->at[i][1] = engine_value_again(e, x->point[i][1]);
  }
  out->radius = engine_value_again(e, x->radius);
  out->size = 2 * out->radius;
  for (int i = 0; i < out->n && out->n > 1; i++) {
    const double *a = out->at[i], *b = out->at[(i + 1) % out->n];
    out->length[i] = hypot(b[0] - a[0], b[1] - a[1]);
    out->normal[i][0] = (b[1] - a[1]) / out->length[i];
    out->normal[i][1] = (a[0] - b[0]) / out->length[i];
    for (int j = 0; j < i; j++)
      out->size = fmax(out->size, hypot(a[0] - out->at[j][0], a[1] - out->at[j][1]));
  }
}

bool contact_facing_new(engine* e, base_notes* notes)
{
  const model* m = e->model;
  contact_inequalities* u = e->unilateral;
  if (!(m->facings || m->footings) || e->program->is_part) return true;
  contact_facings* f = u->facings = engine_take(e, 1, sizeof *f);
  f->count = m->facings / 2;
  f->pair = engine_take(e, (size_t)f->count, sizeof *f->pair);
  f->wanted = engine_take(e, (size_t)u->count + 1, sizeof(bool));
  f->number = engine_take(e, (size_t)e->m + 1, sizeof(int));
  for (int i = 0; i < u->count; i++) f->number[u->of[i]] = i;
  for (int i = 0; i < f->count; i++) {
    const model_facing* own = &m->facing[2 * i];
    draw(e, &m->solid[own->a], &f->pair[i].shape[0]);
    draw(e, &m->solid[own->b], &f->pair[i].shape[1]);
    for (int s = 0; s < 2; s++) f->pair[i].row[s] = own[s].row;
  }
  return contact_footing_new(e, &f->footings, notes);
}

contact_footings* contact_facing_footings(const engine* e)
{
  return e->unilateral->facings ? e->unilateral->facings->footings : NULL;
}

// ---- heights ------------------------------------------------------------------------------------

static int row_of(const facing* x, int s, int corner, int side)
{
  return x->row[s][corner * x->shape[!s].n + side];
}

static double height(const engine* e, const facing* x, int s, int corner, int side)
{
  return e->f0[row_of(x, s, corner, side)];
}

// the corner of shape s that is lowest above a side of the other
static int lowest(const engine* e, const facing* x, int s, int side)
{
  int found = 0;
  for (int i = 1; i < x->shape[s].n; i++)
    if (height(e, x, s, i, side) < height(e, x, s, found, side)) found = i;
  return found;
}

// how far shape s is parted from the other along the normal of one of the other's sides
static double parted(const engine* e, const facing* x, int s, int* side)
{
  double most = -INFINITY;
  for (int j = 0; j < x->shape[!s].n; j++) {
    const double apart = height(e, x, s, lowest(e, x, s, j), j);
    if (!(apart > most)) continue;
    most = apart;
    *side = j;
  }
  return most;
}

// of the two sides of shape s that end at its lowest corner above `side`, the one that leans less
static int leaning(const engine* e, const facing* x, int s, int side)
{
  const outline* o = &x->shape[s];
  const int at = lowest(e, x, s, side), before = (at + o->n - 1) % o->n, next = (at + 1) % o->n;
  const double low = height(e, x, s, at, side);
  const double up = (height(e, x, s, next, side) - low) / o->length[at],
               down = (height(e, x, s, before, side) - low) / o->length[before];
  return up <= down ? at : before;
}

// How far a corner of shape s stands beyond the end of a side of the other, along it: told by its
// heights above that side and the next.
static double beyond_end(const engine* e, const facing* x, int s, int corner, int side)
{
  const outline* o = &x->shape[!s];
  const int next = (side + 1) % o->n;
  const double *n = o->normal[side], *m = o->normal[next];
  const double r = x->shape[s].radius, t[2] = {-n[1], n[0]}, g = height(e, x, s, corner, side) + r;
  // m . (y - w_next) with y - w_next = g n + (along - length) t
  return (height(e, x, s, corner, next) + r - g * (m[0] * n[0] + m[1] * n[1])) /
         (m[0] * t[0] + m[1] * t[1]);
}

// is it above the side, not beyond its ends? `margin` is taken off both
static bool stands_above(const engine* e, const facing* x, int s, int corner, int side,
                         double margin)
{
  const double beyond = beyond_end(e, x, s, corner, side);
  return beyond <= -margin && beyond >= margin - x->shape[!s].length[side];
}

// ---- the choice ---------------------------------------------------------------------------------

static double size_of(const facing* x)
{
  return fmin(x->shape[0].size, x->shape[1].size);
}

// the sides that face each other, one of each shape; false: they are far apart
static bool face_each_other(const engine* e, const facing* x, int side[2])
{
  int found[2] = {0, 0};
  const double by_second = parted(e, x, 0, &found[1]), by_first = parted(e, x, 1, &found[0]);
  if (!(fmax(by_first, by_second) <= engine_facing_near * size_of(x))) return false;
  const int of = by_first > by_second ? 0 : 1;
  side[of] = found[of];
  side[!of] = leaning(e, x, !of, found[of]);
  return true;
}

// the side or the corner of the second shape that the circle is next to
static void want_of_circle(const engine* e, contact_facings* f, const facing* x)
{
  int side = 0;
  if (!(parted(e, x, 0, &side) <= engine_facing_near * size_of(x))) return;
  const double beyond = beyond_end(e, x, 0, 0, side);
  const int corner = beyond > 0 ? (side + 1) % x->shape[1].n : side;
  const bool above = beyond <= 0 && beyond >= -x->shape[1].length[side];
  f->wanted[f->number[above ? row_of(x, 0, 0, side) : row_of(x, 1, corner, 0)]] = true;
}

static void want(const engine* e, contact_facings* f, const facing* x)
{
  int side[2];
  if (x->shape[0].n == 1) {
    want_of_circle(e, f, x);
    return;
  }
  if (!face_each_other(e, x, side)) return;
  const double margin = engine_facing_end * size_of(x);
  for (int s = 0; s < 2; s++)
    for (int end = 0; end < 2; end++) {
      const int corner = (side[s] + end) % x->shape[s].n;
      // corners that meet count once: those of the first shape
      if (stands_above(e, x, s, corner, side[!s], s ? margin : -margin))
        f->wanted[f->number[row_of(x, s, corner, side[!s])]] = true;
    }
}

// what is to be looked at in the state in the input block; levels evaluated
static void choose(engine* e)
{
  contact_facings* f = e->unilateral->facings;
  memset(f->wanted, 0, (size_t)e->unilateral->count);
  for (int i = 0; i < f->count; i++) want(e, f, &f->pair[i]);
}

// each inequality of the pairs by itself
static bool each_row(engine* e, bool set, bool* changed)
{
  const contact_inequalities* u = e->unilateral;
  const contact_facings* f = u->facings;
  bool any = false;
  for (int p = 0; p < e->model->facings; p++) {
    const facing* x = &f->pair[p / 2];
    for (int r = 0; r < x->shape[0].n * x->shape[1].n; r++) {
      const int i = f->number[x->row[p % 2][r]];
      if (u->present[i] == f->wanted[i]) continue;
      any = true;
      if (changed) changed[i] = true;
      if (set) u->present[i] = f->wanted[i];
    }
  }
  return any;
}

static bool corners_change(engine* e)
{
  if (!e->unilateral->facings->count) return false;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  choose(e);
  return each_row(e, false, NULL);
}

bool contact_facing_changes(engine* e)
{
  if (!e->unilateral || !e->unilateral->facings) return false;
  return corners_change(e) || contact_footing_changes(e, e->unilateral->facings->footings);
}

int contact_facing_choose(engine* e, bool* changed, bool* any)
{
  bool told = false;
  if (!any) any = &told;
  *any = false;
  if (!e->unilateral || !e->unilateral->facings) return 0;
  if (corners_change(e)) *any = each_row(e, true, changed);
  const int failed = contact_footing_choose(e, e->unilateral->facings->footings, changed, any);
  if (*any) engine_rows(e);
  return failed;
}

double contact_facing_while(engine* e)
{
  const contact_facings* f = e->unilateral->facings;
  double soonest = contact_footing_while(e, f->footings);
  if (f->count) code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < f->count; i++) {
    const facing* x = &f->pair[i];
    const int rows = x->shape[0].n * x->shape[1].n;
    double fastest = 0;
    for (int s = 0; s < 2; s++)
      for (int r = 0; r < rows; r++) fastest = fmax(fastest, fabs(e->f1[x->row[s][r]]));
    soonest = fmin(soonest, engine_facing_way * size_of(x) / fastest);
  }
  return soonest;
}
