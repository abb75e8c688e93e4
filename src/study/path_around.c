// What lies around a place of a branch, where tests do not change their sign from it to its
// neighbours: narrow tongues, and other branches that cross a family at one value of the param.
#include "study/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_descents = 25 };
static const double narrowest = 1e-9; // of a tongue, over the step
static const double rounding = 1e-11; // changes of a test, over what it was
static const double vanished = 1e-5;  // a singular value over those around
static const double least = 1e-3;     // what those have to be to be told from rounding

// ---- narrow tongues -----------------------------------------------------------------------------

// Two stretches as one way, from -1 over 0 to 1, with one test along them
typedef struct dip
{
  study_stretch part[2];
  double sign;       // of the test at all three ends
  double s[3], g[3]; // the lowest place known, between two higher ones
  double at;         // where it was looked last, and the place there
  study_place* low;
} dip;

// the test at s, times its sign at the ends; nan where no motion is found. The place is kept.
static double look_down(dip* d, double s)
{
  const study_stretch* w = &d->part[s > 0];
  study_place_free(d->low);
  d->at = s;
  d->low = study_stretch_glance(w, s > 0 ? s * w->length : (1 + s) * w->length);
  return d->low ? d->sign * study_stretch_test(w, d->low) : NAN;
}

// the lowest point of the parabola through three
static double vertex(const double* s, const double* g, double* value)
{
  const double a = s[0] - s[1], b = s[2] - s[1];
  const double bend = ((g[0] - g[1]) / a - (g[2] - g[1]) / b) / (a - b);
  const double slope = (g[0] - g[1]) / a - bend * a, at = -slope / (2 * bend);
  *value = g[1] + (slope + bend * at) * at;
  return s[1] + at;
}

// s with the value g becomes the lowest, and that one a border, or it becomes a border itself
static void narrow(dip* d, double s, double g)
{
  const int side = s > d->s[1] ? 2 : 0, lower = g < d->g[1], border = lower ? 2 - side : side;
  d->s[border] = lower ? d->s[1] : s;
  d->g[border] = lower ? d->g[1] : g;
  if (lower) d->s[1] = s;
  if (lower) d->g[1] = g;
}

// Down to where the test has changed its sign; false where it does not, or is not told from zero.
static bool go_down(dip* d)
{
  for (int turn = 0; turn < most_descents; turn++) {
    double told, s = vertex(d->s, d->g, &told);
    const double wide = d->s[2] - d->s[0];
    if (!(s > d->s[0] && s < d->s[2]) || wide < narrowest) return false;
    // not where one was already: a little to the wider side
    if (fabs(s - d->s[1]) < 1e-3 * wide)
      s = d->s[1] + (d->s[2] - d->s[1] > d->s[1] - d->s[0] ? 1e-2 : -1e-2) * wide;
    const double g = look_down(d, s);
    if (!isfinite(g)) return false;
    if (g < 0) return -g > rounding * fmax(d->g[0], d->g[2]);
    // a parabola that is good and stays above zero
    if (turn && told > 0.5 * d->g[1] && fabs(g - told) < 0.1 * told) return false;
    narrow(d, s, g);
  }
  return false;
}

static void dip_of(const study_road* r, int kind, const study_place* a, const study_place* b,
                   const study_place* c, study_founds* found)
{
  int idle = study_test_idle(a->at);
  if (study_test_idle(b->at) < idle) idle = study_test_idle(b->at);
  if (study_test_idle(c->at) < idle) idle = study_test_idle(c->at);
  const study_stretch one = {.r = r, .kind = kind, .idle = idle, .size = study_test_size(b->at)};
  dip d = {.part = {one, one}, .s = {-1, 0, 1}};
  d.part[0].a = a;
  d.part[0].b = d.part[1].a = b;
  d.part[1].b = c;
  const study_place* ends[3] = {a, b, c};
  for (int k = 0; k < 2; k++) d.part[k].length = study_path_length(r, d.part[k].a, d.part[k].b);
  for (int k = 0; k < 3; k++) d.g[k] = study_stretch_test(&d.part[0], ends[k]);
  d.sign = d.g[1] > 0 ? 1 : -1;
  for (int k = 0; k < 3; k++) d.g[k] *= d.sign;
  // a test that is the same all along has its lowest places, too: those of rounding
  const bool low = d.g[1] > 0 && fmin(d.g[0], d.g[2]) > (1 + rounding) * d.g[1];
  void* mark = low ? study_path_mark(r) : NULL;
  if (low && go_down(&d)) {
    study_founds both = {0};
    study_path_locate(r, d.part[d.at > 0].a, d.low, &both);
    study_path_locate(r, d.low, d.part[d.at > 0].b, &both);
    // all others are known
    for (int i = 0; i < both.n; i++)
      if ((int)both.at[i].kind == kind && !study_found_again(r->curve, &both.at[i], found))
        base_push(found, both.at[i]);
      else
        study_found_free(&both.at[i]);
    base_list_free(&both);
  }
  study_path_recall(r, mark);
  study_place_free(d.low);
}

