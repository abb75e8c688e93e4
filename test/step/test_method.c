// Integrators: every method on every problem, and what each is for.
#include "check.h"
#include "step/problem_series.h"
#include "step/step.h"

#include <stdio.h>
#include <unistd.h>

enum { most = 6 };

typedef struct problem
{
  const char* name;
  int n;
  int (*rhs)(void* context, double t, const double* y, double* dy);
  int (*series)(void* context, double t, const double* y, int order, double* c);
  void (*exact)(double t, double* y); // also gives the start at t = 0
  double t_end;
} problem;

static int oscillator(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  dy[0] = y[1];
  dy[1] = -y[0];
  return 0;
}

static void oscillator_exact(double t, double* y)
{
  y[0] = cos(t);
  y[1] = -sin(t);
}

static int kepler(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  double r = hypot(y[0], y[1]);
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = -y[0] / (r * r * r);
  dy[3] = -y[1] / (r * r * r);
  return 0;
}

// eccentricity 1/2: E - sin(E)/2 = t
static void kepler_exact(double t, double* y)
{
  const double e = 0.5, b = sqrt(1 - e * e);
  double E = t;
  for (int i = 0; i < 100; i++) E -= (E - e * sin(E) - t) / (1 - e * cos(E));
  double rate = 1 / (1 - e * cos(E));
  y[0] = cos(E) - e;
  y[1] = b * sin(E);
  y[2] = -sin(E) * rate;
  y[3] = b * cos(E) * rate;
}

static int logistic(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  dy[0] = y[0] * (1 - y[0]);
  return 0;
}

static void logistic_exact(double t, double* y)
{
  y[0] = 1 / (1 + 9 * exp(-t));
}

// a fast decay towards a slow curve
static int prothero(void* context, double t, const double* y, double* dy)
{
  (void)context;
  dy[0] = -200 * (y[0] - cos(t)) - sin(t);
  return 0;
}

static void prothero_exact(double t, double* y)
{
  y[0] = cos(t) + exp(-200 * t);
}

static const problem problems[] = {
    {"oscillator", 2, oscillator, oscillator_series, oscillator_exact, 20},
    {"kepler", 4, kepler, kepler_series, kepler_exact, 6.5},
    {"logistic", 1, logistic, logistic_series, logistic_exact, 12},
    {"prothero", 1, prothero, prothero_series, prothero_exact, 3},
};
enum { problem_count = sizeof problems / sizeof *problems };

// the trivial implicit form r = y' - f
static int implicit(void* context, double t, const double* y, const double* dy, double* r)
{
  const problem* p = context;
  int code = p->rhs(context, t, y, r);
  for (int i = 0; i < p->n; i++) r[i] = dy[i] - r[i];
  return code;
}

static int consistent(void* context, double t, const double* ode_y, double* y, double* dy)
{
  const problem* p = context;
  memcpy(y, ode_y, (size_t)p->n * sizeof *y);
  return p->rhs(context, t, y, dy);
}

static step_ode ode_of(const problem* p, double tol, double* abs_tol)
{
  for (int i = 0; i < p->n; i++) abs_tol[i] = tol;
  return (step_ode){.n = p->n,
                    .rhs = p->rhs,
                    .context = (void*)p,
                    .dae_n = p->n,
                    .residual = implicit,
                    .consistent = consistent,
                    .series = p->series,
                    .rel_tol = tol,
                    .abs_tol = abs_tol};
}

static double distance(int n, const double* a, const double* b)
{
  double most_off = 0;
  for (int i = 0; i < n; i++) {
    double off = fabs(a[i] - b[i]);
    if (!(off <= most_off)) most_off = off;
  }
  return most_off;
}

// walk to t_end; returns the largest error at the steps and inside them
static void follow(step_stepper* s, const problem* p, double t_end, double* at_steps,
                   double* inside)
{
  double want[most], got[most];
  *at_steps = *inside = 0;
  for (int i = 0; i < 1000000 && s->t != t_end; i++) {
    step_status status = s->method->step(s, t_end);
    if (status != STEP_OK) {
      printf("# %s on %s: %s\n", s->method->name, p->name, s->reason);
      CHECK_INT(status, STEP_OK);
      return;
    }
    p->exact(s->t, want);
    *at_steps = fmax(*at_steps, distance(p->n, s->y, want));
    for (int j = 0; j <= 4; j++) {
      double t = s->t_old + (s->t - s->t_old) * j / 4;
      s->method->dense(s, t, got);
      p->exact(t, want);
      double off = distance(p->n, got, want);
      if (!(off <= *inside)) *inside = off;
    }
  }
  CHECK_NEAR(s->t, t_end, 0);
}

