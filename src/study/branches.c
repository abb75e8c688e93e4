// Branches of motions over a param: one through the motion told, and those that leave it.
//
// Where two branches cross, the null space of the derivatives is a plane. From a point a little
// along what is across the known branch Newton's method leads to the other one, on both sides; it
// is followed as one branch through the crossing.
#include "study/branch.h"
#include "study/locus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_rounds = 64, many_rounds = 4, behind_doubling = 4, most_of_many = 200 };
static const double most_work = 1e5; // flights over one period, of all branches but the first
static const double away = 0.02;     // of the crossing: how far the other branch is looked for
static const double nearest = 1e-7;  // and how near
static const double same = 1e-5;     // places that are one, in the measure of the curve

static const char* const kind_name[STUDY_KINDS] = {"fold",     "branch", "hopf",    "krein",
                                                   "doubling", "torus",  "grazing", "standstill"};

typedef struct trail
{
  study_places points; // from the start on, backwards and forwards
  study_places back;
  study_founds found, found_back;
  study_place* start;
  const char* ends[2];
  int from;
  double from_value;
  int rounds; // periods of the first branch in one of this one
  bool half;  // begins at a doubling
} trail;

typedef struct search
{
  study_road road;
  study_branches* out;
  BASE_LIST(trail) trails;
  double longest, away; // step of the first branch; how far others are looked for now
  int most;             // points of the first branch
  const study_branches_options* o;
  study_two two; // the second param, where special points are followed over it
  base_arena* arena;
} search;

// ---- one branch ---------------------------------------------------------------------------------

// The equations are those of motions of so many periods. A cascade has its doublings nearer and
// nearer to each other, by Feigenbaum's 4.67 in the end, so that steps are shorter in the same
// measure, and branches of long periods are followed to their own doubling and little further.
static void set_rounds(search* s, int rounds)
{
  if (s->road.wind) s->road.wind(s->road.context, rounds);
  s->road.longest = s->longest / (rounds < 4    ? rounds
                                  : rounds < 16 ? rounds
                                                : rounds * rounds / 16);
  s->road.behind = rounds >= many_rounds ? behind_doubling : 0;
  s->road.most_work = s->trails.n ? most_work : INFINITY;
  s->road.most = rounds >= many_rounds && s->most > most_of_many ? most_of_many : s->most;
  s->away = away * s->road.longest / s->longest;
}

static void follow(search* s, trail* t)
{
  set_rounds(s, t->rounds);
  t->ends[1] = study_path_walk(&s->road, t->start, false, &t->points, &t->found);
  if (t->points.n && !strcmp(t->ends[1], "the branch is closed")) {
    t->ends[0] = t->ends[1];
    return;
  }
  // behind a doubling the same motions lie, a period apart; behind an arm others do
  if (t->half || s->road.outwards) {
    t->ends[0] = t->half ? "the period doubles" : "several branches cross";
    return;
  }
  t->ends[0] = study_path_walk(&s->road, t->start, true, &t->back, &t->found_back);
  study_founds_drop_known(s->road.curve, &t->found, &t->found_back);
  if (t->from < 0 && t->points.n && t->back.n)
    study_path_join(&s->road, t->back.at[0], t->points.at[0], &t->found_back, &t->found);
}

// may one more branch be followed? If not, that is said
static bool may_go_on(search* s)
{
  const study_road* r = &s->road;
  const bool may =
      s->trails.n < STUDY_MOST_BRANCHES && !(r->work && r->work(r->context) > most_work);
  s->out->more = s->out->more || !may;
  return may;
}

static double distance(const study_curve* c, const double* a, const double* b)
{
  double sum = 0;
  for (int j = 0; j < c->wide; j++) sum += pow((a[j] - b[j]) / c->weight[j], 2);
  return sqrt(sum);
}

// the same crossing among the first ones of a list; null: it is not among them
static const study_found* same_crossing(const search* s, const study_found* f,
                                        const study_founds* list, int count)
{
  for (int i = 0; i < count; i++)
    if (list->at[i].kind == STUDY_BRANCH &&
        distance(s->road.curve, list->at[i].place->u, f->place->u) < same)
      return &list->at[i];
  return NULL;
}

// the same on a branch before, or before on this one; null where it is new
static const study_found* known_crossing(const search* s, const study_found* f, int trail_number,
                                         int number, bool back)
{
  for (int k = 0; k <= trail_number; k++)
    for (int side = 0; side < 2; side++) {
      const study_founds* list = side ? &s->trails.at[k].found_back : &s->trails.at[k].found;
      const bool here = k == trail_number && side == back;
      const study_found* known = same_crossing(s, f, list, here ? number : list->n);
      if (known || here) return known;
    }
  return NULL;
}

