// Programs: compiled once, run, stepped and asked many times.
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "bead.h"
#include "check.h"

// a cart that is pushed
static const char cart_text[] = "model \"A cart\"\nparam m = 2 [kg], u = 0 [N]\ncoord x [m]\n"
                                "kinetic m*x'^2/2\nforce x = u\ninitial x' = 1\n"
                                "event there: x = 5 stop\nrun 0 .. 2\n";

typedef struct made
{
  bead b;
  zw_program* program;
  zw_state* state;
} made;

static bead read_text(const char* name, const char* text, const char* set)
{
  bead b = {.notes = zw_notes_new()};
  b.model = zw_model_read_text(name, text, strlen(text), &set, set != NULL, b.notes);
  b.system = b.model ? zw_derive(b.model, b.notes) : NULL;
  CHECK(b.system != NULL);
  return b;
}

static made make(const char* text, const char* inputs, int points)
{
  made x = {.b = read_text("model.zw", text, NULL)};
  zw_run_options o = zw_run_defaults();
  o.points = points;
  x.program = zw_program_new(x.b.system, inputs, &o, x.b.notes);
  x.state = zw_state_new(x.program, x.b.notes);
  if (!x.state) printf("# %s\n", zw_notes_text(x.b.notes, zw_notes_count(x.b.notes) - 1));
  CHECK(x.state != NULL);
  return x;
}

static void leave(made* x)
{
  zw_state_free(x->state);
  zw_program_free(x->program);
  bead_free(&x->b);
}

static void set(const made* x, const char* name, double value)
{
  CHECK_INT(zw_state_set(x->state, zw_program_input(x->program, name), value), ZW_OK);
}

static double value_of(const made* x, const char* name)
{
  double* row = malloc(sizeof *row * (size_t)zw_program_columns(x->program));
  CHECK_INT(zw_state_row(x->state, row, x->b.notes), ZW_OK);
  const double value = row[zw_program_column(x->program, name)];
  free(row);
  return value;
}

// every value of every row, to the last bit
static void check_same(const made* x, const zw_track* t)
{
  const zw_track* own = zw_state_track(x->state);
  CHECK_INT(zw_track_rows(own), zw_track_rows(t));
  CHECK_INT(zw_state_rows(x->state), zw_track_rows(t));
  CHECK_INT(zw_track_events(own), zw_track_events(t));
  int differ = 0;
  for (int i = 0; i < zw_track_rows(t); i++)
    for (int k = 0; k < zw_track_columns(t); k++) {
      const double a = zw_track_value(own, i, k), b = zw_track_value(t, i, k);
      differ += memcmp(&a, &b, sizeof a) != 0;
    }
  CHECK_INT(differ, 0);
}

// ---- runs ---------------------------------------------------------------------------------------

TEST(a_run_of_a_program_is_that_of_the_system_to_the_last_bit)
{
  static const char* const name[] = {"pendulum",          "skater_benchmark", "chaplygin_sleigh",
                                     "bouncing_ball",     "skater_stages",    "dry_friction",
                                     "ladder_leaves_wall"};
  for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
    made x = make(zw_example_text(name[i]), NULL, 7);
    zw_run_options o = zw_run_defaults();
    o.points = 7;
    zw_track* t = zw_run(x.b.system, &o, x.b.notes);
    for (int again = 0; again < 3; again++) {
      CHECK_INT(zw_state_run(x.state, NAN, NULL, 0, x.b.notes), zw_track_status(t));
      check_same(&x, t);
    }
    zw_track_free(t);
    leave(&x);
  }
}