TEST(every_method_solves_every_problem_to_about_the_tolerance)
{
  const double tols[] = {1e-5, 1e-8, 1e-10, 1e-13};
  for (int m = 0; m < step_method_count(); m++)
    for (int k = 0; k < problem_count; k++)
      for (int e = 0; e < 4; e++) {
        const problem* p = &problems[k];
        const step_method* method = step_method_at(m);
        if (method->decides) continue; // it has steps or flights, no tolerance
        double abs_tol[most], y[most], at_steps, inside;
        step_ode ode = ode_of(p, tols[e], abs_tol);
        step_stepper* s = method->create(method, &ode);
        p->exact(0, y);
        CHECK_INT(method->start(s, 0, y, p->t_end), STEP_OK);
        follow(s, p, p->t_end, &at_steps, &inside);
        printf(
            "# %-6s %-10s tol %.0e: %.1e at steps, %.1e inside, %ld steps, %ld rejected, %ld f\n",
            method->name, p->name, tols[e], at_steps, inside, s->counts.steps, s->counts.rejected,
            s->counts.evaluations);
        // one step methods near the tolerance, multistep methods within sixty of it or rounding
        const bool one_step = method == &step_method_dop853 || method == &step_method_taylor;
        double allowed = one_step ? 10 * tols[e] : fmax(60 * tols[e], 6e-11);
        CHECK_NEAR(at_steps, 0, allowed);
        CHECK_NEAR(inside, 0, allowed);
        // what is told of the steps: the mean lies between the shortest and the longest
        const double mean = p->t_end / (double)s->counts.steps;
        CHECK(s->counts.smallest_step > 0 && s->counts.smallest_step <= mean * (1 + 1e-9));
        CHECK(s->counts.largest_step >= mean * (1 - 1e-9));
        method->destroy(s);
      }
}

// Where the caller knows of noise, short steps are taken that err more than they may. A motion
// without any is as exact as ever.
TEST(no_method_takes_an_error_for_noise)
{
  const problem* p = &problems[1];
  for (int m = 0; m < step_method_count(); m++) {
    const step_method* method = step_method_at(m);
    if (method->decides) continue;
    double abs_tol[most], y[most], at_steps, inside;
    const step_ode ode = ode_of(p, 1e-10, abs_tol);
    step_stepper* s = method->create(method, &ode);
    p->exact(0, y);
    CHECK_INT(method->start(s, 0, y, p->t_end), STEP_OK);
    s->least_step = p->t_end;
    follow(s, p, p->t_end, &at_steps, &inside);
    CHECK(at_steps < (method->has_history ? 1e-5 : 1e-7));
    method->destroy(s);
  }
}

// the oscillator with slopes that are known to so many digits only
static int rough_oscillator(void* context, double t, const double* y, double* dy)
{
  const double grain = 1e-7;
  (void)context, (void)t;
  dy[0] = y[1];
  dy[1] = -grain * floor(y[0] / grain + 0.5);
  return 0;
}

TEST(short_steps_pass_over_noise)
{
  const step_method* methods[] = {&step_method_dop853, &step_method_gauss16};
  for (int m = 0; m < 2; m++) {
    const double abs_tol[2] = {1e-13, 1e-13}, y[2] = {1, 0};
    const step_ode ode = {.n = 2, .rhs = rough_oscillator, .rel_tol = 1e-13, .abs_tol = abs_tol};
    step_stepper* s = methods[m]->create(methods[m], &ode);
    CHECK_INT(methods[m]->start(s, 0, y, 3), STEP_OK);
    s->least_step = 0.02;
    for (int i = 0; i < 5000 && s->t != 3; i++) CHECK_INT(methods[m]->step(s, 3), STEP_OK);
    printf("# %s: %ld steps, %ld rejected\n", methods[m]->name, s->counts.steps,
           s->counts.rejected);
    CHECK_NEAR(s->t, 3, 0);
    CHECK_NEAR(s->y[0], cos(3), 1e-6);
    methods[m]->destroy(s);
  }
}

