// A state that was run, given other numbers and run again, over the whole gallery: its rows are
// those of a new one to the last bit, and it takes no memory that it has not had.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "check.h"
#include <zwang/zwang.h>

enum { points = 9, most_warm = 40 };

typedef struct kept
{
  int rows, columns, events;
  zw_status status;
  double* value;
} kept;

static kept keep(const zw_state* s, zw_status status)
{
  const zw_track* t = zw_state_track(s);
  kept k = {zw_track_rows(t), zw_track_columns(t), zw_track_events(t), status, NULL};
  k.value = malloc(sizeof *k.value * (size_t)(k.rows * k.columns + 1));
  for (int i = 0; i < k.rows * k.columns; i++)
    k.value[i] = zw_track_value(t, i / k.columns, i % k.columns);
  return k;
}

static kept run(zw_state* s, zw_notes* notes)
{
  const zw_status status = zw_state_run(s, NAN, NULL, 0, notes);
  return keep(s, status);
}

static bool are_same(const kept* a, const kept* b)
{
  return a->status == b->status && a->rows == b->rows && a->columns == b->columns &&
         a->events == b->events &&
         !memcmp(a->value, b->value, sizeof(double) * (size_t)(a->rows * a->columns));
}

// with numbers a little beside, whatever comes of it; then as before
static void run_beside(zw_state* s, int inputs, zw_notes* notes)
{
  for (int i = 0; i < inputs && i < 3; i++) {
    const double was = zw_state_get(s, i);
    CHECK_INT(zw_state_set(s, i, 1.01 * was + 1e-3), ZW_OK);
    if (zw_state_run(s, NAN, NULL, 0, notes) < 0) continue;
    CHECK_INT(zw_state_set(s, i, was), ZW_OK);
  }
  zw_state_reset(s);
}

static long blocks_of(zw_state* s, zw_notes* notes)
{
  base_fault_plan(BASE_FAULT_MEMORY, LONG_MAX, 0);
  const zw_status status = zw_state_run(s, NAN, NULL, 0, notes);
  const long taken = base_fault_count(BASE_FAULT_MEMORY);
  base_fault_plan(BASE_FAULT_MEMORY, 0, 0);
  return status < 0 ? -1 : taken;
}

// Machine code is made in some of the first runs, and what is told takes memory of the notes.
static void check_memory(const char* name, zw_state* s, zw_notes* notes)
{
  long taken = 1;
  for (int i = 0; i < most_warm && taken > 0; i++) {
    const int told = zw_notes_count(notes);
    taken = blocks_of(s, notes);
    if (zw_notes_count(notes) > told) taken = 0;
  }
  if (taken > 0) check_fail(__FILE__, __LINE__, "%s: %ld blocks in every run", name, taken);
}

static void check_state(const char* name, zw_program* p, zw_state* s, zw_notes* notes)
{
  zw_state* fresh = zw_state_new(p, notes);
  kept first = run(s, notes);
  run_beside(s, zw_program_inputs(p), notes);
  kept again = run(s, notes), other = run(fresh, notes);
  if (!are_same(&first, &again)) check_fail(__FILE__, __LINE__, "%s: not as before", name);
  if (!are_same(&first, &other)) check_fail(__FILE__, __LINE__, "%s: not as a new one", name);
  check_memory(name, s, notes);
  free(first.value);
  free(again.value);
  free(other.value);
  zw_state_free(fresh);
}

// by the method chosen, or by one of its own; false where there is no such program
static bool check_example(const char* name, const char* method)
{
  const char* text = zw_example_text(name);
  zw_notes* notes = zw_notes_new();
  zw_model* m = zw_model_read_text(name, text, strlen(text), NULL, 0, notes);
  zw_system* s = m ? zw_derive(m, notes) : NULL;
  zw_run_options o = zw_run_defaults();
  o.points = points;
  o.method = method;
  zw_program* p = s ? zw_program_new(s, "*", &o, notes) : NULL;
  if (s && !p) p = zw_program_new(s, NULL, &o, notes);
  zw_state* state = p ? zw_state_new(p, notes) : NULL;
  // what begins at fault leaves no rows to compare
  const bool made = state && zw_state_run(state, NAN, NULL, 0, notes) >= 0;
  if (made) check_state(name, p, state, notes);
  zw_state_free(state);
  zw_program_free(p);
  zw_system_free(s);
  zw_model_free(m);
  zw_notes_free(notes);
  return made;
}

TEST(a_state_run_again_is_as_a_new_one)
{
  int made = 0;
  for (int i = 0; zw_example_name(i); i++) made += check_example(zw_example_name(i), NULL);
  CHECK(made > 110);
}

// constraints, events, contacts, quaternions, stages
TEST(a_state_run_again_by_each_method_is_as_a_new_one)
{
  static const char* const name[] = {
      "skater_benchmark", "pendulum",     "double_pendulum", "rolling_disc",  "heavy_top",
      "bouncing_ball",    "dry_friction", "box_stack",       "skater_stages", "ladder_leaves_wall"};
  static const char* const method[] = {"dop853", "taylor", "gauss16", "adams", "bdf", "ida"};
  int made = 0;
  for (size_t i = 0; i < sizeof name / sizeof *name; i++)
    for (size_t k = 0; k < sizeof method / sizeof *method; k++)
      made += check_example(name[i], method[k]);
  CHECK(made > 40);
}