TEST(an_input_is_what_would_have_been_set)
{
  made x = make(bead_text, "m, g, x", 9);
  CHECK_INT(zw_program_inputs(x.program), 3);
  CHECK(!strcmp(zw_program_input_name(x.program, 1), "g"));
  CHECK(!zw_program_input_name(x.program, 3));
  CHECK_NEAR(zw_state_get(x.state, 1), 9.81, 0);
  CHECK_NEAR(zw_state_get(x.state, 2), 0.6, 0);
  set(&x, "g", 3.5);
  bead other = bead_read("g=3.5");
  zw_track* t = bead_run(&other, 9);
  CHECK_INT(zw_state_run(x.state, NAN, NULL, 0, x.b.notes), ZW_OK);
  check_same(&x, t);
  zw_track_free(t);
  bead_free(&other);
  // and back
  zw_state_reset(x.state);
  t = bead_run(&x.b, 9);
  CHECK_INT(zw_state_run(x.state, NAN, NULL, 0, x.b.notes), ZW_OK);
  CHECK_INT(zw_track_rows(zw_state_track(x.state)), zw_track_rows(t));
  CHECK_NEAR(zw_track_value(zw_state_track(x.state), 8, 1), zw_track_value(t, 8, 1), 1e-9);
  zw_track_free(t);
  // a start
  set(&x, "x", 0.3);
  CHECK_INT(zw_state_run(x.state, NAN, NULL, 0, x.b.notes), ZW_OK);
  CHECK_NEAR(zw_track_value(zw_state_track(x.state), 0, 1), 0.3, 1e-14);
  CHECK_NEAR(zw_track_value(zw_state_track(x.state), 0, 2), -sqrt(1 - 0.09), 1e-12);
  leave(&x);
}

TEST(rows_go_where_the_caller_wants_them)
{
  made x = make(bead_text, NULL, 5);
  const int columns = zw_program_columns(x.program);
  CHECK(!strcmp(zw_program_column_name(x.program, 1), "x"));
  CHECK(!strcmp(zw_program_column_unit(x.program, 1), "m"));
  CHECK(!zw_program_column_name(x.program, columns));
  double* rows = calloc((size_t)(8 * columns), sizeof *rows);
  rows[3 * columns] = 77;
  CHECK_INT(zw_state_run(x.state, 1, rows, 3, x.b.notes), ZW_OK);
  CHECK(zw_state_rows(x.state) >= 5);
  CHECK_NEAR(rows[0], 0, 0);
  CHECK_NEAR(rows[columns], zw_track_value(zw_state_track(x.state), 1, 0), 0);
  CHECK_NEAR(rows[3 * columns], 77, 0);
  free(rows);
  leave(&x);
}

// after the first ones, in which machine code is still made
TEST(runs_take_no_memory)
{
  static const char* const name[] = {"skater_benchmark", "pendulum", "bouncing_ball",
                                     "dry_friction", "skater_stages"};
  for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
    made x = make(zw_example_text(name[i]), NULL, 20);
    for (int again = 0; again < 210; again++) {
      base_fault_plan(BASE_FAULT_MEMORY, LONG_MAX, 0);
      CHECK(zw_state_run(x.state, NAN, NULL, 0, x.b.notes) >= 0);
      const long taken = base_fault_count(BASE_FAULT_MEMORY);
      base_fault_plan(BASE_FAULT_MEMORY, 0, 0);
      if (again >= 200 && taken)
        check_fail(__FILE__, __LINE__, "%s: %ld blocks in run %d", name[i], taken, again + 1);
      CHECK(again > 0 || taken > 0);
    }
    leave(&x);
  }
}

TEST(no_memory_is_taken_in_steps)
{
  made x = make(cart_text, "u", 2);
  for (int i = 0; i < 20; i++) {
    if (i == 10) base_fault_plan(BASE_FAULT_MEMORY, LONG_MAX, 0);
    set(&x, "u", i % 3);
    CHECK_INT(zw_state_step(x.state, 0.01, x.b.notes), ZW_OK);
  }
  CHECK_INT(base_fault_count(BASE_FAULT_MEMORY), 0);
  base_fault_plan(BASE_FAULT_MEMORY, 0, 0);
  leave(&x);
}

// ---- steps --------------------------------------------------------------------------------------