// does a branch followed since then go through it? Then that is what leaves there
static bool is_passed(const search* s, const study_found* f, int trail_number)
{
  for (int k = trail_number + 1; k < s->trails.n; k++) {
    const trail* t = &s->trails.at[k];
    if (same_crossing(s, f, &t->found, t->found.n) ||
        same_crossing(s, f, &t->found_back, t->found_back.n))
      return true;
  }
  return false;
}

// a place of the other branch on one side of the crossing; null where none is found
static study_place* leave(const search* s, const study_place* p, const double* across, double side)
{
  study_curve* c = s->road.curve;
  double* u = base_alloc(sizeof(double) * (size_t)c->wide);
  study_place* found = NULL;
  for (double far = s->away; far > nearest && !found; far /= 4) {
    for (int j = 0; j < c->wide; j++) u[j] = p->u[j] + side * far * across[j];
    if (!study_curve_correct(c, across, p->u, side * far, u)) continue;
    found = study_place_new(&s->road, u, NULL);
  }
  free(u);
  return found;
}

// What leaves the branch there, and how: on the side of the param where the branch is unstable
// (super) or stable (sub), or on both (transcritical)
typedef struct departure
{
  study_place* side[2];
  const char *form, *criticality;
} departure;

static departure depart(const search* s, const study_found* f)
{
  const study_curve* c = s->road.curve;
  const int last = c->wide - 1;
  double* across = base_alloc(sizeof(double) * (size_t)c->wide);
  departure d = {0};
  study_curve_restore(s->road.curve, f->measures);
  study_curve_across(s->road.curve, f->place->u, f->place->t, across);
  d.side[0] = leave(s, f->place, across, -1);
  d.side[1] = leave(s, f->place, across, 1);
  free(across);
  if (!d.side[0] || !d.side[1]) return d;
  const double here = f->place->u[last];
  const double a = d.side[0]->u[last] - here, b = d.side[1]->u[last] - here;
  const double reach = fmax(fabs(a), fabs(b));
  // of linear equations all motions of the other branch lie at one value: it is no fork
  if (reach < 1e-9 * s->away * c->weight[last]) return d;
  // what crosses a family at one value of the param is no fork of it
  if (f->level) return d;
  // seen from its arms a fork leaves to both sides
  if (fabs(f->place->t[last]) < 1e-3 * c->weight[last]) {
    d.form = "pitchfork";
    return d;
  }
  // a fork opens to one side, and much less than it is wide
  if (a * b > 0 || reach < 1e-4 * s->away * c->weight[last]) {
    d.form = "pitchfork";
    const bool above_unstable = (f->behind > f->before) == (f->place->t[last] > 0);
    if (f->behind != f->before) d.criticality = (a + b > 0) == above_unstable ? "super" : "sub";
  } else {
    d.form = "transcritical";
  }
  return d;
}

// Where the period doubles, the motion taken twice is a crossing of motions of two periods. Both
// sides of it are the same motions, a period apart.
static departure depart_twice(search* s, const study_found* f, int rounds, study_found* twice)
{
  study_curve* c = s->road.curve;
  const int last = c->wide - 1;
  departure d = {0};
  double* u = base_alloc(sizeof(double) * (size_t)(3 * c->wide));
  double *t = u + c->wide, *across = t + c->wide;
  study_curve_restore(c, f->measures);
  set_rounds(s, 2 * rounds);
  memcpy(u, f->place->u, sizeof(double) * (size_t)c->wide);
  memcpy(t, f->place->t, sizeof(double) * (size_t)c->wide);
  u[last - 1] *= 2;
  t[last - 1] *= 2;
  study_curve_across(c, u, t, across);
  study_place* crossing = study_place_new(&s->road, u, t);
  if (crossing) {
    d.side[1] = leave(s, crossing, across, 1);
    if (d.side[1]) {
      const double away_by = d.side[1]->u[last] - u[last];
      const bool above_unstable = (f->behind > f->before) == (f->place->t[last] > 0);
      // of linear equations all motions lie at one value
      if (f->behind != f->before && fabs(away_by) > 1e-9 * c->weight[last])
        d.criticality = (away_by > 0) == above_unstable ? "super" : "sub";
    }
    *twice = *f;
    twice->place = crossing;
  }
  free(u);
  return d;
}

// at an end of the range a branch may leave to where none is asked for
static bool is_within(const study_road* r, const study_place* p)
{
  const int last = r->curve->wide - 1;
  return p && p->u[last] >= r->from && p->u[last] <= r->to;
}

