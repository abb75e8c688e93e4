// Curves of folds, Hopf points, doublings and tori in two params.
//
// On the surface F(u, b) = 0 of motions over the params a (last of u) and b a test g of the
// spectrum is nothing: for folds the product of all eigenvalues (multipliers less 1), for Hopf
// points the product of all sums of two of them, for doublings that of multipliers plus 1, for tori
// that of all products of two less 1. They are smooth where single eigenvalues are not: folds pass
// through cusps, Hopf points to Bogdanov's and Takens' points and on as saddles whose eigenvalues
// cancel. The curve F = 0, g = 0 is followed as a branch is (path.c). The slope of g is needed on
// the tangent plane of the surface alone, where it is a difference.
//
// On it lie, each the root of a test (Kuznetsov, Elements of Applied Bifurcation Theory, chapters 8
// and 9): cusps, where the params turn back; points with a double zero (a double one); Bautin's,
// where the first Lyapunov coefficient is nothing; and those where something else happens, too.
#include "study/locus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double crossed = 1e-6; // second singular value where branches cross, of the largest
static const double apart = 1e-5;   // of differences, in the measure of the curve
static const double rank = 1e-9;    // pivots of equations that follow from others
static const double is_one = 3;     // steps between a point and a curve through it
enum { most_points = 1000 };

static double* doubles(base_arena* a, int count)
{
  return base_arena_take(a, sizeof(double) * (size_t)(count + 1));
}

// ---- the equations ------------------------------------------------------------------------------

static double spectral(const study_locus_of* o, const study_stability* at)
{
  switch (o->kind) {
  case STUDY_DOUBLING:
    return study_test_product(at, -1, 0, 1);
  case STUDY_HOPF:
  case STUDY_TORUS:
    return study_test_pairs(at, o->idle, o->size);
  default:
    return study_test_product(at, 1, o->idle, o->size);
  }
}

// g at the unknowns; nan where there is no motion. What it leaves behind is taken back.
static double test_at(const study_locus_of* o, const double* u)
{
  const study_road* r = o->r;
  void* mark = study_path_mark(r);
  r->second(r->context, u[r->curve->wide]);
  study_stability* at = r->look(r->context, u);
  const double g = at ? spectral(o, at) : NAN;
  study_stability_free(at);
  study_path_recall(r, mark);
  return g;
}

// F of the branch at (u, b); J (or null) row by row with a column for b, which is a difference
static bool surface(const study_locus_of* o, const double* u, double* F, double* J)
{
  const study_road* r = o->r;
  const study_curve* c = r->curve;
  const int wide = c->wide, rows = c->rows;
  double *up = o->F, *down = up + rows, *inner = o->J;
  r->second(r->context, u[wide]);
  if (c->f(c->context, u, F, J ? inner : NULL)) return false;
  if (!J) return true;
  const double h = apart * o->weight[wide];
  r->second(r->context, u[wide] + h);
  bool fine = !c->f(c->context, u, up, NULL);
  r->second(r->context, u[wide] - h);
  fine = fine && !c->f(c->context, u, down, NULL);
  r->second(r->context, u[wide]);
  for (int i = 0; i < rows && fine; i++) {
    memcpy(J + i * (wide + 1), inner + i * wide, sizeof(double) * (size_t)wide);
    J[i * (wide + 1) + wide] = (up[i] - down[i]) / (2 * h);
  }
  return fine;
}

// the slope of g along the plane that J leaves, into `row`
static bool slope(const study_locus_of* o, const double* u, int rows, const double* J, double* row)
{
  const int W = o->r->curve->wide + 1;
  double* K = base_alloc(sizeof(double) * (size_t)(rows * W + W * W + 1));
  double *Z = K + rows * W, *v = o->v;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < W; j++) K[i * W + j] = J[i * W + j] * o->weight[j];
  const int z = study_steady_null(W, rows, K, 0, rank, Z);
  bool fine = z >= 2;
  memset(row, 0, sizeof(double) * (size_t)W);
  for (int k = 0; k < z && fine; k++) {
    double g[2];
    for (int side = 0; side < 2; side++) {
      for (int j = 0; j < W; j++)
        v[j] = u[j] + (side ? -apart : apart) * o->weight[j] * Z[j * z + k];
      g[side] = test_at(o, v);
    }
    const double along = (g[0] - g[1]) / (2 * apart);
    fine = isfinite(along);
    for (int j = 0; j < W; j++) row[j] += along * Z[j * z + k] / o->weight[j];
  }
  free(K);
  return fine;
}