TEST(steps_follow_their_inputs)
{
  made x = make(cart_text, "u", 2);
  CHECK(isnan(zw_state_time(x.state)));
  // x'' = u/m, constant in each step
  double place = 0, speed = 1;
  for (int i = 0; i < 40; i++) {
    const double u = 3 * sin(i), h = 0.05;
    set(&x, "u", u);
    CHECK_INT(zw_state_step(x.state, h, x.b.notes), ZW_OK);
    place += speed * h + u / 2 * h * h / 2;
    speed += u / 2 * h;
  }
  CHECK_NEAR(zw_state_time(x.state), 2, 1e-14);
  CHECK_NEAR(value_of(&x, "x"), place, 1e-12);
  CHECK_NEAR(value_of(&x, "x'"), speed, 1e-12);
  // on to the end of the model, where it stays
  zw_status status = ZW_OK;
  for (int i = 0; i < 100 && status == ZW_OK; i++) status = zw_state_step(x.state, 0.5, x.b.notes);
  CHECK_INT(status, ZW_STOPPED);
  CHECK_NEAR(value_of(&x, "x"), 5, 1e-9);
  CHECK_INT(zw_track_events(zw_state_track(x.state)), 1);
  CHECK_INT(zw_state_step(x.state, 0.5, x.b.notes), ZW_STOPPED);
  zw_state_restart(x.state);
  CHECK(isnan(zw_state_time(x.state)));
  CHECK_NEAR(value_of(&x, "x"), 0, 0);
  leave(&x);
}

TEST(events_and_contacts_happen_inside_of_steps)
{
  static const char* const name[] = {"bouncing_ball", "pendulum", "dry_friction", "skater_stages"};
  for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
    made x = make(zw_example_text(name[i]), NULL, 2);
    const double end = 1.3, h = end / 13;
    for (int k = 0; k < 13; k++) CHECK_INT(zw_state_step(x.state, h, x.b.notes), ZW_OK);
    zw_run_options o = zw_run_defaults();
    o.until = zw_state_time(x.state);
    o.points = 2;
    zw_track* t = zw_run(x.b.system, &o, x.b.notes);
    const int last = zw_track_rows(t) - 1;
    for (int k = 1; k <= 2 * zw_program_coords(x.program); k++)
      CHECK_NEAR(value_of(&x, zw_track_name(t, k)), zw_track_value(t, last, k), 1e-7);
    CHECK_INT(zw_track_events(zw_state_track(x.state)), zw_track_events(t));
    zw_track_free(t);
    leave(&x);
  }
}

TEST(an_input_that_would_move_a_place_is_refused)
{
  made x = make("param l = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -9.81\n"
                "constraint rod: x^2 + y^2 = l^2\ninitial x = 1\ninitial y ~ 0\nrun 0 .. 1\n",
                "l", 2);
  CHECK_INT(zw_state_step(x.state, 0.1, x.b.notes), ZW_OK);
  const int before = zw_notes_count(x.b.notes);
  set(&x, "l", 1.2);
  CHECK_INT(zw_state_step(x.state, 0.1, x.b.notes), ZW_UNFINISHED);
  CHECK(bead_noted(x.b.notes, before, "`rod` does not hold after this change"));
  // at the start it may
  zw_state_restart(x.state);
  CHECK_INT(zw_state_step(x.state, 0.1, x.b.notes), ZW_OK);
  leave(&x);
}

// ---- as bytes -----------------------------------------------------------------------------------

