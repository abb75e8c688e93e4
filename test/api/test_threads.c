// Threads that use the library at the same time get what each would get alone.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "check.h"
#include "zwang/zwang.h"

// a blade on a plane: its growth vector along the run is part of the text
static const char blade[] = "model \"s\"\nparam m = 2, J = 0.3, a = 0.5\ncoord x, y\ncoord theta\n"
                            "frame s = world at (x, y, 0) rotated z(theta)\n"
                            "body load mass m inertia (J, J, J) at (a, 0, 0) in s\n"
                            "constraint blade: vel(s, s).y = 0\n"
                            "initial theta' = 1.5\ninitial x' = -0.4\nrun 0 .. 2\n";

enum { threads = 8, rounds = 6 };

typedef struct answers
{
  char *check, *equations;
  double end;
} answers;

static double end_of(zw_system* s, zw_notes* n)
{
  zw_run_options o = zw_run_defaults();
  o.points = 5;
  zw_track* t = zw_run(s, &o, n);
  const double x = zw_track_value(t, zw_track_rows(t) - 1, zw_track_column(t, "x"));
  zw_track_free(t);
  return x;
}

static answers ask(void)
{
  zw_notes* n = zw_notes_new();
  zw_model* m = zw_model_read_text("blade.zw", blade, strlen(blade), NULL, 0, n);
  zw_system* s = zw_derive(m, n);
  const answers a = {zw_check(s, "text", n), zw_equations(s, "maggi", "latex", n), end_of(s, n)};
  zw_system_free(s);
  zw_model_free(m);
  zw_notes_free(n);
  return a;
}

static void answers_free(answers a)
{
  zw_text_free(a.check);
  zw_text_free(a.equations);
}

static answers alone;
static atomic_int differ;

static void* ask_again(void* context)
{
  (void)context;
  for (int i = 0; i < rounds; i++) {
    const answers a = ask();
    if (!a.check || strcmp(a.check, alone.check) != 0 || !a.equations ||
        strcmp(a.equations, alone.equations) != 0 || a.end != alone.end)
      atomic_fetch_add(&differ, 1);
    answers_free(a);
  }
  return NULL;
}

static void* run_shared(void* system)
{
  zw_notes* n = zw_notes_new();
  for (int i = 0; i < rounds; i++)
    if (end_of(system, n) != alone.end) atomic_fetch_add(&differ, 1);
  zw_notes_free(n);
  return NULL;
}

static void in_threads(void* (*f)(void*), void* context)
{
  pthread_t thread[threads];
  differ = 0;
  for (int i = 0; i < threads; i++) CHECK(!pthread_create(&thread[i], NULL, f, context));
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
}

TEST(models_in_threads_give_what_they_give_alone)
{
  alone = ask();
  CHECK(alone.check && alone.equations && isfinite(alone.end));
  in_threads(ask_again, NULL);
  CHECK_INT(differ, 0);
  answers_free(alone);
}

TEST(threads_that_run_one_system_agree)
{
  zw_notes* n = zw_notes_new();
  zw_model* m = zw_model_read_text("blade.zw", blade, strlen(blade), NULL, 0, n);
  zw_system* s = zw_derive(m, n);
  alone.end = end_of(s, n);
  in_threads(run_shared, s);
  CHECK_INT(differ, 0);
  zw_system_free(s);
  zw_model_free(m);
  zw_notes_free(n);
}

// ---- sixteen models, each with a program of its own; one program for eight
// --------------------------

enum { owners = 16, sharers = 8, states = 9 };

// each kind of run: smooth, impacts, slip and stick, a stage, delays, many states
static const char late[] = "coord x\nkinetic x'^2/2\nforce x = -4*delay(x, 0.2)\ninitial x = 1\n"
                           "run 0 .. 1\n";
static const char cart[] = "param u = 0\ncoord x, a\nkinetic (1.1*x'^2 + 0.1*x'*a'*cos(a))/2 +\n"
                           "  0.0125*a'^2\npotential 0.49*cos(a)\nforce x = u\ninitial a = 0.1\n"
                           "run 0 .. 0.5\n";
static const char* const example[] = {"skater_benchmark", "bouncing_ball", "dry_friction",
                                      "double_pendulum",  "snakeboard",    "slider_crank"};

static const char* text_of(int owner)
{
  const int count = sizeof example / sizeof *example;
  const int k = owner % (count + 2);
  return k == count ? late : k > count ? cart : zw_example_text(example[k]);
}