static int equations(void* context, const double* u, double* F, double* J)
{
  const study_locus_of* o = context;
  const int rows = o->r->curve->rows, W = o->r->curve->wide + 1;
  if (!surface(o, u, F, J)) return 1;
  F[rows] = test_at(o, u);
  if (J && !slope(o, u, rows, J, J + rows * W)) return 1;
  return !isfinite(F[rows]);
}

static study_stability* look(void* context, const double* u)
{
  const study_locus_of* o = context;
  o->r->second(o->r->context, u[o->r->curve->wide]);
  return o->r->look(o->r->context, u);
}

static void* mark(void* context)
{
  return study_path_mark(((const study_locus_of*)context)->r);
}

static void recall(void* context, void* before)
{
  study_path_recall(((const study_locus_of*)context)->r, before);
}

// ---- what lies on it ----------------------------------------------------------------------------

// how the params go on, against how they do at a: both come to rest at a cusp
static double onward(const study_road* r, const study_place* a, const study_place* p)
{
  const double* w = r->curve->weight;
  const int b = r->curve->wide - 1;
  return a->t[b] * p->t[b] / (w[b] * w[b]) + a->t[b - 1] * p->t[b - 1] / (w[b - 1] * w[b - 1]);
}

double study_locus_test(const study_road* r, int kind, const study_place* a, const study_place* p)
{
  const study_locus_of* o = r->locus;
  const bool fold = o->kind == STUDY_FOLD;
  switch (kind) {
  case STUDY_CUSP:
    return onward(r, a, p);
  case STUDY_TAKENS:
    if (o->kind == STUDY_HOPF) return study_test_square(p->at, o->idle);
    return study_test_product(p->at, fold ? 1 : -1, fold ? o->idle + 1 : 1, o->size);
  case STUDY_BAUTIN:
    return p->l1;
  default:
    // one of the others: a pair on folds, a zero (a one) elsewhere
    if (fold) return study_test_pairs(p->at, o->idle + 1, o->size);
    return study_test_product(p->at, 1, o->idle, o->size);
  }
}

int study_locus_changes(const study_road* r, const study_place* a, const study_place* b,
                        bool* which)
{
  const study_locus_of* o = r->locus;
  const bool fold = o->kind == STUDY_FOLD;
  memset(which, 0, STUDY_KINDS);
  for (int kind = STUDY_CUSP; kind < STUDY_KINDS; kind++)
    which[kind] = study_locus_test(r, kind, a, a) * study_locus_test(r, kind, a, b) < 0;
  // tori end where their pair comes to one or minus one; there is no simple test of which
  if (!fold) which[STUDY_CUSP] = false;
  if (o->kind == STUDY_TORUS) which[STUDY_TAKENS] = which[STUDY_MIXED] = false;
  if (which[STUDY_TAKENS]) which[STUDY_MIXED] = which[STUDY_BAUTIN] = false;
  int count = 0;
  for (int kind = 0; kind < STUDY_KINDS; kind++) count += which[kind];
  return count;
}

bool study_locus_ends(const study_locus_of* o, const study_founds* found, int from)
{
  for (int i = from; i < found->n && o->kind == STUDY_HOPF; i++)
    if (found->at[i].kind == STUDY_TAKENS) return true;
  return false;
}