TEST(what_was_saved_goes_on_to_the_same_bits)
{
  // the last: what was delayed is part of it
  const char* const text[] = {zw_example_text("skater_benchmark"), zw_example_text("bouncing_ball"),
                              zw_example_text("dry_friction"),
                              "coord x\nkinetic x'^2/2\nforce x = -4*delay(x, 0.2)\ninitial x = 1\n"
                              "run 0 .. 2\n"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    made x = make(text[i], NULL, 2);
    CHECK_INT(zw_state_step(x.state, 0.31, x.b.notes), ZW_OK);
    size_t size;
    char* bytes = zw_state_save(x.state, &size, x.b.notes);
    CHECK(bytes && size > 100);
    zw_state* other = zw_state_new(x.program, x.b.notes);
    CHECK_INT(zw_state_load(other, bytes, size, x.b.notes), ZW_OK);
    const size_t columns = (size_t)zw_program_columns(x.program);
    double *a = calloc(columns, sizeof *a), *b = calloc(columns, sizeof *b);
    for (int k = 0; k < 20; k++) {
      CHECK_INT(zw_state_step(x.state, 0.05, x.b.notes), ZW_OK);
      CHECK_INT(zw_state_step(other, 0.05, x.b.notes), ZW_OK);
      CHECK_INT(zw_state_row(x.state, a, x.b.notes), ZW_OK);
      CHECK_INT(zw_state_row(other, b, x.b.notes), ZW_OK);
      CHECK(!memcmp(a, b, sizeof *a * columns));
    }
    // what is not what was saved
    const int before = zw_notes_errors(x.b.notes);
    bytes[size / 2] ^= 1;
    CHECK_INT(zw_state_load(other, bytes, size, x.b.notes), ZW_BAD_INPUT);
    bytes[size / 2] ^= 1;
    CHECK_INT(zw_state_load(other, bytes, size - 1, x.b.notes), ZW_BAD_INPUT);
    CHECK_INT(zw_state_load(other, bytes, 3, x.b.notes), ZW_BAD_INPUT);
    made cart = make(cart_text, "u", 2);
    CHECK_INT(zw_state_load(cart.state, bytes, size, x.b.notes), ZW_BAD_INPUT);
    CHECK_INT(zw_notes_errors(x.b.notes), before + 4);
    leave(&cart);
    zw_text_free(bytes);
    zw_state_free(other);
    free(a);
    free(b);
    leave(&x);
  }
}

TEST(inputs_are_saved_with_the_run)
{
  made x = make(cart_text, "u", 2);
  set(&x, "u", 4);
  CHECK_INT(zw_state_step(x.state, 0.5, x.b.notes), ZW_OK);
  set(&x, "u", -1);
  size_t size;
  char* bytes = zw_state_save(x.state, &size, x.b.notes);
  zw_state_reset(x.state);
  CHECK_INT(zw_state_load(x.state, bytes, size, x.b.notes), ZW_OK);
  CHECK_NEAR(zw_state_get(x.state, 0), -1, 0);
  CHECK_INT(zw_state_step(x.state, 0.5, x.b.notes), ZW_OK);
  CHECK_NEAR(value_of(&x, "x'"), 1 + 1 - 0.25, 1e-12);
  zw_text_free(bytes);
  leave(&x);
}

// ---- the equations ------------------------------------------------------------------------------

TEST(the_equations_are_functions_of_a_state)
{
  made x = make(bead_text, "g", 2);
  zw_notes* n = x.b.notes;
  zw_point* p = zw_eval(x.b.system, NULL, "x=0.6, y=-0.8, x'=0.4, y'=0.3", n);
  const double y[4] = {0.6, -0.8, 0.4, 0.3};
  double f[4], M[4], F[2], L[1], J[16];
  CHECK_INT(zw_state_rates(x.state, 1, 0, y, f, n), ZW_OK);
  CHECK_NEAR(f[0], 0.4, 0);
  CHECK_NEAR(f[2], zw_point_value(p, "x''"), 1e-12);
  CHECK_NEAR(f[3], zw_point_value(p, "y''"), 1e-12);
  CHECK_INT(zw_state_reactions(x.state, 0, y, L, n), ZW_OK);
  CHECK_NEAR(L[0], zw_point_value(p, "reaction.ring"), 1e-10);
  CHECK_INT(zw_state_mass(x.state, 0, y, M, n), ZW_OK);
  CHECK_NEAR(M[0], 2, 0);
  CHECK_NEAR(M[1], 0, 0);
  CHECK_INT(zw_state_forces(x.state, 0, y, F, n), ZW_OK);
  CHECK_NEAR(F[1], -2 * 9.81, 1e-12);
  zw_point_free(p);
  // slopes against differences
  CHECK_INT(zw_state_jacobian(x.state, 0, y, J, n), ZW_OK);
  for (int j = 0; j < 4; j++) {
    const double h = 1e-5;
    double two[8], g[8];
    for (int i = 0; i < 4; i++) {
      two[2 * i] = y[i] + (i == j ? h : 0);
      two[2 * i + 1] = y[i] - (i == j ? h : 0);
    }
    CHECK_INT(zw_state_rates(x.state, 2, 0, two, g, n), ZW_OK);
    for (int i = 0; i < 4; i++) CHECK_NEAR(J[4 * i + j], (g[2 * i] - g[2 * i + 1]) / (2 * h), 1e-6);
  }
  // other inputs
  set(&x, "g", 0);
  CHECK_INT(zw_state_forces(x.state, 0, y, F, n), ZW_OK);
  CHECK_NEAR(F[1], 0, 0);
  // where there are none
  const double bad[4] = {NAN, 0, 0, 0};
  CHECK_INT(zw_state_rates(x.state, 1, 0, bad, f, n), ZW_UNFINISHED);
  CHECK(isnan(f[0]) && isnan(f[3]));
  leave(&x);
}

