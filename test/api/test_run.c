// Runs and their tracks.
#include "bead.h"

#include "check.h"

#include <math.h>

TEST(a_run_leaves_a_track_with_rows_columns_and_events)
{
  bead b = bead_read(NULL);
  zw_track* t = bead_run(&b, 11);
  CHECK_INT(zw_track_status(t), ZW_OK);
  CHECK_TEXT(zw_track_reason(t), "");
  CHECK(zw_track_rows(t) >= 11);
  CHECK_TEXT(zw_track_name(t, 0), "t");
  const int x = zw_track_column(t, "x"), v = zw_track_column(t, "y'"), e = zw_track_column(t, "E");
  CHECK(x > 0 && v > 0 && e > 0 && zw_track_column(t, "reaction.ring") > 0);
  CHECK_INT(zw_track_column(t, "nobody"), -1);
  CHECK_INT(zw_track_column(t, ""), -1);
  for (int i = 0; i < zw_track_columns(t); i++)
    CHECK_INT(zw_track_column(t, zw_track_name(t, i)), i);
  const int last = zw_track_rows(t) - 1;
  CHECK_NEAR(zw_track_value(t, 0, x), 0.6, 1e-15);
  CHECK_NEAR(zw_track_value(t, last, 0), 2, 0);
  // the energy of the start stays
  CHECK_NEAR(zw_track_value(t, last, e), -2 * 9.81 * 0.8, 1e-8);
  CHECK(zw_track_residual(t) < 1e-12);
  CHECK(fabs(zw_track_energy_balance(t)) < 1e-9);
  zw_track_free(t);
  bead_free(&b);
}

TEST(events_are_told_in_their_order_with_their_times)
{
  bead b = bead_read(NULL);
  zw_track* t = bead_run(&b, 2);
  CHECK(zw_track_events(t) > 1);
  double before = 0, time = 0;
  for (int i = 0; i < zw_track_events(t); i++) {
    CHECK_TEXT(zw_track_event(t, i, &time), "low");
    CHECK(time > before && time < 2);
    before = time;
  }
  // the time may be left out
  CHECK_TEXT(zw_track_event(t, 0, NULL), "low");
  zw_track_free(t);
  bead_free(&b);
}

TEST(the_summary_tells_the_method)
{
  bead b = bead_read(NULL);
  zw_track* t = bead_run(&b, 2);
  char* text = zw_track_summary(t);
  CHECK(text && strstr(text, "method") && strstr(text, "done"));
  zw_text_free(text);
  zw_track_free(t);
  bead_free(&b);
}

TEST(rows_are_where_they_are_asked_for)
{
  bead b = bead_read(NULL);
  zw_run_options o = zw_run_defaults();
  const double at[] = {0.25, 0.5, 1.75};
  o.at = at;
  o.at_count = 3;
  zw_track* t = zw_run(b.system, &o, b.notes);
  CHECK(t != NULL);
  int found = 0;
  for (int i = 0; t && i < zw_track_rows(t); i++)
    for (int k = 0; k < 3; k++) found += zw_track_value(t, i, 0) == at[k];
  CHECK_INT(found, 3);
  zw_track_free(t);
  o = zw_run_defaults();
  o.every = 0.5;
  o.until = 1;
  t = zw_run(b.system, &o, b.notes);
  CHECK(t && zw_track_value(t, zw_track_rows(t) - 1, 0) == 1);
  zw_track_free(t);
  bead_free(&b);
}