static void go_along(search* s, int number, int rounds, const study_found* f, departure* d)
{
  study_place* start = is_within(&s->road, d->side[1])   ? d->side[1]
                       : is_within(&s->road, d->side[0]) ? d->side[0]
                                                         : NULL;
  if (!start) return;
  const study_curve* c = s->road.curve;
  const double value = f->place->u[c->wide - 1];
  // seen from the crossing outwards
  if (study_curve_along(c, start->t, f->place->u, start->u) < 0)
    for (int j = 0; j < c->wide; j++) start->t[j] = -start->t[j];
  trail t = {.start = start, .from = number, .from_value = value, .rounds = rounds};
  t.half = rounds > s->trails.at[number].rounds;
  study_place_free(d->side[start == d->side[1] ? 0 : 1]);
  d->side[0] = d->side[1] = NULL;
  follow(s, &t);
  base_push(&s->trails, t);
}

// ---- the answer ---------------------------------------------------------------------------------

static study_special special_of(const search* s, study_found* f, const departure* d)
{
  const int last = s->road.curve->wide - 1;
  study_special x = {.kind = kind_name[f->kind], .value = f->place->u[last], .im = f->im};
  const double normal = study_found_normal(&s->road, f);
  x.l1 = f->kind == STUDY_HOPF ? normal : NAN;
  x.a = f->kind == STUDY_HOPF ? NAN : normal;
  study_found_cycles(&s->road, f, &x, s->out->arena);
  x.up = f->place->t[last] > 0;
  x.before = f->before, x.behind = f->behind;
  x.several = f->several;
  x.form = f->kind == STUDY_FOLD ? f->form : d->form;
  x.criticality = d->criticality;
  const bool pair = f->kind == STUDY_HOPF || f->kind == STUDY_TORUS;
  if (pair && isfinite(normal)) x.criticality = normal < 0 ? "super" : "sub";
  if (normal == 0) x.criticality = "degenerate";
  x.at = f->place->at;
  f->place->at = NULL;
  return x;
}

static void take_points(const search* s, trail* t, study_path* p)
{
  const int last = s->road.curve->wide - 1;
  p->points = t->back.n + 1 + t->points.n;
  p->value = base_arena_take(s->out->arena, sizeof(double) * (size_t)p->points);
  p->point = base_arena_take(s->out->arena, sizeof *p->point * (size_t)p->points);
  p->start = t->back.n;
  for (int i = 0; i < p->points; i++) {
    study_place* x = i < t->back.n    ? t->back.at[t->back.n - 1 - i]
                     : i == t->back.n ? t->start
                                      : t->points.at[i - t->back.n - 1];
    p->value[i] = x->u[last];
    p->point[i] = x->at;
    x->at = NULL;
  }
}

static void free_trail(trail* t)
{
  for (int i = 0; i < t->points.n; i++) study_place_free(t->points.at[i]);
  for (int i = 0; i < t->back.n; i++) study_place_free(t->back.at[i]);
  for (int side = 0; side < 2; side++) {
    study_founds* list = side ? &t->found_back : &t->found;
    for (int i = 0; i < list->n; i++) study_found_free(&list->at[i]);
  }
  study_place_free(t->start);
  base_list_free(&t->points);
  base_list_free(&t->back);
  base_list_free(&t->found);
  base_list_free(&t->found_back);
}

// what leaves a doubling, followed where it is asked for
static departure go_twice(search* s, int number, bool all, const study_found* f)
{
  const int rounds = s->trails.at[number].rounds;
  study_found twice = {0};
  departure d = depart_twice(s, f, rounds, &twice);
  if (all && d.side[1] && rounds < most_rounds && may_go_on(s))
    go_along(s, number, 2 * rounds, &twice, &d);
  study_place_free(d.side[1]);
  study_place_free(twice.place);
  d.side[1] = NULL;
  set_rounds(s, rounds);
  return d;
}

// what leaves a crossing, followed where it is asked for; known: the same on a branch before, or
// null. Where several go through at once, arms are followed by themselves.
static departure go_across(search* s, int number, bool all, const study_found* f,
                           const study_found* known)
{
  if (known) return (departure){.form = known->form, .criticality = known->criticality};
  if (f->several > 1) return (departure){.form = "multiple"};
  departure d = depart(s, f);
  if (all && !is_passed(s, f, number) && may_go_on(s))
    go_along(s, number, s->trails.at[number].rounds, f, &d);
  study_place_free(d.side[0]);
  study_place_free(d.side[1]);
  d.side[0] = d.side[1] = NULL;
  return d;
}