// by eights in the lanes, and the rest, in between one that has no rates
TEST(rates_of_many_states)
{
  enum { count = 21, bad = 13 };
  made x = make(bead_text, "g", 2);
  double y[4 * count], f[4 * count], one[4], single[4];
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 4 * count; i++) y[i] = sin(1.0 + i + round);
    if (round) y[count + bad] = NAN;
    set(&x, "g", 9.81 + round);
    CHECK_INT(zw_state_rates(x.state, count, 0.5, y, f, x.b.notes), round ? ZW_UNFINISHED : ZW_OK);
    for (int k = 0; k < count; k++) {
      for (int i = 0; i < 4; i++) one[i] = y[i * count + k];
      const bool has = !(round && k == bad);
      CHECK_INT(zw_state_rates(x.state, 1, 0.5, one, single, x.b.notes),
                has ? ZW_OK : ZW_UNFINISHED);
      for (int i = 0; i < 4; i++)
        CHECK(has ? fabs(f[i * count + k] - single[i]) <= 1e-13 * (1 + fabs(single[i]))
                  : isnan(f[i * count + k]));
    }
  }
  leave(&x);
}

TEST(rates_decide_what_holds)
{
  made x = make("coord h, s\nkinetic (h'^2 + s'^2)/2\nforce h = -9.81\nforce s = -sign(s')\n"
                "constraint floor: h >= 0\ninitial h = 1\ninitial s' = 1\nrun 0 .. 1\n",
                NULL, 2);
  const double free_fall[4] = {0.5, 0, 0, 2}, lies[4] = {0, 0, 0, -2};
  double f[4];
  CHECK_INT(zw_state_rates(x.state, 1, 0, free_fall, f, x.b.notes), ZW_OK);
  CHECK_NEAR(f[2], -9.81, 1e-12);
  CHECK_NEAR(f[3], -1, 1e-12);
  CHECK_INT(zw_state_rates(x.state, 1, 0, lies, f, x.b.notes), ZW_OK);
  CHECK_NEAR(f[2], 0, 1e-12);
  CHECK_NEAR(f[3], 1, 1e-12);
  CHECK_INT(zw_state_rates(x.state, 1, 0, free_fall, f, x.b.notes), ZW_OK);
  CHECK_NEAR(f[2], -9.81, 1e-12);
  leave(&x);
}

// ---- all numbers of a model ---------------------------------------------------------------------

// what follows from others goes on doing so, and what stages or constraints say is not given
TEST(all_that_can_be_given_is)
{
  made x = make("param a = 2, b = 3*a, k = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = b\n"
                "force y = k\ninitial x = 5, y = a\nevent e: x = 6 { set k = 2 }\nrun 0 .. 1\n",
                "*", 2);
  const char* const given[] = {"a", "x", "x'", "y'"};
  const char* const not_given[] = {"b", "k", "y"};
  CHECK_INT(zw_program_inputs(x.program), 4);
  for (int i = 0; i < 4; i++) CHECK(zw_program_input(x.program, given[i]) >= 0);
  for (int i = 0; i < 3; i++) CHECK_INT(zw_program_input(x.program, not_given[i]), -1);
  set(&x, "a", 4);
  CHECK_INT(zw_state_run(x.state, NAN, NULL, 0, x.b.notes), ZW_OK);
  const zw_track* t = zw_state_track(x.state);
  CHECK_NEAR(zw_track_value(t, zw_track_rows(t) - 1, zw_track_column(t, "x")), 5 + 12 / 2., 1e-9);
  leave(&x);
}

