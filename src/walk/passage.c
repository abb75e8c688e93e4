// Passing a singular position of the constraints.
//
// Near a position where A loses rank the state is known to rounding over sigma, the directions of
// motion to rounding over sigma^2, accelerations to rounding over sigma^3, sigma the singular value
// that vanishes. But on a branch that crosses others all of them are smooth functions of time. So
// the motion is found as a polynomial that satisfies the equations at nodes on both sides, where
// sigma is not small, each state put on the branch first. That the constraints then hold between
// the nodes and the position, too, says that the branch does cross there: where it only comes near
// another and turns away, they would not.
#include "walk/passage.h"

#include "contact/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { nodes = STEP_BRIDGE_NODES, most_turns = 30, most_spans = WALK_PASSAGE_MOST_ZEROS + 1 };
static const double pi = 3.14159265358979323846;

// nodes keep away from the position by this share of the way to it
static const double keep_away = 0.25;
// the position is known well enough for its nodes when it moves by less, as a share of `away`
static const double well_placed = 0.05;
// instants nearer than this share of the reach are one
static const double same_instant = 0.02;
// a margin in proportion to the time is at least this share of it; one that vanishes as its square
// is a quarter of it at `keep_away`
static const double in_proportion = 0.35;

// ---- where the constraints lose rank
// -------------------------------------------------------------

// before its polynomial is known, along a parabola
void walk_passage_go_to(walk_passage* p, double t)
{
  engine* e = p->r->e;
  const int n = e->n;
  if (p->made) {
    step_method_bridge.dense(p->bridge, t, p->here);
  } else {
    const double h = t - p->t;
    for (int i = 0; i < n; i++) {
      p->here[i] = p->y[i] + h * (p->y[n + i] + h / 2 * p->a[i]);
      p->here[n + i] = p->y[n + i] + h * p->a[i];
    }
    p->here[2 * n] = p->y[2 * n];
  }
  engine_state(e, t, p->here, p->here + n);
}

// Where the singular value nearest to zero is least, nan where that is not within reach. A motion
// that is known only nearly misses the position by a little: sigma^2 = s^2 (t - z)^2 + g^2, with
// the rate s away from it, and Newton's method on its derivative is t - sigma sigma'/s^2.
static double find_zero(walk_passage* p, double guess, double reach)
{
  const engine_rank* k = p->rank;
  double t = guess, fastest = p->rate, nearest = INFINITY;
  for (int turn = 0; turn < most_turns; turn++) {
    double step = INFINITY;
    walk_passage_go_to(p, t);
    engine_rank_values(p->rank);
    nearest = INFINITY;
    for (int i = 0; i < k->rows; i++) {
      if (!(k->sigma[i] < nearest)) continue;
      nearest = k->sigma[i];
      fastest = fmax(p->rate, fabs(k->slope[i]));
      step = -k->sigma[i] * k->slope[i] / (fastest * fastest);
    }
    if (!(fabs(step) <= reach)) return NAN;
    t += step;
    if (fabs(t - p->t) > 3 * reach) return NAN;
    if (fabs(step) < well_placed / 10 * keep_away * reach) break;
  }
  return nearest < fastest * keep_away * reach ? t : NAN;
}

// all of them within reach of the first, which becomes the first of the list
static void list_zeros(walk_passage* p, double first, double reach)
{
  const engine_rank* k = p->rank;
  walk_passage_go_to(p, first);
  engine_rank_values(p->rank);
  p->zeros = 0;
  p->zero[p->zeros++] = first;
  int least = 0;
  for (int i = 1; i < k->rows; i++)
    if (k->sigma[i] < k->sigma[least]) least = i;
  for (int i = 0; i < k->rows && p->zeros < WALK_PASSAGE_MOST_ZEROS; i++) {
    if (i == least) continue;
    const double z = first - k->sigma[i] / k->slope[i];
    if (!(fabs(z - first) < reach)) continue;
    bool known = false;
    for (int j = 0; j < p->zeros; j++) known = known || fabs(z - p->zero[j]) < same_instant * reach;
    if (!known) p->zero[p->zeros++] = z;
  }
}

// ---- the nodes ----------------------------------------------------------------------------------