// The angle from the bottom, phi'' = -g sin phi, by small steps of the classical rule.
static double place_after(double time)
{
  enum { steps = 3000 };
  const double h = time / steps, g = 9.81;
  double phi = asin(0.6), w = 0;
  for (int i = 0; i < steps; i++) {
    const double a1 = -g * sin(phi), w2 = w + h / 2 * a1;
    const double a2 = -g * sin(phi + h / 2 * w), w3 = w + h / 2 * a2;
    const double a3 = -g * sin(phi + h / 2 * w2), w4 = w + h * a3;
    const double a4 = -g * sin(phi + h * w3);
    phi += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return sin(phi);
}

TEST(every_method_gives_the_same_motion)
{
  bead b = bead_read(NULL);
  for (int i = 0; zw_method_name(i); i++) {
    zw_run_options o = zw_run_defaults();
    o.points = 2;
    o.until = 0.3;
    o.method = zw_method_name(i);
    const int before = zw_notes_errors(b.notes);
    zw_track* t = zw_run(b.system, &o, b.notes);
    // one that does not take this model says why
    if (!t) {
      CHECK(zw_notes_errors(b.notes) > before);
      continue;
    }
    CHECK_INT(zw_track_status(t), ZW_OK);
    // steps of moreau are fixed and of first order
    const double allowed = strcmp(o.method, "moreau") ? 1e-8 : 1e-2;
    const int x = zw_track_column(t, "x");
    CHECK_NEAR(zw_track_value(t, zw_track_rows(t) - 1, x), place_after(o.until), allowed);
    zw_track_free(t);
  }
  bead_free(&b);
}

static bool stop_at_once(void* context, const zw_progress* p)
{
  ++*(int*)context;
  return p->steps < 0;
}

TEST(a_run_can_be_stopped_from_outside)
{
  bead b = bead_read(NULL);
  int asked = 0;
  zw_run_options o = zw_run_defaults();
  o.until = 1e5;
  o.method = "dop853";
  o.progress = stop_at_once;
  o.progress_context = &asked;
  zw_track* t = zw_run(b.system, &o, b.notes);
  CHECK(asked == 1);
  CHECK_INT(t ? zw_track_status(t) : ZW_OK, ZW_INTERRUPTED);
  CHECK(t && *zw_track_reason(t));
  zw_track_free(t);
  bead_free(&b);
}

static bool only_look(void* context, const zw_progress* p)
{
  ++*(int*)context;
  return p->steps >= 0;
}

// Two links that are free in the plane, each with coordinates of its own. Their steps were ended in
// another way, with other roundings, where somebody watched.
TEST(a_run_that_is_watched_is_the_same_to_the_last_bit)
{
  const char text[] =
      "coord X, Y, x, y, a, u, v, b\n"
      "kinetic 0.9*(X'^2 + Y'^2) + 1.07*(x'^2 + y'^2) + 1.06*(u'^2 + v'^2)\n"
      "kinetic 0.05*a'^2 + 0.125*b'^2\n"
      "constraint p: (x - 0.464*cos(a), y - 0.464*sin(a), 0) = (X, Y, 0)\n"
      "constraint q: (u - 0.434*cos(b), v - 0.434*sin(b), 0) =\n"
      "  (x + 0.116*cos(a), y + 0.116*sin(a), 0)\n"
      "initial X = 0.14\ninitial Y = -0.96\ninitial a = 0.07\ninitial b = -2.01\n"
      "initial X' = -0.51\ninitial Y' = 0.22\ninitial a' = -1.46\ninitial b' = -1.44\n"
      "run 0 .. 1.2\n";
  zw_notes* n = zw_notes_new();
  zw_model* m = zw_model_read_text("t", text, strlen(text), NULL, 0, n);
  zw_system* s = zw_derive(m, n);
  zw_run_options o = zw_run_defaults();
  o.points = 7;
  zw_track* alone = zw_run(s, &o, n);
  int asked = 0;
  o.progress = only_look;
  o.progress_context = &asked;
  zw_track* watched = zw_run(s, &o, n);
  CHECK(asked > 0);
  for (int k = 0; k < zw_track_columns(alone); k++)
    for (int i = 0; i < zw_track_rows(alone); i++)
      CHECK_NEAR(zw_track_value(watched, i, k), zw_track_value(alone, i, k), 0);
  zw_track_free(alone);
  zw_track_free(watched);
  zw_system_free(s);
  zw_model_free(m);
  zw_notes_free(n);
}

TEST(options_that_are_wrong_are_refused_with_the_reason)
{
  bead b = bead_read(NULL);
  static const double nowhere[] = {0.5, NAN};
  struct
  {
    const char* what;
    zw_run_options o;
  } wrong[] = {{"no cookie", {.points = 2}},
               {"method", zw_run_defaults()},
               {"until", zw_run_defaults()},
               {"nan", zw_run_defaults()},
               {"solver", zw_run_defaults()}};
  wrong[1].o.method = "nobody";
  wrong[2].o.until = -5;
  wrong[3].o.at = nowhere, wrong[3].o.at_count = 2;
  wrong[4].o.contact_solver = "nobody";
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const int before = zw_notes_errors(b.notes);
    zw_track* t = zw_run(b.system, &wrong[i].o, b.notes);
    if (t || zw_notes_errors(b.notes) == before)
      check_fail(__FILE__, __LINE__, "%s: track %p, %d errors noted", wrong[i].what, (void*)t,
                 zw_notes_errors(b.notes) - before);
    zw_track_free(t);
  }
  bead_free(&b);
}