// a start that constraints say is not said a second time
TEST(starts_that_are_found_are_not_given)
{
  made x = make("param L = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -1\n"
                "constraint rod: x^2 + y^2 = L^2\ninitial x = 0.6, y ~ -1\nrun 0 .. 1\n",
                "*", 2);
  CHECK(zw_program_input(x.program, "x") >= 0);
  CHECK_INT(zw_program_input(x.program, "x'"), -1);
  CHECK_INT(zw_program_input(x.program, "y'"), -1);
  set(&x, "x", 0.8);
  CHECK_INT(zw_state_run(x.state, NAN, NULL, 0, x.b.notes), ZW_OK);
  const zw_track* t = zw_state_track(x.state);
  CHECK_NEAR(zw_track_value(t, 0, zw_track_column(t, "y")), -0.6, 1e-12);
  leave(&x);
}

// nor one that an equation between starts says: u = x' + x y' and y' = 0.5 x' are solved for both
// velocities
TEST(starts_that_equations_say_are_not_given)
{
  made x = make("coord x, y\nkinetic (x'^2 + y'^2)/2\n"
                "initial x' + x*y' = 3\ninitial y' - 0.5*x' = 0\nrun 0 .. 1\n",
                "*", 2);
  CHECK(zw_program_input(x.program, "x") >= 0);
  CHECK(zw_program_input(x.program, "y") >= 0);
  CHECK_INT(zw_program_input(x.program, "x'"), -1);
  CHECK_INT(zw_program_input(x.program, "y'"), -1);
  set(&x, "x", 4);
  CHECK_INT(zw_state_run(x.state, NAN, NULL, 0, x.b.notes), ZW_OK);
  const zw_track* t = zw_state_track(x.state);
  CHECK_NEAR(zw_track_value(t, 0, zw_track_column(t, "x'")), 1, 1e-12); // x' (1 + 4/2) = 3
  leave(&x);
}

// what a page would show of runs with other numbers is what it shows of the model with them
TEST(a_program_serves_a_moving_picture)
{
  static const char text[] = "param L = 2\ncoord a\nparticle p mass 1 = (L*sin(a), -L*cos(a), 0)\n"
                             "gravity (0, -9.81, 0)\ninitial a = 1\nrun 0 .. 1\n";
  bead b = read_text("model.zw", text, NULL), other = read_text("model.zw", text, "L=3");
  zw_run_options o = zw_run_defaults();
  zw_view_options view = zw_view_defaults();
  o.points = 5;
  o.scene = true;
  zw_program* program = zw_program_new(b.system, "*", &o, b.notes);
  zw_state* state = zw_state_new(program, b.notes);
  CHECK_INT(zw_state_set(state, zw_program_input(program, "L"), 3), ZW_OK);
  CHECK_INT(zw_state_run(state, NAN, NULL, 0, b.notes), ZW_OK);
  const zw_track *own = zw_state_track(state), *whole = zw_run(other.system, &o, other.notes);
  char* one = zw_view_json(&(zw_runs){.track = &own, .count = 1}, &view, true, b.notes);
  char* two = zw_view_json(&(zw_runs){.track = &whole, .count = 1}, &view, true, other.notes);
  CHECK(one && two);
  // the places of the particle, as they are packed
  const char *floats = strstr(one, "\"floats\""), *wanted = strstr(two, "\"floats\"");
  CHECK(floats && wanted && strlen(wanted) > 40);
  CHECK(!strncmp(floats, wanted, strcspn(wanted + 10, "\"") + 10));
  // steps leave nothing to be seen
  CHECK_INT(zw_state_step(state, 0.1, b.notes), ZW_OK);
  own = zw_state_track(state);
  CHECK(!zw_view_json(&(zw_runs){.track = &own, .count = 1}, &view, true, b.notes));
  zw_text_free(one);
  zw_text_free(two);
  zw_track_free((zw_track*)(uintptr_t)whole);
  zw_state_free(state);
  zw_program_free(program);
  bead_free(&b);
  bead_free(&other);
}

