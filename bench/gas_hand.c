// A gas of hard discs in the unit square by hand, event by event: gas_hand DISCS UNTIL.
// Discs of equal masses fly straight; cells of a fixed grid, and a heap with one event for a disc
// (Lubachevsky 1991). The start is that of gas.py. Prints impacts, microseconds an impact
// (processor time), the change of the energy over itself.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { wall_x = -1, wall_y = -2, crossing = -3, nothing = -4 };

typedef struct disc
{
  double x, y, u, v, t; // place and velocity at t
  double due;           // the next event, with whom, and how often that was hit by then
  int with, hits, with_hits;
  int column, row, next, before, side;
} disc;

static int discs, cells;
static double radius, width;
static disc* all;
static int *head, *heap, *place;

static int* head_of(const disc* d)
{
  return &head[d->row * cells + d->column];
}

static void put(int i)
{
  disc* d = &all[i];
  d->before = -1;
  d->next = *head_of(d);
  if (d->next >= 0) all[d->next].before = i;
  *head_of(d) = i;
}

static void take_out(int i)
{
  const disc* d = &all[i];
  if (d->next >= 0) all[d->next].before = d->before;
  if (d->before >= 0)
    all[d->before].next = d->next;
  else
    *head_of(d) = d->next;
}

static void set_due(disc* d, double t, int with, int hits, int side)
{
  if (!(t < d->due)) return;
  d->due = t;
  d->with = with;
  d->with_hits = hits;
  d->side = side;
}

// along one axis: the wall, and the side of the cell
static void find_axis(disc* d, double now, double x, double speed, int cell, int wall, int side)
{
  if (speed == 0) return;
  const double to_wall = ((speed > 0 ? 1 - radius : radius) - x) / speed;
  const double to_side = ((cell + (speed > 0)) * width - x) / speed;
  set_due(d, now + fmax(to_wall, 0), wall, 0, 0);
  set_due(d, now + fmax(to_side, 0), crossing, 0, speed > 0 ? side : -side);
}

static void find_pair(disc* d, double now, double x, double y, int j)
{
  const disc* o = &all[j];
  const double h = now - o->t, dx = x - (o->x + h * o->u), dy = y - (o->y + h * o->v),
               du = d->u - o->u, dv = d->v - o->v, b = dx * du + dy * dv;
  if (b >= 0) return;
  const double c = dx * dx + dy * dy - 4 * radius * radius, root = b * b - (du * du + dv * dv) * c;
  if (root < 0) return;
  set_due(d, now + fmax(c, 0) / (sqrt(root) - b), j, o->hits, 0);
}

static int earlier(int i, int j)
{
  return all[i].due < all[j].due;
}

static void sift(int i)
{
  int at = place[i], to;
  for (; at && earlier(i, heap[to = (at - 1) / 2]); at = to) place[heap[at] = heap[to]] = at;
  for (; (to = 2 * at + 1) < discs; at = to) {
    if (to + 1 < discs && earlier(heap[to + 1], heap[to])) to++;
    if (!earlier(heap[to], i)) break;
    place[heap[at] = heap[to]] = at;
  }
  place[heap[at] = i] = at;
}

static void find(int i, double now)
{
  disc* d = &all[i];
  const double h = now - d->t, x = d->x + h * d->u, y = d->y + h * d->v;
  d->due = INFINITY;
  d->with = nothing;
  find_axis(d, now, x, d->u, d->column, wall_x, 1);
  find_axis(d, now, y, d->v, d->row, wall_y, 2);
  for (int r = d->row ? d->row - 1 : 0; r <= d->row + 1 && r < cells; r++)
    for (int c = d->column ? d->column - 1 : 0; c <= d->column + 1 && c < cells; c++)
      for (int j = head[r * cells + c]; j >= 0; j = all[j].next)
        if (j != i) find_pair(d, now, x, y, j);
  sift(i);
}

static void bring(disc* d, double t)
{
  d->x += (t - d->t) * d->u;
  d->y += (t - d->t) * d->v;
  d->t = t;
  d->hits++;
}

static void collide(disc* a, disc* b)
{
  const double dx = a->x - b->x, dy = a->y - b->y, square = dx * dx + dy * dy,
               push = ((a->u - b->u) * dx + (a->v - b->v) * dy) / square;
  a->u -= push * dx;
  a->v -= push * dy;
  b->u += push * dx;
  b->v += push * dy;
}

static void cross(int i)
{
  disc* d = &all[i];
  const int step = d->side > 0 ? 1 : -1;
  take_out(i);
  if (abs(d->side) == 1)
    d->column += step;
  else
    d->row += step;
  put(i);
}

// the next event; is it an impact?
static int next(void)
{
  const int i = heap[0];
  disc* d = &all[i];
  const double t = d->due;
  const int with = d->with;
  if (with == crossing) cross(i);
  if (with == crossing || (with >= 0 && all[with].hits != d->with_hits)) {
    find(i, t);
    return 0;
  }
  bring(d, t);
  if (with == wall_x) d->u = -d->u;
  if (with == wall_y) d->v = -d->v;
  if (with >= 0) {
    bring(&all[with], t);
    collide(d, &all[with]);
    find(with, t);
  }
  find(i, t);
  return 1;
}

static double energy(void)
{
  double sum = 0;
  for (int i = 0; i < discs; i++) sum += (all[i].u * all[i].u + all[i].v * all[i].v) / 2;
  return sum;
}

static void start(void)
{
  const int side = (int)ceil(sqrt(discs));
  radius = 0.25 / side;
  cells = side;
  width = 1.0 / cells;
  all = calloc((size_t)discs, sizeof *all);
  heap = malloc(sizeof(int) * (size_t)discs);
  place = malloc(sizeof(int) * (size_t)discs);
  head = malloc(sizeof(int) * (size_t)(cells * cells));
  for (int i = 0; i < cells * cells; i++) head[i] = -1;
  for (int i = 0; i < discs; i++) {
    all[i] = (disc){.x = (i % side + 0.5) / side,
                    .y = (i / side + 0.5) / side,
                    .u = sin(3 * (i + 1)),
                    .v = cos(7 * (i + 1)),
                    .due = INFINITY,
                    .column = i % side,
                    .row = i / side};
    place[heap[i] = i] = i;
    put(i);
  }
  for (int i = 0; i < discs; i++) find(i, 0);
}

int main(int count, char** argument)
{
  if (count != 3) return 2;
  discs = atoi(argument[1]);
  const double until = atof(argument[2]);
  start();
  const double before = energy();
  const clock_t from = clock();
  long impacts = 0;
  while (all[heap[0]].due <= until) impacts += next();
  const double seconds = (double)(clock() - from) / CLOCKS_PER_SEC;
  printf("%ld %.6g %.3g\n", impacts, 1e6 * seconds / (double)impacts, energy() / before - 1);
  free(all);
  free(heap);
  free(place);
  free(head);
  return 0;
}