double study_locus_lyapunov(const study_locus_of* o, const double* u, const study_stability* at)
{
  const study_road* r = o->r;
  const double square = o->kind == STUDY_HOPF && r->normal ? study_test_square(at, o->idle) : 0;
  if (!(square > 0)) return NAN;
  r->second(r->context, u[r->curve->wide]);
  return r->normal(r->context, u, sqrt(square));
}

// Does another branch cross at this fold? Then two directions leave the equations as they are, that
// of the fold and that of the branch; where one eigenvalue is zero twice, there is one direction.
static bool is_crossed(const study_locus_of* o, const double* u)
{
  double* t = base_alloc(sizeof(double) * (size_t)o->r->curve->wide);
  o->r->second(o->r->context, u[o->r->curve->wide]);
  const double second = study_curve_tangent(o->r->curve, u, NULL, t);
  free(t);
  return o->kind == STUDY_FOLD && second < crossed;
}

static const char* name_of(const study_locus_of* o, study_kind kind, const study_place* at)
{
  const bool orbit = at->at->period > 0;
  switch (kind) {
  case STUDY_CUSP:
    return "cusp";
  case STUDY_TAKENS:
    return o->kind == STUDY_DOUBLING ? "resonance 1:2"
           : orbit                   ? "resonance 1:1"
           : is_crossed(o, at->u)    ? "hill-top"
                                     : "bogdanov-takens";
  case STUDY_BAUTIN:
    return "bautin";
  default:
    return o->kind == STUDY_DOUBLING ? "fold-doubling" : orbit ? "fold-torus" : "fold-hopf";
  }
}

// ---- the whole curve ----------------------------------------------------------------------------

static bool is_known(const study_branches* out, const char* kind, const study_locus_of* o,
                     const double* u, double step)
{
  const int W = o->r->curve->wide + 1;
  for (int i = 0; i < out->loci; i++) {
    const study_locus* x = &out->locus[i];
    for (int k = 0; k < x->points && !strcmp(x->kind, kind); k++) {
      double sum = 0;
      for (int j = 0; j < W; j++) sum += pow((x->u[k * W + j] - u[j]) / o->weight[j], 2);
      if (sqrt(sum) < is_one * step) return true;
    }
  }
  return false;
}

static void take(const study_locus_of* o, study_places* side, bool back, study_locus* x)
{
  const int W = o->r->curve->wide + 1;
  for (int i = 0; i < side->n; i++) {
    study_place* p = side->at[back ? side->n - 1 - i : i];
    memcpy(x->u + x->points * W, p->u, sizeof(double) * (size_t)W);
    x->a[x->points] = p->u[W - 2];
    x->b[x->points] = p->u[W - 1];
    x->point[x->points++] = p->at;
    p->at = NULL;
  }
}

static void take_form(const study_locus_of* o, const study_place* at, study_locus_point* p)
{
  const study_road* r = o->r;
  double form[2];
  if (strcmp(p->kind, "bogdanov-takens") != 0 || !r->takens) return;
  r->second(r->context, at->u[r->curve->wide]);
  if (r->takens(r->context, at->u, form)) memcpy(p->form, form, sizeof form);
}

static void take_special(const study_locus_of* o, study_founds* side, bool back, study_locus* x)
{
  const int W = o->r->curve->wide + 1;
  for (int i = 0; i < side->n; i++) {
    study_found* f = &side->at[back ? side->n - 1 - i : i];
    // a real pair of opposite ones is neutral, and nothing happens there
    if (o->kind == STUDY_FOLD && f->kind == STUDY_MIXED &&
        !study_test_turns(f->place->at, o->idle + 1))
      continue;
    study_locus_point* p = &x->special[x->specials++];
    p->kind = name_of(o, f->kind, f->place);
    p->a = f->place->u[W - 2];
    p->b = f->place->u[W - 1];
    p->form[0] = p->form[1] = NAN;
    take_form(o, f->place, p);
    p->at = f->place->at;
    f->place->at = NULL;
  }
}

static void drop(study_places* places, study_founds* found)
{
  for (int i = 0; i < places->n; i++) study_place_free(places->at[i]);
  for (int i = 0; i < found->n; i++) study_found_free(&found->at[i]);
  base_list_free(places);
  base_list_free(found);
}

