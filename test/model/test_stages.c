// Stages and events.

#include <stdio.h>

#include "check.h"
#include "given.h"

static const char start[] = "param a = 1, b = 2 [s]\ncoord x, y\nkinetic x'^2 + y'^2\n"
                            "constraint c: x = y\nconstraint d: x' = 1\n";

static given with(const char* more)
{
  base_text text = {0};
  base_text_printf(&text, "%s%s\n", start, more);
  given g = given_text(text.at);
  base_text_free(&text);
  return g;
}

TEST(stages_end_at_their_conditions)
{
  given g = with("stage one { until t >= 2*b }\nstage { until x > y }\nstage { until x <= 3 }\n"
                 "stage { until 9 < t }\nstage { until t <= 4 }\nstage last { }");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_INT(g.m->stages, 6);
  const model_stage* s = g.m->stage;
  CHECK_TEXT(s[0].name, "one");
  CHECK_TEXT(given_print(&g, s[0].until_time), "2*b");
  CHECK_TEXT(s[1].name, "2");
  CHECK_TEXT(given_print(&g, s[1].until), "x - y");
  CHECK(s[1].until_time == EXPR_NONE);
  CHECK_TEXT(given_print(&g, s[2].until), "3 - x");
  CHECK_TEXT(given_print(&g, s[3].until_time), "9");
  CHECK_TEXT(given_print(&g, s[4].until), "4 - t");
  CHECK(s[4].until_time == EXPR_NONE);
  CHECK(s[5].until == EXPR_NONE);
  given_free(&g);
}

TEST(a_time_that_hangs_on_a_changing_param_is_located)
{
  given g = with("stage { set a = 3; until t >= a }");
  CHECK_TEXT(given_errors(&g), "");
  CHECK(g.m->stage[0].until_time == EXPR_NONE);
  CHECK(g.m->stage[0].until != EXPR_NONE);
  given_free(&g);
}

TEST(stages_set_params_coordinates_and_velocities)
{
  given g = with("stage { set a = 2*x' over 0.5, x = 1, y' = x; carry momentum }");
  CHECK_TEXT(given_errors(&g), "");
  const model_change* c = &g.m->stage[0].change;
  CHECK_INT(c->sets, 3);
  CHECK_INT(c->set[0].target, MODEL_SET_PARAM);
  CHECK_INT(c->set[0].index, 0);
  CHECK_TEXT(given_print(&g, c->set[0].over), "1/2");
  CHECK_INT(c->set[1].target, MODEL_SET_COORD);
  CHECK(c->set[1].over == EXPR_NONE);
  CHECK_INT(c->set[2].target, MODEL_SET_VELOCITY);
  CHECK_INT(c->set[2].index, 1);
  CHECK_INT(c->carry, MODEL_CARRY_MOMENTUM);
  CHECK(g.m->param[0].changes && !g.m->param[1].changes);
  given_free(&g);
}

TEST(a_constraint_first_imposed_starts_off)
{
  given g = with("stage { until t >= 1 }\nstage { impose c; release d; until t >= 2 }\n"
                 "stage { release c; impose d }");
  CHECK_TEXT(given_errors(&g), "");
  CHECK(g.m->constraint[0].starts_off);
  CHECK(!g.m->constraint[1].starts_off);
  CHECK_INT(g.m->stage[1].change.impose[0], 0);
  CHECK_INT(g.m->stage[1].change.release[0], 1);
  given_free(&g);
  g = with(
      "event e: x = 1 { impose c }\nevent f: x = 2 { impose d }\nevent h: x = 3 { release d }");
  CHECK_TEXT(given_errors(&g), "");
  CHECK(g.m->constraint[0].starts_off);
  CHECK(!g.m->constraint[1].starts_off);
  given_free(&g);
}

TEST(events_know_direction_and_action)
{
  given g = with("event p: x - 1 = 0 rising stop\nevent q: x = reaction(c) falling report\n"
                 "event r: x'' = y { set a = 5 }");
  CHECK_TEXT(given_errors(&g), "");
  const model_event* e = g.m->event;
  CHECK_INT(g.m->events, 3);
  CHECK_INT(e[0].direction, 1);
  CHECK_INT(e[0].action, MODEL_STOP);
  CHECK_INT(e[1].direction, -1);
  CHECK_INT(e[1].action, MODEL_REPORT);
  CHECK_INT(e[2].direction, 0);
  CHECK_INT(e[2].action, MODEL_CHANGE);
  CHECK_INT(e[2].change.sets, 1);
  CHECK_TEXT(given_print(&g, e[2].g), "x'' - y");
  CHECK(g.m->param[0].changes);
  given_free(&g);
}

TEST(mistakes_in_stages_and_events)
{
  static const char* const wrong[][2] = {
      {"stage { set z = 1 }", "unknown param `z`"},
      {"let z = x\nstage { set z = 1 }",
       "only a param, a coordinate or its velocity can be set, `z` is a let"},
      {"stage { set x'' = 1 }", "this derivative cannot be set"},
      {"stage { set a' = 1 }", "this derivative cannot be set"},
      {"stage { set x = 1 over 2 }", "only a param can change smoothly with `over`"},
      {"stage { set a = 1 over 0 }", "a duration is positive"},
      {"stage { set a = 1 over -2 }", "a duration is positive"},
      {"stage { set a = 1 over x }", "a duration cannot depend on coordinates"},
      {"stage { set a = 1, a = 2 }", "this is set twice"},
      {"stage { set a = x'' }", "a value to set cannot depend on accelerations"},
      {"stage { set a = reaction(c) }", "a value to set cannot depend on reactions"},
      {"stage { release cc }", "there is no constraint `cc`"},
      {"stage { release c; impose c }", "`c` is both released and imposed"},
      {"stage one { }\nstage two { }", "the stage `one` never ends, and others follow it"},
      {"stage { until x }", "expected a comparison such as x > 1"},
      {"event e: x = 1 { until t >= 3 }", "`until` belongs to a stage, not to an event"},
      {"event e: (x, y, 0) = (1, 1, 0) stop", "an event is an equation between numbers"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    given g = with(wrong[i][0]);
    if (!CHECK_TEXT(given_errors(&g), wrong[i][1])) printf("#     in: %s\n", wrong[i][0]);
    CHECK(!g.m);
    given_free(&g);
  }
}