// ---- what crosses a family ----------------------------------------------------------------------

// the square of the second smallest singular value at s: a parabola about a crossing
static double look_near(dip* d, double s)
{
  const study_stretch* w = &d->part[s > 0];
  study_place_free(d->low);
  d->low = study_stretch_glance(w, s > 0 ? s * w->length : (1 + s) * w->length);
  return d->low ? d->low->second * d->low->second : NAN;
}

// to where it is nothing; false where it is not
static bool go_near(dip* d, double nothing)
{
  for (int turn = 0; turn < most_descents && !(d->low && d->low->second < nothing); turn++) {
    double told, s = vertex(d->s, d->g, &told);
    if (!(s > d->s[0] && s < d->s[2]) || s == d->s[1]) break;
    const double g = look_near(d, s);
    if (!isfinite(g)) break;
    narrow(d, s, g);
  }
  return d->low && d->low->second < nothing;
}

// Motions at one value of the param: multipliers are one all along.
static void crossing_of(const study_road* r, const study_place* a, const study_place* b,
                        const study_place* c, study_founds* found)
{
  const double around = fmax(a->second, c->second);
  if (!(b->second < a->second && b->second < c->second && around > least) ||
      study_path_slopes(r, b))
    return;
  const study_stretch one = {.r = r, .kind = STUDY_BRANCH};
  dip d = {.part = {one, one}, .s = {-1, 0, 1}};
  d.part[0].a = a;
  d.part[0].b = d.part[1].a = b;
  d.part[1].b = c;
  const study_place* ends[3] = {a, b, c};
  for (int k = 0; k < 2; k++) d.part[k].length = study_path_length(r, d.part[k].a, d.part[k].b);
  for (int k = 0; k < 3; k++) d.g[k] = ends[k]->second * ends[k]->second;
  void* mark = study_path_mark(r);
  if (go_near(&d, vanished * around)) {
    // all motions of the family have one value of the param
    d.low->u[r->curve->wide - 1] = b->u[r->curve->wide - 1];
    study_found f = {.kind = STUDY_BRANCH, .level = true};
    f.place = study_place_new(r, d.low->u, b->t);
    f.measures = study_curve_measures(r->curve);
    f.before = f.behind = study_test_unstable(b->at);
    f.idle = study_test_idle(b->at);
    if (f.place) base_push(found, f);
  }
  study_path_recall(r, mark);
  study_place_free(d.low);
}

void study_path_dip(const study_road* r, const study_place* a, const study_place* b,
                    const study_place* c, study_founds* found)
{
  if (!a || r->locus || a->at->way != b->at->way || b->at->way != c->at->way) return;
  const int idle = study_test_idle(b->at);
  const bool told =
      study_test_told(a->at, idle) && study_test_told(b->at, idle) && study_test_told(c->at, idle);
  if (told)
    dip_of(r, STUDY_BRANCH, a, b, c, found);
  else
    crossing_of(r, a, b, c, found);
  if (b->at->period > 0) dip_of(r, STUDY_DOUBLING, a, b, c, found);
}

// ---- the end ------------------------------------------------------------------------------------

// The last place, moved to the motion that grazes something (u: coordinates, velocities, period,
// param): multipliers are those of the last, since that one has none.
static study_place* grazing_place(const study_road* r, const study_places* points,
                                  const study_place* a)
{
  const int wide = r->curve->wide, n = (wide - 2) / 2;
  study_place* p = study_place_new(r, a->u, a->t);
  double* u = base_alloc(sizeof(double) * (size_t)wide);
  if (p && study_path_touching(r, points, u)) {
    memcpy(p->u, u, sizeof(double) * (size_t)wide);
    memcpy(p->at->q, u, sizeof(double) * (size_t)n);
    memcpy(p->at->v, u + n, sizeof(double) * (size_t)n);
    p->at->period = u[2 * n];
  }
  free(u);
  return p;
}

const char* study_path_add_end(const study_road* r, const study_places* points,
                               const study_place* a, study_founds* found)
{
  bool grazes = false;
  const char* why = r->why ? r->why(r->context, &grazes) : NULL;
  if (!why) return "no further motion was found next to the last";
  if (!grazes) return why;
  double value;
  const bool rests = study_path_standing(r, points, &value);
  study_found f = {.kind = rests ? STUDY_STANDSTILL : STUDY_GRAZING};
  f.place = rests ? study_place_new(r, a->u, a->t) : grazing_place(r, points, a);
  if (rests && f.place) f.place->u[r->curve->wide - 1] = value;
  f.measures = study_curve_measures(r->curve);
  f.before = f.behind = study_test_unstable(a->at);
  if (f.place) base_push(found, f);
  if (rests) return "it takes longer and longer, and comes to rest on its way";
  return why;
}