TEST(methods_are_found_by_name)
{
  CHECK_INT(step_method_count(), 8);
  for (int i = 0; i < step_method_count(); i++) {
    const step_method* m = step_method_at(i);
    CHECK(step_method_find(m->name) == m);
    CHECK(m->summary && m->summary[0]);
    CHECK(m->implicit_form == (m == &step_method_ida));
    CHECK(m->series_form == (m == &step_method_taylor));
    CHECK(m->abreast_form == (m == &step_method_gauss16));
    CHECK(m->leap_form == (m == &step_method_moreau) && m->leap_form == (m->cut != NULL));
    CHECK(m->flight_form == (m == &step_method_flights));
    CHECK(m->decides == (m->leap_form || m->flight_form));
  }
  CHECK(step_method_find("euler") == NULL);
}

// start a method on a problem at t with its exact state
static step_stepper* begin(const step_method* method, const step_ode* ode, const problem* p,
                           double t, double t_end)
{
  double y[most];
  step_stepper* s = method->create(method, ode);
  p->exact(t, y);
  CHECK_INT(method->start(s, t, y, t_end), STEP_OK);
  return s;
}

TEST(every_method_runs_backwards_and_turns_around)
{
  const problem* p = &problems[1];
  for (int m = 0; m < step_method_count(); m++) {
    const step_method* method = step_method_at(m);
    if (method->decides) continue; // it has steps or flights, no tolerance
    double abs_tol[most], want[most], off, inside;
    step_ode ode = ode_of(p, 1e-10, abs_tol);
    step_stepper* s = begin(method, &ode, p, 3, -2);
    follow(s, p, -2, &off, &inside);
    CHECK_NEAR(fmax(off, inside), 0, 1e-8);
    // turn without a new start, and beyond the end named at the start
    follow(s, p, 4, &off, &inside);
    CHECK_NEAR(fmax(off, inside), 0, 2e-8);
    p->exact(4, want);
    CHECK_NEAR(distance(p->n, s->y, want), 0, 2e-8);
    method->destroy(s);
  }
}

TEST(every_method_stops_exactly_at_every_limit)
{
  const problem* p = &problems[0];
  for (int m = 0; m < step_method_count(); m++) {
    const step_method* method = step_method_at(m);
    if (method->decides) continue; // it has steps or flights, no tolerance
    double abs_tol[most], want[most];
    step_ode ode = ode_of(p, 1e-9, abs_tol);
    step_stepper* s = begin(method, &ode, p, 0, 10);
    // a first limit of a few roundings, then one that is no binary fraction, then a crumb later
    const double limits[] = {1e-14, 0.1, 0.1, 0.1 + 1e-15, 0.7, 3.1, 3.1 + 4e-16, 10};
    for (int i = 0; i < 8; i++) {
      for (int j = 0; j < 10000 && s->t != limits[i]; j++)
        CHECK_INT(method->step(s, limits[i]), STEP_OK);
      CHECK_NEAR(s->t, limits[i], 0);
      p->exact(s->t, want);
      CHECK_NEAR(distance(2, s->y, want), 0, 3e-7);
    }
    method->destroy(s);
  }
}

TEST(every_method_starts_towards_an_end_not_known)
{
  const problem* p = &problems[0];
  for (int m = 0; m < step_method_count(); m++) {
    const step_method* method = step_method_at(m);
    if (method->decides) continue; // it has steps or flights, no tolerance
    double abs_tol[most], want[most];
    step_ode ode = ode_of(p, 1e-9, abs_tol);
    step_stepper* s = begin(method, &ode, p, 0, INFINITY);
    for (int j = 0; j < 10000 && s->t < 5; j++)
      if (method->step(s, INFINITY) != STEP_OK) break;
    CHECK(s->t >= 5 && isfinite(s->t));
    p->exact(s->t, want);
    CHECK_NEAR(distance(2, s->y, want), 0, 3e-7);
    method->destroy(s);
  }
}