// ---- what is refused ----------------------------------------------------------------------------

static void refuse(const char* text, const char* inputs, void (*change)(zw_run_options* o),
                   const char* word)
{
  bead b = read_text("model.zw", text, NULL);
  zw_run_options o = zw_run_defaults();
  if (change) change(&o);
  const int before = zw_notes_count(b.notes);
  CHECK(!zw_program_new(b.system, inputs, &o, b.notes));
  if (!bead_noted(b.notes, before, word))
    check_fail(__FILE__, __LINE__, "`%s` is not said of inputs `%s`", word, inputs ? inputs : "");
  bead_free(&b);
}

static void keep(zw_run_options* o)
{
  o->keep = "x.csv";
}

static void seen(zw_run_options* o)
{
  o->scene = true;
}

static void fine(zw_run_options* o)
{
  o->tolerance = 1e-20;
}

TEST(what_cannot_be_given_is_refused)
{
  refuse(cart_text, "v", NULL, "no param or coordinate `v`");
  refuse(cart_text, "u, u", NULL, "twice");
  refuse(cart_text, NULL, keep, "`keep`");
  refuse(cart_text, NULL, seen, "`every`");
  refuse(cart_text, "u", fine, "digits");
  refuse("param a = 1, b = 2*a\ncoord x\nkinetic x'^2/2\ninitial x = b\n", "a, x", NULL,
         "follows from");
  refuse("param k = 1\ncoord x\nkinetic x'^2/2\nforce x = k\nevent e: x = 1 { set k = 2 }\n"
         "run 0 .. 9\n",
         "k", NULL, "cannot be an input");
}

// ---- threads ------------------------------------------------------------------------------------

enum { threads = 8, rounds = 20 };
static zw_program* shared;
static double alone[rounds];
static atomic_int differ;

static double end_at(zw_state* s, double u, zw_notes* n)
{
  double rows[2 * 8] = {0};
  CHECK_INT(zw_state_set(s, 0, u), ZW_OK);
  CHECK_INT(zw_state_run(s, NAN, rows, 2, n), ZW_OK);
  return rows[zw_program_columns(shared) + 1];
}

static void* run_all(void* context)
{
  (void)context;
  zw_notes* n = zw_notes_new();
  zw_state* s = zw_state_new(shared, n);
  for (int i = 0; i < rounds; i++)
    if (end_at(s, 0.1 * i, n) != alone[i]) atomic_fetch_add(&differ, 1);
  zw_state_free(s);
  zw_notes_free(n);
  return NULL;
}

TEST(threads_share_a_program)
{
  made x = make(cart_text, "u", 2);
  shared = x.program;
  for (int i = 0; i < rounds; i++) alone[i] = end_at(x.state, 0.1 * i, x.b.notes);
  pthread_t thread[threads];
  for (int i = 0; i < threads; i++) pthread_create(&thread[i], NULL, run_all, NULL);
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  CHECK_INT(atomic_load(&differ), 0);
  leave(&x);
}

TEST(a_program_lives_without_its_model)
{
  made x = make(cart_text, "u", 2);
  bead_free(&x.b);
  x.b = read_text("model.zw", cart_text, NULL);
  CHECK_INT(zw_state_run(x.state, NAN, NULL, 0, x.b.notes), ZW_OK);
  zw_program_free(x.program);
  CHECK_INT(zw_state_run(x.state, NAN, NULL, 0, x.b.notes), ZW_OK);
  x.program = NULL;
  leave(&x);
}