// A number of all that a program does: its run, its steps, a saved state, the equations; nan where
// something fails. Checks are counted by the main thread alone.
static double use(zw_program* p, double u, zw_notes* n)
{
  zw_state* s = zw_state_new(p, n);
  const int columns = zw_program_columns(p), size = 2 * zw_program_coords(p);
  double *row = calloc((size_t)columns, sizeof *row), *y = calloc((size_t)(2 * states * size), 8);
  bool fine = !zw_program_inputs(p) || zw_state_set(s, 0, u) == ZW_OK;
  fine = fine && zw_state_run(s, 0.5, NULL, 0, n) >= ZW_OK;
  double sum = fine ? zw_track_value(zw_state_track(s), zw_state_rows(s) - 1, 1) : NAN;
  zw_state_restart(s);
  for (int i = 0; i < 5; i++) fine = fine && zw_state_step(s, 0.01, n) >= ZW_OK;
  size_t length = 0;
  char* bytes = zw_state_save(s, &length, n);
  fine = fine && bytes && zw_state_load(s, bytes, length, n) == ZW_OK;
  zw_text_free(bytes);
  fine = fine && zw_state_step(s, 0.01, n) >= ZW_OK && zw_state_row(s, row, n) == ZW_OK;
  for (int i = 0; i < columns; i++)
    if (isfinite(row[i])) sum += row[i];
  // many states at once: at rest, where constraints of velocities hold
  for (int i = 0; i < size / 2; i++)
    for (int k = 0; k < states; k++) y[i * states + k] = row[1 + i];
  fine = fine && zw_state_rates(s, states, 0, y, y + states * size, n) == ZW_OK;
  for (int i = 0; i < states * size; i++) sum += y[states * size + i];
  zw_state_free(s);
  free(row);
  free(y);
  return fine ? sum : NAN;
}

static zw_program* program_of(const char* text, const char* inputs, zw_notes* n)
{
  zw_model* m = zw_model_read_text("own.zw", text, strlen(text), NULL, 0, n);
  zw_system* s = zw_derive(m, n);
  zw_text_free(zw_equations(s, "lagrange", "text", n));
  const zw_run_options o = zw_run_defaults();
  zw_program* p = zw_program_new(s, inputs, &o, n);
  zw_system_free(s);
  zw_model_free(m);
  return p;
}

static double own(int i)
{
  zw_notes* n = zw_notes_new();
  zw_program* p = program_of(text_of(i), NULL, n);
  const double sum = use(p, 0, n);
  zw_program_free(p);
  zw_notes_free(n);
  return sum;
}

static double want[owners];

static void* own_in_thread(void* at)
{
  const int i = (int)((double*)at - want);
  for (int again = 0; again < 2; again++)
    if (own(i) != want[i]) atomic_fetch_add(&differ, 1);
  return NULL;
}

TEST(sixteen_threads_with_their_own_models_give_what_they_give_alone)
{
  pthread_t thread[owners];
  differ = 0;
  for (int i = 0; i < owners; i++) CHECK(isfinite(want[i] = own(i)));
  for (int i = 0; i < owners; i++)
    CHECK(!pthread_create(&thread[i], NULL, own_in_thread, &want[i]));
  for (int i = 0; i < owners; i++) pthread_join(thread[i], NULL);
  CHECK_INT(differ, 0);
}

static zw_program* common;

static void* use_common(void* context)
{
  (void)context;
  zw_notes* n = zw_notes_new();
  for (int i = 0; i < owners; i++)
    if (use(common, 0.1 * i, n) != want[i]) atomic_fetch_add(&differ, 1);
  zw_notes_free(n);
  return NULL;
}

TEST(eight_threads_share_one_program)
{
  zw_notes* n = zw_notes_new();
  pthread_t thread[sharers];
  differ = 0;
  common = program_of(cart, "u", n);
  for (int i = 0; i < owners; i++) CHECK(isfinite(want[i] = use(common, 0.1 * i, n)));
  for (int i = 0; i < sharers; i++) CHECK(!pthread_create(&thread[i], NULL, use_common, NULL));
  for (int i = 0; i < sharers; i++) pthread_join(thread[i], NULL);
  CHECK_INT(differ, 0);
  zw_program_free(common);
  zw_notes_free(n);
}
