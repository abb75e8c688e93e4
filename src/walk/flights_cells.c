// Who is near whom: bodies in cells of space, kept as they fly from one to the next.
//
// Where two bodies meet at a distance of their centres, and each has one centre for all whom it
// meets, only neighbours have to be looked at. A cell is a cube of some axes, no smaller than the
// largest such distance; a body looks at those in its own cell and in the ones around it, and again
// when it comes to another.
#include "walk/flights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// bodies in a cell, about
static const double crowd = 1;

// ---- centres ------------------------------------------------------------------------------------

// a distance: equal squares of differences, nothing else
static bool is_distance(const walk_flight_gap* g)
{
  bool equal = g->body[1] != WALK_FLIGHT_NOBODY && g->squares > 0 && g->squares <= WALK_FLIGHT_AXES;
  for (int k = 0; k < g->squares; k++)
    equal = equal && g->D[k] == g->D[0] && g->D[k] > 0 && g->shift[k] == 0;
  for (int i = 0; i < g->n; i++) equal = equal && g->G[i] == 0;
  return equal && g->c < 0;
}

// The centre of body which (0 or 1) as this gap has it; true if that is the one known, or none was.
static bool takes_centre(walk_flights* f, const walk_flight_gap* g, int which)
{
  walk_flight_body* b = &f->body[g->body[which]];
  // shapes have centres of their own
  if (b->families) return false;
  const int first = which ? f->body[g->body[0]].n : 0;
  const double sign = which ? -1 : 1;
  bool same = true;
  for (int k = 0; k < WALK_FLIGHT_AXES; k++)
    for (int i = 0; i < b->n; i++) {
      const double x = k < g->squares ? sign * g->row[k][first + i] : 0;
      same = same && (!b->centred || b->centre[k][i] == x);
      if (!b->centred) b->centre[k][i] = x;
    }
  b->centred = true;
  return same;
}

static double distance_of(const walk_flight_gap* g)
{
  return sqrt(-2 * g->c / g->D[0]);
}

static int by_partner(const void* a, const void* b)
{
  const walk_flight_pair *x = a, *y = b;
  return (x->partner > y->partner) - (x->partner < y->partner);
}

// the gaps that are distances of centres go from the lists of all to those of pairs
static void share_pairs(walk_flights* f, const bool* near, base_arena* arena)
{
  for (int i = 0; i < f->bodies; i++) {
    walk_flight_body* b = &f->body[i];
    int kept = 0;
    b->pair = base_arena_take(arena, sizeof *b->pair * (size_t)(b->gaps + 1));
    for (int k = 0; k < b->gaps; k++) {
      const walk_flight_gap* g = &f->gap[b->gap[k]];
      if (!near[b->gap[k]])
        b->gap[kept++] = b->gap[k];
      else
        b->pair[b->pairs++] =
            (walk_flight_pair){g->body[0] == i ? g->body[1] : g->body[0], b->gap[k]};
    }
    b->gaps = kept;
    b->centred = b->pairs > 0 || b->families;
    qsort(b->pair, (size_t)b->pairs, sizeof *b->pair, by_partner);
  }
}

// how far shapes reach, and along which axes their centres differ
static void see_shapes(walk_flights* f)
{
  const walk_flight_body* first = NULL;
  double most = 0;
  for (int i = 0; i < f->bodies; i++) {
    const walk_flight_body* b = &f->body[i];
    if (!b->families) continue;
    if (!first) first = b;
    most = fmax(most, b->radius);
    for (int k = f->axes; k < WALK_FLIGHT_AXES; k++) {
      bool differs = b->offset[k] != first->offset[k];
      for (int j = 0; j < b->n; j++) differs = differs || b->centre[k][j] != 0;
      if (differs) f->axes = k + 1;
    }
  }
  f->reach = fmax(f->reach, 2 * most);
}

void walk_flights_find_centres(walk_flights* f, base_arena* arena)
{
  bool* near = base_alloc((size_t)f->gaps + 1);
  for (int g = 0; g < f->gaps; g++) {
    near[g] =
        is_distance(&f->gap[g]) && takes_centre(f, &f->gap[g], 0) && takes_centre(f, &f->gap[g], 1);
    if (!near[g]) continue;
    f->reach = fmax(f->reach, distance_of(&f->gap[g]));
    f->axes = f->gap[g].squares > f->axes ? f->gap[g].squares : f->axes;
  }
  share_pairs(f, near, arena);
  free(near);
  see_shapes(f);
  f->buckets = 1;
  while (f->buckets < 2 * f->bodies) f->buckets *= 2;
  f->bucket = base_arena_take(arena, sizeof(int) * (size_t)f->buckets);
}

// ---- cells --------------------------------------------------------------------------------------

static int bucket_of(const walk_flights* f, const int64_t* cell)
{
  uint64_t x = 0;
  for (int k = 0; k < f->axes; k++) x = (x ^ (uint64_t)cell[k]) * 0x9e3779b97f4a7c15u;
  return (int)((x >> 32) & (uint64_t)(f->buckets - 1));
}

static void put(walk_flights* f, int body)
{
  walk_flight_body* b = &f->body[body];
  int* head = &f->bucket[bucket_of(f, b->cell)];
  b->next = *head;
  b->before = -1;
  if (*head >= 0) f->body[*head].before = body;
  *head = body;
}

static void take_out(walk_flights* f, int body)
{
  const walk_flight_body* b = &f->body[body];
  if (b->before >= 0)
    f->body[b->before].next = b->next;
  else
    f->bucket[bucket_of(f, b->cell)] = b->next;
  if (b->next >= 0) f->body[b->next].before = b->before;
}

