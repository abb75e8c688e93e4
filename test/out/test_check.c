#include <jansson.h>
#include <stdlib.h>

#include "check.h"
#include "out/fixture.h"

// what geom would say of the constraints
static geom_report* report(fixture* f)
{
  geom_report* g = base_arena_take(f->arena, sizeof *g);
  g->constraints = f->m.constraints;
  g->constraint = base_arena_take(f->arena, 2 * sizeof *g->constraint);
  for (int i = 0; i < 2; i++) g->constraint[i] = (geom_constraint){EXPR_YES, true, EXPR_NONE, ""};
  g->growth = base_arena_take(f->arena, 2 * sizeof *g->growth);
  g->growth[0] = 2;
  g->growth[1] = 3;
  g->growth_length = 2;
  g->growth_known = true;
  g->growth_note = "";
  return g;
}

TEST(a_check_as_json_has_the_fields_of_the_language)
{
  fixture* f = fixture_new(2);
  geom_report* g = report(f);
  base_text out = {0};
  out_check(&f->s, &f->point, g, NULL, true, &out);
  json_t* o = json_loads(out.at, JSON_REJECT_DUPLICATES, NULL);
  CHECK(o);
  CHECK_TEXT(json_string_value(json_array_get(json_object_get(o, "coordinates"), 1)), "y");
  CHECK_INT(json_integer_value(json_object_get(o, "dof_positions")), 1);
  CHECK_INT(json_integer_value(json_object_get(o, "dof_velocities")), 1);
  CHECK_INT(json_integer_value(json_array_get(json_object_get(o, "growth"), 1)), 3);
  json_t* twin = json_array_get(json_object_get(o, "constraints"), 1);
  CHECK_TEXT(json_string_value(json_object_get(twin, "name")), "twin");
  CHECK_INT(json_integer_value(json_object_get(twin, "order")), 0);
  CHECK_INT(json_integer_value(json_object_get(o, "operations")), 12);
  CHECK(json_is_true(json_object_get(twin, "linear")));
  CHECK_TEXT(json_string_value(json_object_get(twin, "integrable")), "yes");
  CHECK(json_is_true(json_object_get(twin, "redundant")));
  CHECK(json_is_false(
      json_object_get(json_array_get(json_object_get(o, "constraints"), 0), "redundant")));
  CHECK_NEAR(json_number_value(json_object_get(json_object_get(o, "initial"), "x")), 0.5, 0);
  json_decref(o);
  base_text_free(&out);
  fixture_free(f);
}

TEST(a_check_as_text_reads_like_a_page)
{
  fixture* f = fixture_new(2);
  geom_report* g = report(f);
  f->m.constraint[0].order = 1;
  f->m.constraint[0].f = fixture_read(f, "y'*x + x'*y");
  g->constraint[0].potential = fixture_read(f, "x*y");
  g->constraint[0].why = "it is the rate of a function";
  g->constraint[1].integrable = EXPR_NO;
  f->m.constraint[1].order = 1;
  f->m.constraint[1].linear = false;
  g->constraint[1].why = "a bracket leaves the distribution";
  base_text out = {0};
  out_check(&f->s, &f->point, g, NULL, false, &out);
  const char* want = base_arena_printf(
      f->arena,
      "A pendulum\n"
      "\n"
      "coordinates           x [m], y [m]\n"
      "degrees of freedom    2 in positions, 1 in velocities\n"
      "growth vector         (2, 3)\n"
      "operations            12 to evaluate M, F, A and c once\n"
      "constraints           2, 1 of them redundant\n"
      "\n"
      "  rod:  %s = 0\n"
      "    order 1: on velocities, linear in them\n"
      "    integrable: yes (it is the rate of a function)\n"
      "    a hidden position constraint: %s = const\n"
      "\n"
      "  twin:  %s = 0\n"
      "    order 1: on velocities, nonlinear in them\n"
      "    integrable: no (a bracket leaves the distribution)\n"
      "    redundant: it depends on the other constraints\n"
      "\n"
      "initial state at t = 0\n"
      "  x = 0.5                  x' = 0\n"
      "  y = 0                    y' = 2\n",
      fixture_text(f, f->m.constraint[0].f), fixture_text(f, g->constraint[0].potential),
      fixture_text(f, expr_simplify(f->pool, f->m.constraint[1].f)));
  CHECK_TEXT(out.at, want);
  base_text_free(&out);
  fixture_free(f);
}

TEST(a_check_counts_position_constraints_by_their_own_rank)
{
  // a velocity constraint that says the same comes first and takes the rank; the position
  // constraint, though redundant beside it, still takes a position away
  fixture* f = fixture_new(2);
  geom_report* g = report(f);
  f->m.constraint[0].order = 1;
  base_text out = {0};
  out_check(&f->s, &f->point, g, NULL, false, &out);
  CHECK(strstr(out.at, "1 in positions, 1 in velocities"));
  // switched off until a stage imposes it
  f->m.constraint[1].starts_off = true;
  out.n = 0;
  out_check(&f->s, &f->point, g, NULL, false, &out);
  CHECK(strstr(out.at, "2 in positions, 1 in velocities"));
  CHECK(strstr(out.at, "off until a stage imposes it"));
  base_text_free(&out);
  fixture_free(f);
}

TEST(a_check_counts_at_a_singular_start_what_holds_near_it)
{
  fixture* f = fixture_new(2);
  geom_report* g = report(f);
  // at the origin the gradients vanish; geom has seen their rank beside it
  f->m.constraint[0].f = fixture_read(f, "x*x - y*y");
  f->point.rank = 0;
  f->point.q[0] = f->point.q[1] = 0;
  for (int i = 0; i < 4; i++) f->s.A[i] = fixture_read(f, i % 2 ? "2*y" : "2*x");
  g->position_rank = 1;
  base_text out = {0};
  out_check(&f->s, &f->point, g, NULL, false, &out);
  CHECK(strstr(out.at, "1 in positions, 1 in velocities"));
  base_text_free(&out);
  fixture_free(f);
}

TEST(a_constraint_on_accelerations_takes_no_velocity_away)
{
  fixture* f = fixture_new(1);
  geom_report* g = report(f);
  f->m.constraint[0].order = 2;
  f->point.redundant = 0;
  base_text out = {0};
  out_check(&f->s, &f->point, g, NULL, false, &out);
  CHECK(strstr(out.at, "2 in positions, 2 in velocities"));
  base_text_free(&out);
  fixture_free(f);
}

TEST(a_check_without_a_consistent_state_says_so)
{
  fixture* f = fixture_new(1);
  base_text out = {0};
  out_check(&f->s, NULL, NULL, NULL, false, &out);
  CHECK(strstr(out.at, "there is no consistent state"));
  out.n = 0;
  out_check(&f->s, NULL, NULL, NULL, true, &out);
  json_t* o = json_loads(out.at, 0, NULL);
  CHECK(json_is_null(json_object_get(o, "dof_positions")));
  json_decref(o);
  base_text_free(&out);
  fixture_free(f);
}