TEST(every_method_takes_small_amendments_in_its_stride)
{
  // the oscillator kept on its circle after every step
  const problem* p = &problems[0];
  for (int m = 0; m < step_method_count(); m++) {
    const step_method* method = step_method_at(m);
    if (method->decides) continue; // it has steps or flights, no tolerance
    double abs_tol[most], want[most], z[most], off, inside, dense[most], old[most];
    step_ode ode = ode_of(p, 1e-8, abs_tol);
    step_stepper* plain = begin(method, &ode, p, 0, 100);
    follow(plain, p, 100, &off, &inside);
    step_stepper* s = begin(method, &ode, p, 0, 100);
    for (int i = 0; i < 100000 && s->t < 100; i++) {
      memcpy(old, s->y, sizeof old);
      CHECK_INT(method->step(s, 100), STEP_OK);
      double r = hypot(s->y[0], s->y[1]);
      z[0] = s->y[0] / r;
      z[1] = s->y[1] / r;
      CHECK_INT(method->amend(s, z), STEP_OK);
      CHECK_NEAR(distance(2, s->y, z), 0, 0);
      // the curve joins the old state with the amended one
      method->dense(s, s->t, dense);
      CHECK_NEAR(distance(2, dense, z), 0, 0);
      method->dense(s, s->t_old, dense);
      CHECK_NEAR(distance(2, dense, old), 0, 1e-15);
    }
    p->exact(100, want);
    CHECK_NEAR(distance(2, s->y, want), 0, 4e-6);
    CHECK_NEAR(hypot(s->y[0], s->y[1]), 1, 1e-15);
    CHECK(s->counts.steps < plain->counts.steps * 1.1 + 10);
    method->destroy(s);
    method->destroy(plain);
  }
}

TEST(every_method_takes_a_large_amendment_as_a_new_start)
{
  const problem* p = &problems[0];
  for (int m = 0; m < step_method_count(); m++) {
    const step_method* method = step_method_at(m);
    if (method->decides) continue; // it has steps or flights, no tolerance
    double abs_tol[most], off, inside, dense[most], other[2] = {cos(1.5) * 2, -sin(1.5) * 2};
    step_ode ode = ode_of(p, 1e-9, abs_tol);
    step_stepper* s = begin(method, &ode, p, 0, 3);
    follow(s, p, 1.5, &off, &inside);
    CHECK_INT(method->amend(s, other), STEP_OK);
    method->dense(s, s->t, dense);
    CHECK_NEAR(dense[0], other[0], 0);
    for (int i = 0; i < 10000 && s->t != 3; i++) CHECK_INT(method->step(s, 3), STEP_OK);
    CHECK_NEAR(s->y[0], 2 * cos(3), 2e-7);
    CHECK_NEAR(s->y[1], -2 * sin(3), 2e-7);
    method->destroy(s);
  }
}

typedef struct fence
{
  int code;  // returned beyond t = 1
  bool poor; // not finite beyond t = 1 instead
} fence;

static int fenced(void* context, double t, const double* y, double* dy)
{
  const fence* f = context;
  dy[0] = -y[0];
  if (t > 1 && f->poor) dy[0] = NAN;
  return t > 1 ? f->code : 0;
}

static int fenced_implicit(void* context, double t, const double* y, const double* dy, double* r)
{
  int code = fenced(context, t, y, r);
  r[0] = dy[0] - r[0];
  return code;
}

static int fenced_start(void* context, double t, const double* ode_y, double* y, double* dy)
{
  y[0] = ode_y[0];
  return fenced(context, t, y, dy);
}

// what the process writes to its error stream from here on, until heard()
static int hush(FILE* into)
{
  fflush(stderr);
  int kept = dup(2);
  dup2(fileno(into), 2);
  return kept;
}

static long heard(FILE* into, int kept)
{
  fflush(stderr);
  dup2(kept, 2);
  close(kept);
  fseek(into, 0, SEEK_END);
  long n = ftell(into);
  fclose(into);
  return n;
}

TEST(every_method_says_why_it_cannot_go_on)
{
  FILE* talk = tmpfile();
  int kept = hush(talk);
  static const struct
  {
    fence f;
    step_status want;
    const char* word;
  } cases[] = {{{1, false}, STEP_RHS_FAILED, "cannot be evaluated"},
               {{-5, false}, STEP_RHS_FAILED, "-5"},
               {{0, true}, STEP_NOT_FINITE, "not finite"}};
  for (int m = 0; m < step_method_count(); m++)
    for (int c = 0; c < 3; c++) {
      const step_method* method = step_method_at(m);
      if (method->decides) continue; // it has steps or flights, no tolerance
      double tol = 1e-8, y = 1;
      fence f = cases[c].f;
      step_ode ode = {.n = 1,
                      .rhs = fenced,
                      .context = &f,
                      .dae_n = 1,
                      .residual = fenced_implicit,
                      .consistent = fenced_start,
                      .series = decay_series,
                      .rel_tol = 1e-8,
                      .abs_tol = &tol};
      step_stepper* s = method->create(method, &ode);
      CHECK_INT(method->start(s, 0, &y, 5), STEP_OK);
      step_status status = STEP_OK;
      for (int i = 0; i < 100000 && status == STEP_OK; i++) status = method->step(s, 5);
      CHECK_INT(status, cases[c].want);
      CHECK(s->t <= 1);
      if (!strstr(s->reason, cases[c].word)) CHECK_TEXT(s->reason, cases[c].word);
      // and at the start already
      status = method->start(s, 2, &y, 5);
      CHECK_INT(status, cases[c].want);
      y = NAN;
      CHECK_INT(method->start(s, 0, &y, 5), STEP_NOT_FINITE);
      // after which a good start works
      y = 1;
      CHECK_INT(method->start(s, 0, &y, 5), STEP_OK);
      for (int i = 0; i < 100000 && s->t != 0.5; i++) CHECK_INT(method->step(s, 0.5), STEP_OK);
      CHECK_NEAR(s->y[0], exp(-0.5), 1e-7);
      method->destroy(s);
    }
  // in the reason, not on the error stream
  CHECK_INT(heard(talk, kept), 0);
}