// both ways from the start; false where nothing is found
static void walk(const study_road* r, const study_locus_of* o, study_place* start, study_locus* x,
                 study_branches* out)
{
  study_places points[2] = {0};
  study_founds found[2] = {0};
  const int W = o->r->curve->wide + 1;
  for (int side = 0; side < 2; side++)
    x->ends[1 - side] = study_path_walk(r, start, side, &points[side], &found[side]);
  const int count = points[0].n + points[1].n + 1, specials = found[0].n + found[1].n;
  x->u = doubles(out->arena, count * W);
  x->a = doubles(out->arena, count);
  x->b = doubles(out->arena, count);
  x->point = base_arena_take(out->arena, sizeof *x->point * (size_t)count);
  x->special = base_arena_take(out->arena, sizeof *x->special * (size_t)(specials + 1));
  take(o, &points[1], true, x);
  study_places middle = {.n = 1, .at = &start};
  take(o, &middle, false, x);
  take(o, &points[0], false, x);
  take_special(o, &found[1], true, x);
  take_special(o, &found[0], false, x);
  for (int side = 0; side < 2; side++) drop(&points[side], &found[side]);
}

static void add(study_branches* out, const study_locus* x)
{
  study_locus* all = base_arena_take(out->arena, sizeof *all * (size_t)(out->loci + 1));
  if (out->loci) memcpy(all, out->locus, sizeof *all * (size_t)out->loci);
  all[out->loci++] = *x;
  out->locus = all;
}

void study_locus_follow(const study_road* r, const study_found* f, int branch, const study_two* two,
                        study_branches* out)
{
  static const char* const names[STUDY_KINDS] = {[STUDY_FOLD] = "fold",
                                                 [STUDY_HOPF] = "hopf",
                                                 [STUDY_DOUBLING] = "doubling",
                                                 [STUDY_TORUS] = "torus"};
  if (!r->second || !names[f->kind]) return;
  const int wide = r->curve->wide, W = wide + 1, rows = r->curve->rows;
  base_arena* arena = base_arena_new();
  study_locus_of o = {.r = r, .kind = f->kind, .idle = f->idle};
  o.size = study_test_size(f->place->at);
  o.weight = doubles(arena, W);
  o.J = doubles(arena, rows * wide);
  o.F = doubles(arena, 2 * rows);
  o.v = doubles(arena, W);
  study_curve c = study_curve_new(W, rows + 1, equations, &o);
  c.rough = true;
  double *u = doubles(arena, 2 * W), *row = u + W;
  study_curve_restore(r->curve, f->measures);
  memcpy(o.weight, r->curve->weight, sizeof(double) * (size_t)wide);
  o.weight[wide] = two->to - two->from;
  memcpy(c.weight, o.weight, sizeof(double) * (size_t)W);
  memcpy(u, f->place->u, sizeof(double) * (size_t)wide);
  u[wide] = two->value;
  row[wide] = c.weight[wide];
  study_road road = {.curve = &c, .locus = &o, .look = look, .mark = mark, .recall = recall};
  road.context = &o;
  road.from = two->from;
  road.to = two->to;
  road.other_from = r->from;
  road.other_to = r->to;
  road.longest = r->longest;
  road.most = most_points;
  study_curve_measure(&c, u);
  study_locus x = {.kind = names[f->kind], .branch = branch};
  if (!is_known(out, x.kind, &o, u, r->longest)) {
    double* from = doubles(arena, W);
    memcpy(from, u, sizeof(double) * (size_t)W);
    study_place* start =
        study_curve_correct(&c, row, from, 0, u) ? study_place_new(&road, u, NULL) : NULL;
    if (start) {
      walk(&road, &o, start, &x, out);
      add(out, &x);
    }
    study_place_free(start);
  }
  r->second(r->context, two->value);
  study_curve_free(&c);
  base_arena_free(arena);
}
