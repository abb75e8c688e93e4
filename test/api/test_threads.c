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