static int nothing(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t, (void)y, (void)dy;
  return 0;
}

static int nothing_implicit(void* context, double t, const double* y, const double* dy, double* r)
{
  (void)context, (void)t, (void)y, (void)dy, (void)r;
  return 0;
}

static int nothing_start(void* context, double t, const double* ode_y, double* y, double* dy)
{
  (void)context, (void)t, (void)ode_y, (void)y, (void)dy;
  return 0;
}

TEST(every_method_carries_an_empty_system)
{
  for (int m = 0; m < step_method_count(); m++) {
    const step_method* method = step_method_at(m);
    if (method->decides) continue; // it has steps or flights, no tolerance
    step_ode ode = {.rhs = nothing,
                    .residual = nothing_implicit,
                    .consistent = nothing_start,
                    .series = nothing_series,
                    .rel_tol = 1e-10};
    double y = 0;
    step_stepper* s = method->create(method, &ode);
    CHECK_INT(method->start(s, 0, &y, 3), STEP_OK);
    for (int i = 0; i < 10000 && s->t != 3; i++) CHECK_INT(method->step(s, 3), STEP_OK);
    CHECK_NEAR(s->t, 3, 0);
    method->destroy(s);
  }
}

// a fast wave that is only recorded must not cost steps
static int recorded(void* context, double t, const double* y, double* dy)
{
  (void)context;
  dy[0] = y[1];
  dy[1] = -y[0];
  dy[2] = sin(500 * t);
  return 0;
}

static int recorded_implicit(void* context, double t, const double* y, const double* dy, double* r)
{
  recorded(context, t, y, r);
  for (int i = 0; i < 3; i++) r[i] = dy[i] - r[i];
  return 0;
}

static int recorded_start(void* context, double t, const double* ode_y, double* y, double* dy)
{
  memcpy(y, ode_y, 3 * sizeof *y);
  return recorded(context, t, y, dy);
}

TEST(quiet_components_steer_no_method)
{
  const bool quiet[3] = {false, false, true};
  const double tol[3] = {1e-8, 1e-8, 1e-8}, y[3] = {1, 0, 0};
  for (int m = 0; m < step_method_count(); m++) {
    const step_method* method = step_method_at(m);
    if (method->decides) continue; // it has steps or flights, no tolerance
    step_ode ode = {.n = 3,
                    .rhs = recorded,
                    .dae_n = 3,
                    .residual = recorded_implicit,
                    .consistent = recorded_start,
                    .series = recorded_series,
                    .rel_tol = 1e-8,
                    .abs_tol = tol,
                    .quiet = quiet};
    step_stepper* s = method->create(method, &ode);
    CHECK_INT(method->start(s, 0, y, 10), STEP_OK);
    for (int i = 0; i < 100000 && s->t != 10; i++) CHECK_INT(method->step(s, 10), STEP_OK);
    CHECK_NEAR(s->y[0], cos(10), 4e-7);
    CHECK(s->counts.steps < 1000);
    ode.quiet = NULL;
    step_stepper* loud = method->create(method, &ode);
    CHECK_INT(method->start(loud, 0, y, 10), STEP_OK);
    for (int i = 0; i < 100000 && loud->t != 10; i++) CHECK_INT(method->step(loud, 10), STEP_OK);
    CHECK(loud->counts.steps > 2 * s->counts.steps);
    method->destroy(s);
    method->destroy(loud);
  }
}