static int by_size(const void* a, const void* b)
{
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// what is left of the span without the neighbourhoods of the zeros: pairs of ends
static int free_spans(const walk_passage* p, double from, double to, double* end)
{
  double zero[WALK_PASSAGE_MOST_ZEROS];
  memcpy(zero, p->zero, sizeof zero);
  qsort(zero, (size_t)p->zeros, sizeof *zero, by_size);
  int count = 0;
  double at = from;
  for (int i = 0; i <= p->zeros; i++) {
    const double stop = i < p->zeros ? zero[i] - p->away : to;
    if (stop - at > p->away) {
      end[2 * count] = at;
      end[2 * count++ + 1] = stop;
    }
    if (i < p->zeros) at = zero[i] + p->away;
  }
  return count;
}

// Chebyshev's points in each, as many as is its share
static bool place_nodes(const walk_passage* p, step_bridge_span* s)
{
  double end[2 * most_spans], whole = 0;
  const int spans = free_spans(p, s->from, s->to, end);
  for (int i = 0; i < spans; i++) whole += end[2 * i + 1] - end[2 * i];
  if (spans < 2) return false;
  double before = 0;
  for (int i = 0, at = 0; i < spans; i++) {
    before += end[2 * i + 1] - end[2 * i];
    const int until = i + 1 == spans ? nodes : (int)lround(nodes * before / whole);
    const int count = until - at;
    const double middle = (end[2 * i] + end[2 * i + 1]) / 2, half = end[2 * i + 1] - middle;
    for (int j = 0; j < count; j++, at++)
      s->node[at] = middle - half * cos(pi * (2 * j + 1) / (2 * count));
  }
  return true;
}

// ---- the motion ---------------------------------------------------------------------------------

static bool cross(walk_passage* p)
{
  step_bridge_span* s = &p->span;
  const int n = p->r->f->ode.n;
  if (!place_nodes(p, s)) return false;
  for (int j = 0; j < nodes; j++) {
    walk_passage_go_to(p, s->node[j]);
    memcpy(p->Y + j * n, p->here, sizeof(double) * (size_t)n);
  }
  p->made = false;
  p->made = step_bridge_cross(p->bridge, s, p->Y);
  return p->made;
}

// the span about the zeros, and the motion across
static bool cross_about(walk_passage* p, double first, double reach)
{
  const double way = fmax(fabs(first - p->t), reach);
  list_zeros(p, first, way);
  double low = first, high = first;
  for (int i = 0; i < p->zeros; i++) {
    low = fmin(low, p->zero[i]);
    high = fmax(high, p->zero[i]);
  }
  p->away = keep_away * way;
  p->span.from = fmin(low - way, p->t);
  p->span.to = high + way;
  p->span.origin = p->t;
  p->span.y = p->y;
  p->span.scale = p->scale;
  return cross(p);
}

// how far a state is moved when it is put on the constraints, over the size of the motion
static double off_branch(walk_passage* p, double t)
{
  engine* e = p->r->e;
  const int n = e->n;
  bool moved;
  walk_passage_go_to(p, t);
  if (engine_project(e, &moved)) return INFINITY;
  double off = 0;
  for (int level = 0; level < 2; level++) {
    double apart = 0;
    const double *now = e->q + level * n, *was = p->here + level * n;
    for (int i = 0; i < n; i++) apart = fmax(apart, fabs(now[i] - was[i]));
    if (apart > 0) off = fmax(off, apart / p->size[level]);
  }
  return off;
}

// between the nodes and the position, on both sides of each
static bool is_on_branch(walk_passage* p)
{
  for (int i = 0; i < p->zeros; i++)
    for (int side = -1; side <= 1; side += 2) {
      const double t = p->zero[i] + 0.7 * side * p->away;
      if (!(off_branch(p, t) < engine_on_branch)) return false;
    }
  return true;
}

// The branches part at an angle, so that the velocity tells one from another: the margin vanishes
// in proportion to the time. Where they touch it vanishes faster.
static bool parts_at_an_angle(walk_passage* p, double margin)
{
  const double there = fabs(p->zero[0] - p->t);
  if (there < p->away) return true;
  for (int z = 0; z < p->zeros; z++)
    for (int side = -1; side <= 1; side += 2) {
      walk_passage_go_to(p, p->zero[z] + side * p->away);
      engine_rank_values(p->rank);
      double least = INFINITY;
      for (int i = 0; i < p->rank->rows; i++) least = fmin(least, p->rank->sigma[i]);
      if (least < in_proportion * margin * p->away / there) return false;
    }
  return true;
}

// A row binds sum_j A_kj x_j: the rounding of its largest term is that of x_i, over A_ki, in all
// its rows together. So a coordinate that stays at zero has the scale of those it is bound to, in
// its own unit.
static void find_scales(walk_passage* p)
{
  engine* e = p->r->e;
  const engine_rank* k = p->rank;
  const int n = e->n;
  const double* w = e->work.weight;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  engine_rank_take(p->rank, false);
  for (int level = 0; level < 2; level++)
    for (int i = 0; i < n; i++) {
      const double* x = p->y + level * n;
      double sum = 0, squares = 0;
      for (int r = 0; r < k->rows; r++) {
        double term = 0;
        for (int j = 0; j < n; j++) term = fmax(term, fabs(k->A[r * n + j] * (x[j] / w[j])));
        sum += fabs(k->A[r * n + i]) * term;
        squares += k->A[r * n + i] * k->A[r * n + i];
      }
      p->scale[level * n + i] = squares > 0 ? w[i] * (sum / squares) : 0;
    }
}

bool walk_passage_find(walk_passage* p, double t, const double* y, double ahead, double reach,
                       double rate, double allowed)
{
  engine* e = p->r->e;
  const int n = e->n;
  p->made = false;
  p->rate = rate;
  p->t = t;
  memcpy(p->y, y, sizeof(double) * (size_t)(2 * n + 1));
  memset(p->a, 0, sizeof(double) * (size_t)n);
  p->size[0] = p->size[1] = 0;
  for (int i = 0; i < 2 * n; i++) p->size[i / n] = fmax(p->size[i / n], fabs(y[i]));
  engine_state(e, t, y, y + n);
  find_scales(p);
  // at the position itself accelerations are not known beforehand
  if (fabs(ahead) > keep_away * reach) {
    if (contact_accelerations(e)) return false;
    memcpy(p->a, e->a, sizeof(double) * (size_t)n);
  }
  const double far = fmax(fabs(ahead), reach);
  double first = find_zero(p, t + ahead, far);
  if (isnan(first) || (ahead > 0 && first < t)) return false;
  if (!cross_about(p, first, reach)) return false;
  for (int turn = 0; turn < 3; turn++) {
    const double now = find_zero(p, first, far);
    if (isnan(now)) return false;
    const bool placed = fabs(now - first) < well_placed * p->away;
    first = now;
    if (placed) break;
    if (!cross_about(p, first, reach)) return false;
  }
  if (!(step_bridge_error(p->bridge) < allowed) || !is_on_branch(p)) return false;
  if (!parts_at_an_angle(p, rate * fabs(ahead))) return false;
  return walk_passage_take_reactions(p);
}

// ---- what the rest of the run sees of it
// ---------------------------------------------------------

// In the neighbourhood of the position accelerations and reactions are those of the polynomials, as
// long as the state is the one of the passage.
static bool gives(void* context, engine* e)
{
  walk_passage* p = context;
  const int n = e->n;
  const double t = e->in[0];
  bool near = false;
  for (int i = 0; i < p->zeros; i++) near = near || fabs(t - p->zero[i]) < p->away;
  if (!near) return false;
  step_method_bridge.dense(p->bridge, t, p->there);
  for (int i = 0; i < 2 * n; i++)
    if (!(fabs(p->there[i] - e->q[i]) <=
          engine_same_state * fmax(fabs(p->there[i]), p->size[i / n])))
      return false;
  step_bridge_slopes(p->bridge, t, p->there);
  memcpy(e->a, p->there + n, sizeof(double) * (size_t)n);
  walk_passage_give_reactions(p, t);
  return true;
}

walk_passage* walk_passage_new(walk_job* r, engine_rank* rank)
{
  engine* e = r->e;
  const int width = r->f->ode.n;
  walk_passage* p = engine_take(e, 1, sizeof *p);
  p->r = r;
  p->rank = rank;
  p->bridge = step_method_bridge.create(&step_method_bridge, &r->f->ode);
  p->y = engine_doubles(e, width);
  p->scale = engine_doubles(e, width);
  p->a = engine_doubles(e, e->n);
  p->Y = engine_doubles(e, nodes * width);
  p->force = engine_doubles(e, nodes * e->m);
  p->lambda = engine_doubles(e, nodes * e->m);
  p->product = engine_doubles(e, nodes * e->m);
  p->residue = engine_doubles(e, WALK_PASSAGE_MOST_ZEROS * e->m);
  p->here = engine_doubles(e, width);
  p->there = engine_doubles(e, width);
  p->given = (engine_passage){p, gives};
  return p;
}

void walk_passage_free(walk_passage* p)
{
  if (p) step_method_bridge.destroy(p->bridge);
}