TEST(a_run_that_cannot_be_finished_keeps_what_was_computed)
{
  zw_notes* n = zw_notes_new();
  // x = 1/(1 - t): beyond all bounds at t = 1
  const char text[] =
      "coord x\nkinetic x'^2/2\nforce x = 2*x^3\ninitial x = 1\ninitial x' = 1\nrun 0 .. 2\n";
  zw_model* m = zw_model_read_text("t", text, strlen(text), NULL, 0, n);
  zw_system* s = m ? zw_derive(m, n) : NULL;
  zw_run_options o = zw_run_defaults();
  zw_track* t = s ? zw_run(s, &o, n) : NULL;
  CHECK_INT(t ? zw_track_status(t) : ZW_OK, ZW_UNFINISHED);
  CHECK(t && zw_track_rows(t) > 100);
  CHECK(t && *zw_track_reason(t));
  zw_track_free(t);
  zw_system_free(s);
  zw_model_free(m);
  zw_notes_free(n);
}

TEST(a_stop_event_is_a_good_reason_to_end)
{
  zw_notes* n = zw_notes_new();
  const char text[] =
      "coord x\nkinetic x'^2/2\ninitial x' = 1\nevent wall: x = 1 stop\nrun 0 .. 5\n";
  zw_model* m = zw_model_read_text("t", text, strlen(text), NULL, 0, n);
  zw_system* s = m ? zw_derive(m, n) : NULL;
  zw_run_options o = zw_run_defaults();
  zw_track* t = s ? zw_run(s, &o, n) : NULL;
  CHECK_INT(t ? zw_track_status(t) : ZW_OK, ZW_STOPPED);
  if (t) CHECK_NEAR(zw_track_value(t, zw_track_rows(t) - 1, 0), 1, 1e-9);
  zw_track_free(t);
  zw_system_free(s);
  zw_model_free(m);
  zw_notes_free(n);
}

TEST(a_start_that_contradicts_the_constraints_gives_no_track)
{
  zw_notes* n = zw_notes_new();
  const char text[] = "coord x\nkinetic x'^2/2\nconstraint c: x = 1\ninitial x = 2\nrun 0 .. 1\n";
  zw_model* m = zw_model_read_text("t", text, strlen(text), NULL, 0, n);
  zw_system* s = m ? zw_derive(m, n) : NULL;
  zw_run_options o = zw_run_defaults();
  CHECK(s && zw_run(s, &o, n) == NULL);
  CHECK(zw_notes_errors(n) > 0);
  zw_system_free(s);
  zw_model_free(m);
  zw_notes_free(n);
}

TEST(two_runs_of_one_system_are_the_same)
{
  bead b = bead_read(NULL);
  zw_track *first = bead_run(&b, 11), *second = bead_run(&b, 11);
  CHECK_INT(zw_track_rows(first), zw_track_rows(second));
  for (int i = 0; i < zw_track_rows(first); i++)
    for (int k = 0; k < zw_track_columns(first); k++)
      CHECK(zw_track_value(first, i, k) == zw_track_value(second, i, k) ||
            isnan(zw_track_value(first, i, k)));
  zw_track_free(first);
  zw_track_free(second);
  bead_free(&b);
}

TEST(digits_are_told_where_they_are_asked_for)
{
  bead b = bead_read(NULL);
  zw_run_options o = zw_run_defaults();
  const char* why = NULL;
  zw_track* t = zw_run(b.system, &o, b.notes);
  CHECK(isnan(zw_track_digits(t, &why)));
  CHECK_TEXT(why, "the run was not asked for it");
  zw_track_free(t);
  o.estimate = true;
  t = zw_run(b.system, &o, b.notes);
  CHECK(zw_track_digits(t, &why) > 8 && zw_track_digits(t, NULL) < 15);
  CHECK_TEXT(why, "");
  zw_track_free(t);
  o.digits = 6;
  t = zw_run(b.system, &o, b.notes);
  CHECK(zw_track_digits(t, NULL) >= 6);
  zw_track_free(t);
  o.digits = 40;
  CHECK(!zw_run(b.system, &o, b.notes));
  CHECK(bead_noted(b.notes, 0, "digits"));
  bead_free(&b);
}
