// Proved ends of runs, where Arb is there.
#include "check.h"
#include "zwang/zwang.h"

#include <stdlib.h>

static zw_track* track_of(const char* text, zw_notes* notes, zw_model** model, zw_system** system)
{
  *model = zw_model_read_text("test", text, strlen(text), NULL, 0, notes);
  *system = *model ? zw_derive(*model, notes) : NULL;
  zw_run_options o = zw_run_defaults();
  o.points = 2;
  return *system ? zw_run(*system, &o, notes) : NULL;
}

static const char* const oscillator =
    "coord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1\ninitial x' = 0\nrun 0 .. 3\n";

TEST(a_certificate_holds_the_truth_and_tells_how_far_the_run_is_off)
{
  zw_notes* notes = zw_notes_new();
  zw_model* model;
  zw_system* system;
  zw_track* track = track_of(oscillator, notes, &model, &system);
  zw_certificate* c = track ? zw_certify(track, 0, notes) : NULL;
  const char* said = zw_notes_count(notes) ? zw_notes_text(notes, 0) : "";
  if (!c && strstr(said, "without Arb")) {
    check_skip("zwang was built without Arb");
  } else if (!c) {
    check_fail(__FILE__, __LINE__, "%s", said);
  } else {
    CHECK_INT(zw_certificate_count(c), 2);
    CHECK_TEXT(zw_certificate_name(c, 0), "x");
    CHECK_TEXT(zw_certificate_name(c, 1), "x'");
    CHECK(!strncmp(zw_certificate_value(c, 0), "-0.98999249660044545", 18)); // cos 3
    CHECK(zw_certificate_error(c, 0) > 0 && zw_certificate_error(c, 0) < 1e-17);
    CHECK(zw_certificate_off(c, 0) < 1e-9);
    CHECK(zw_certificate_off(c, 0) >= zw_certificate_error(c, 0));
    CHECK_NEAR(zw_certificate_drift(c), 0, 0);
    CHECK(!zw_certificate_name(c, 2) && !zw_certificate_value(c, -1));
    CHECK(isnan(zw_certificate_error(c, 2)) && isnan(zw_certificate_off(c, -1)));
    char* text = zw_certificate_text(c);
    CHECK(strstr(text, "proved at t = 3") != NULL);
    zw_text_free(text);
  }
  zw_certificate_free(c);
  zw_certificate_free(NULL);
  zw_track_free(track);
  zw_system_free(system);
  zw_model_free(model);
  zw_notes_free(notes);
}

TEST(nothing_is_proved_of_a_table_without_the_start)
{
  zw_notes* notes = zw_notes_new();
  zw_model* model = zw_model_read_text("test", oscillator, strlen(oscillator), NULL, 0, notes);
  zw_system* system = zw_derive(model, notes);
  const double at[] = {1, 2};
  zw_run_options o = zw_run_defaults();
  o.at = at;
  o.at_count = 2;
  zw_track* track = zw_run(system, &o, notes);
  CHECK(!zw_certify(track, 0, notes));
  CHECK(strstr(zw_notes_text(notes, zw_notes_count(notes) - 1), "without rows at the start"));
  zw_track_free(track);
  zw_system_free(system);
  zw_model_free(model);
  zw_notes_free(notes);
}

TEST(nothing_is_proved_with_a_senseless_number_of_digits)
{
  zw_notes* notes = zw_notes_new();
  zw_model* model;
  zw_system* system;
  zw_track* track = track_of(oscillator, notes, &model, &system);
  CHECK(!zw_certify(track, -1, notes));
  CHECK(!zw_certify(track, 100000, notes));
  CHECK_INT(zw_notes_errors(notes), 2);
  zw_track_free(track);
  zw_system_free(system);
  zw_model_free(model);
  zw_notes_free(notes);
}

static bool enough(void* context, const zw_progress* p)
{
  CHECK(p->t > p->t_from && p->t <= p->t_to);
  return --*(int*)context > 0;
}

TEST(a_proof_can_be_broken_off)
{
  zw_notes* notes = zw_notes_new();
  zw_model* model;
  zw_system* system;
  zw_track* track = track_of(oscillator, notes, &model, &system);
  int turns = 2;
  CHECK(!zw_certify_watched(track, 0, enough, &turns, notes));
  const char* said = zw_notes_text(notes, zw_notes_count(notes) - 1);
  if (!strstr(said, "without Arb")) {
    CHECK(strstr(said, "interrupted"));
    CHECK_INT(turns, 0);
  }
  zw_track_free(track);
  zw_system_free(system);
  zw_model_free(model);
  zw_notes_free(notes);
}