// the special points of a trail in the order of its points, those behind the start first; branches
// that leave it are followed where they are asked for
static void take_specials(search* s, int number, bool all, study_path* p)
{
  const int ahead = s->trails.at[number].found.n, behind = s->trails.at[number].found_back.n;
  set_rounds(s, s->trails.at[number].rounds);
  p->special = base_arena_take(s->out->arena, sizeof *p->special * (size_t)(ahead + behind + 1));
  for (int i = 0; i < ahead + behind; i++) {
    const bool back = i < behind;
    const int k = back ? behind - 1 - i : i - behind;
    study_found* f =
        back ? &s->trails.at[number].found_back.at[k] : &s->trails.at[number].found.at[k];
    departure d = {0};
    if (back) {
      const int swap = f->before;
      f->before = f->behind;
      f->behind = swap;
      for (int j = 0; j < s->road.curve->wide; j++) f->place->t[j] = -f->place->t[j];
    }
    if (f->kind == STUDY_BRANCH) {
      const study_found copy = *f;
      d = go_across(s, number, all, &copy, known_crossing(s, f, number, k, back));
      f = back ? &s->trails.at[number].found_back.at[k] : &s->trails.at[number].found.at[k];
      f->form = d.form;
      f->criticality = d.criticality;
    }
    if (f->kind == STUDY_DOUBLING && s->road.wind) {
      const study_found copy = *f;
      d = go_twice(s, number, all, &copy);
      f = back ? &s->trails.at[number].found_back.at[k] : &s->trails.at[number].found.at[k];
    }
    if (s->o->both) study_locus_follow(&s->road, f, number, &s->two, s->out);
    p->special[p->specials++] = special_of(s, f, &d);
  }
}

// The motions at some values of the param on the part of the first branch that the start lies on,
// as far as its folds; null where that does not reach.
static void take_grid(search* s, const trail* t, int count, const double* value)
{
  s->out->grids = count;
  s->out->grid = base_arena_take(s->out->arena, sizeof *s->out->grid * (size_t)(count + 1));
  study_path_grid(&s->road, t->start, &t->points, count, value, s->out->grid);
  study_path_grid(&s->road, t->start, &t->back, count, value, s->out->grid);
}

static void gather(search* s, bool all)
{
  BASE_LIST(study_path) paths = {0};
  for (int i = 0; i < s->trails.n; i++) {
    study_path p = {.from = s->trails.at[i].from, .from_value = s->trails.at[i].from_value};
    take_specials(s, i, all, &p);
    trail* t = &s->trails.at[i];
    p.kind = study_test_kind(t->start->at);
    p.ends[0] = t->ends[0];
    p.ends[1] = t->ends[1];
    take_points(s, t, &p);
    base_push(&paths, p);
  }
  s->out->count = paths.n;
  s->out->path = base_arena_take(s->out->arena, sizeof *s->out->path * (size_t)(paths.n + 1));
  memcpy(s->out->path, paths.at, sizeof *s->out->path * (size_t)paths.n);
  base_list_free(&paths);
  for (int i = 0; i < s->trails.n; i++) free_trail(&s->trails.at[i]);
  base_list_free(&s->trails);
}

study_branches* study_branches_run(study_road road, const double* u,
                                   const study_branches_options* o, base_notes* notes)
{
  base_arena* arena = base_arena_new();
  study_branches* out = base_arena_take(arena, sizeof *out);
  out->arena = arena;
  search s = {.road = road, .out = out, .longest = road.longest, .away = away, .most = road.most};
  s.o = o;
  s.two = (study_two){road.second_value, o->second_from, o->second_to};
  study_curve_weigh(road.curve, u, road.to - road.from);
  trail first = {.from = -1, .rounds = 1};
  first.start = study_path_start(&road, u);
  if (!first.start) {
    base_error(
        notes, BASE_NOWHERE,
        "the motion found at %.10g cannot be followed: the equations do not tell it from its "
        "neighbours",
        u[road.curve->wide - 1]);
    base_arena_free(arena);
    return NULL;
  }
  if (road.outwards && study_curve_along(road.curve, first.start->t, road.outwards, u) < 0)
    for (int j = 0; j < road.curve->wide; j++) first.start->t[j] = -first.start->t[j];
  follow(&s, &first);
  s.road.outwards = NULL;
  if (o->values) take_grid(&s, &first, o->values, o->value);
  base_push(&s.trails, first);
  gather(&s, o->all);
  return out;
}