// of the velocity or acceleration; of the place, where the offset is added
static double along(const walk_flight_body* b, int axis, const double* x)
{
  double sum = 0;
  for (int i = 0; i < b->n; i++) sum += b->centre[axis][i] * x[i];
  return sum;
}

// as large as there is room for the bodies, where that is more than their distances ask for
static double size_for(const walk_flights* f)
{
  double low[WALK_FLIGHT_AXES], high[WALK_FLIGHT_AXES], room = 1;
  int count = 0, wide = 0;
  for (int k = 0; k < f->axes; k++) low[k] = INFINITY, high[k] = -INFINITY;
  for (int i = 0; i < f->bodies; i++) {
    if (!f->body[i].centred) continue;
    count++;
    for (int k = 0; k < f->axes; k++) {
      const double x = along(&f->body[i], k, f->body[i].q) + f->body[i].offset[k];
      low[k] = fmin(low[k], x);
      high[k] = fmax(high[k], x);
    }
  }
  for (int k = 0; k < f->axes && count; k++)
    if (high[k] - low[k] > f->reach) room *= high[k] - low[k], wide++;
  return wide ? fmax(f->reach, pow(crowd * room / count, 1.0 / wide)) : f->reach;
}

void walk_flights_fill_cells(walk_flights* f)
{
  f->cell = size_for(f);
  for (int i = 0; i < f->buckets; i++) f->bucket[i] = -1;
  for (int i = 0; i < f->bodies; i++) {
    walk_flight_body* b = &f->body[i];
    if (!b->centred) continue;
    for (int k = 0; k < f->axes; k++)
      b->cell[k] = (int64_t)floor((along(b, k, b->q) + b->offset[k]) / f->cell);
    put(f, i);
  }
}

void walk_flights_find_leaving(const walk_flights* f, walk_flight_body* b, double now)
{
  const double h = now - b->t;
  b->leaves = INFINITY;
  for (int k = 0; k < f->axes && b->centred; k++) {
    const double a = along(b, k, b->a), v0 = along(b, k, b->v), v = v0 + h * a,
                 x = along(b, k, b->q) + b->offset[k] + h * (v0 + h / 2 * a);
    for (int side = -1; side <= 1; side += 2) {
      const double wall = (double)(b->cell[k] + (side > 0)) * f->cell;
      const double t = now + walk_flights_fall(side * (wall - x), -side * v, -side * a / 2);
      if (!(t < b->leaves)) continue;
      b->leaves = t;
      b->leaves_axis = k;
      b->leaves_side = side;
    }
  }
}

void walk_flights_leave_cell(walk_flights* f, int body)
{
  walk_flight_body* b = &f->body[body];
  take_out(f, body);
  b->cell[b->leaves_axis] += b->leaves_side;
  put(f, body);
}

// ---- neighbours ---------------------------------------------------------------------------------

// the number of the gap between two bodies, -1: they do not meet
static int gap_with(const walk_flights* f, const walk_flight_body* b, int partner)
{
  if (b->families & f->body[partner].families) return -2 - partner;
  if (!b->pairs) return -1;
  const walk_flight_pair key = {partner, 0};
  const walk_flight_pair* p = bsearch(&key, b->pair, (size_t)b->pairs, sizeof *b->pair, by_partner);
  return p ? p->gap : -1;
}

const walk_flight_gap* walk_flights_gap(walk_flights* f, int body, int gap)
{
  if (gap >= 0) return &f->gap[gap];
  walk_flight_gap* g = &f->made;
  const walk_flight_body *a = &f->body[body], *b = &f->body[-2 - gap];
  const walk_flight_family* family = &f->family[__builtin_ctzll(a->families & b->families)];
  const double reach = a->radius + b->radius;
  g->body[0] = body;
  g->body[1] = -2 - gap;
  g->n = a->n + b->n;
  g->squares = f->axes;
  for (int k = 0; k < f->axes; k++) {
    g->D[k] = 2;
    g->shift[k] = a->offset[k] - b->offset[k];
    for (int i = 0; i < a->n; i++) g->row[k][i] = a->centre[k][i];
    for (int i = 0; i < b->n; i++) g->row[k][a->n + i] = -b->centre[k][i];
  }
  g->c = -reach * reach;
  g->restitution = family->restitution;
  g->sequential = family->sequential;
  g->name = family->name;
  return g;
}

static void look_into(walk_flights* f, int body, const int64_t* cell, double now,
                      walk_flights_each* each)
{
  const walk_flight_body* b = &f->body[body];
  for (int other = f->bucket[bucket_of(f, cell)]; other >= 0; other = f->body[other].next) {
    // several cells may share a list
    const bool here = !memcmp(f->body[other].cell, cell, sizeof *cell * (size_t)f->axes);
    const int gap = here && other != body ? gap_with(f, b, other) : -1;
    if (gap != -1) each(f, body, gap, now);
  }
}

void walk_flights_each_near(walk_flights* f, int body, double now, walk_flights_each* each)
{
  const walk_flight_body* b = &f->body[body];
  int cells = 1;
  if (!b->centred) return;
  for (int k = 0; k < f->axes; k++) cells *= 3;
  for (int i = 0; i < cells; i++) {
    int64_t cell[WALK_FLIGHT_AXES];
    for (int k = 0, at = i; k < f->axes; k++, at /= 3) cell[k] = b->cell[k] + at % 3 - 1;
    look_into(f, body, cell, now, each);
  }
}
