// The queue of bodies in flight: what is due next, and the way of each in the last step.
#include "walk/flights.h"

#include <math.h>
#include <string.h>

// impacts of a step at least, so that what the walker does behind each costs an impact little
enum { least_impacts = 64 };

// ---- the heap -----------------------------------------------------------------------------------

// bodies of one instant in their order, so that a run can be repeated
static bool is_before(const walk_flights* f, int a, int b)
{
  const double x = f->body[a].due, y = f->body[b].due;
  return x < y || (x == y && a < b);
}

static void put(walk_flights* f, int at, int body)
{
  f->heap[at] = body;
  f->place[body] = at;
}

static void move_up(walk_flights* f, int at)
{
  const int body = f->heap[at];
  for (int above; at > 0 && is_before(f, body, f->heap[above = (at - 1) / 2]); at = above)
    put(f, at, f->heap[above]);
  put(f, at, body);
}

static void move_down(walk_flights* f, int at)
{
  const int body = f->heap[at];
  for (int next; (next = 2 * at + 1) < f->bodies; at = next) {
    if (next + 1 < f->bodies && is_before(f, f->heap[next + 1], f->heap[next])) next++;
    if (!is_before(f, f->heap[next], body)) break;
    put(f, at, f->heap[next]);
  }
  put(f, at, body);
}

// ---- what is due --------------------------------------------------------------------------------

static int partner_of(const walk_flight_gap* g, int body)
{
  return g->body[0] == body ? g->body[1] : g->body[0];
}

// is this gap the first so far that awaits a body?
static void look_at_gap(walk_flights* f, int body, int gap, double now)
{
  walk_flight_body* b = &f->body[body];
  const walk_flight_gap* g = walk_flights_gap(f, body, gap);
  const double t = now + walk_flights_closing(f, g, now);
  if (!(t < b->due)) return;
  const int partner = partner_of(g, body);
  b->due = t;
  b->due_gap = gap;
  b->due_changes = partner == WALK_FLIGHT_NOBODY ? 0 : f->body[partner].changes;
}

// the first that awaits a body from now on
static void find_due(walk_flights* f, int body, double now)
{
  walk_flight_body* b = &f->body[body];
  walk_flights_find_leaving(f, b, now);
  b->due = b->leaves;
  b->due_gap = -1;
  for (int k = 0; k < b->gaps; k++) look_at_gap(f, body, b->gap[k], now);
  walk_flights_each_near(f, body, now, look_at_gap);
}

static void find_anew(walk_flights* f, int body, double now)
{
  find_due(f, body, now);
  move_up(f, f->place[body]);
  move_down(f, f->place[body]);
}

// does its partner still fly as it did when the impact was foreseen?
static bool is_stale(walk_flights* f, int body)
{
  const walk_flight_body* b = &f->body[body];
  const int partner = partner_of(walk_flights_gap(f, body, b->due_gap), body);
  return partner != WALK_FLIGHT_NOBODY && f->body[partner].changes != b->due_changes;
}

// ---- flights ------------------------------------------------------------------------------------

static void note_piece(walk_flights* f, walk_flight_body* b, int before)
{
  walk_flight_piece p = {.before = before, .t = b->t};
  memcpy(p.q, b->q, sizeof p.q);
  memcpy(p.v, b->v, sizeof p.v);
  b->piece = f->pieces.n;
  base_push(&f->pieces, p);
}

// a body stands at its place at t, its velocity ready to be changed
static void bring_to(walk_flight_body* b, double t)
{
  const double h = t - b->t;
  for (int i = 0; i < b->n; i++) {
    b->q[i] += h * (b->v[i] + h / 2 * b->a[i]);
    b->v[i] += h * b->a[i];
  }
  b->t = t;
  b->changes++;
}

void walk_flights_launch(walk_flights* f, double t, const double* y)
{
  const int n = f->e->n;
  f->t = f->t_old = f->to = t;
  f->pieces.n = 0;
  for (int i = 0; i < f->bodies; i++) {
    walk_flight_body* b = &f->body[i];
    b->t = t;
    for (int k = 0; k < b->n; k++) {
      b->q[k] = y[b->coord[k]];
      b->v[k] = y[n + b->coord[k]];
    }
    b->changes++;
    note_piece(f, b, -1);
  }
  walk_flights_fill_cells(f);
  for (int i = 0; i < f->bodies; i++) {
    find_due(f, i, t);
    put(f, i, i);
  }
  for (int i = f->bodies / 2 - 1; i >= 0; i--) move_down(f, i);
}

static int impact(walk_flights* f, int body, int gap, double t)
{
  const walk_flight_gap* g = walk_flights_gap(f, body, gap);
  const int of[2] = {g->body[0], g->body[1]}, count = of[1] == WALK_FLIGHT_NOBODY ? 1 : 2;
  for (int k = 0; k < count; k++) bring_to(&f->body[of[k]], t);
  if (walk_flights_hit(f, g, t)) return 1;
  for (int k = 0; k < count; k++) note_piece(f, &f->body[of[k]], f->body[of[k]].piece);
  for (int k = 0; k < count; k++) find_anew(f, of[k], t);
  f->made_impacts++;
  return 0;
}

int walk_flights_fly(walk_flights* f, double to, double* reached)
{
  const long most = f->bodies > least_impacts ? f->bodies : least_impacts;
  f->t_old = f->t;
  f->released = 0;
  f->made_impacts = 0;
  f->pieces.n = 0;
  for (int i = 0; i < f->bodies; i++) note_piece(f, &f->body[i], -1);
  while (f->bodies && f->made_impacts < most) {
    const int body = f->heap[0];
    const walk_flight_body* b = &f->body[body];
    if (!(b->due <= to)) break;
    f->t = b->due;
    const bool leaves = b->due_gap == -1;
    if (leaves) walk_flights_leave_cell(f, body);
    if (leaves || is_stale(f, body))
      find_anew(f, body, b->due);
    else if (impact(f, body, b->due_gap, b->due))
      return 1;
  }
  if (f->made_impacts < most) f->t = to;
  *reached = f->to = f->t;
  return 0;
}

void walk_flights_at(const walk_flights* f, double t, double* y)
{
  const int n = f->e->n;
  for (int i = 0; i < f->bodies; i++) {
    const walk_flight_body* b = &f->body[i];
    const walk_flight_piece* p = &f->pieces.at[b->piece];
    while (p->t > t && p->before >= 0) p = &f->pieces.at[p->before];
    const double h = t - p->t;
    for (int k = 0; k < b->n; k++) {
      y[b->coord[k]] = p->q[k] + h * (p->v[k] + h / 2 * b->a[k]);
      y[n + b->coord[k]] = p->v[k] + h * b->a[k];
    }
  }
}
