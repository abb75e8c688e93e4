// Runs side by side: the numbers of ordinary runs, and the same bits whoever runs beside them.
#include "check.h"
#include "sweep/sweep.h"
#include "walk/bench.h"

#include "lang/lang.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most = 300, most_columns = 16 };

typedef struct family
{
  bench b;
  sweep_bundle* bundle;
  int columns;
} family;

static const char* folder(void)
{
  const char* root = getenv("ZWANG_SOURCE");
  return root ? root : ".";
}

// a model with one param as an input; all its columns at the end
static family family_of_tree(family f, const lang_tree* tree, const char* param, double until,
                             double tolerance)
{
  const model_override varied = {param, NULL};
  f.b.model = tree ? model_build(tree, 1, &varied, f.b.notes) : NULL;
  f.b.system = f.b.model ? mech_derive(f.b.model, f.b.notes) : NULL;
  if (!f.b.system) return f;
  const char *why = "", **names;
  int column[most_columns];
  f.columns = walk_columns(f.b.model, f.b.arena, &names);
  CHECK(f.columns <= most_columns);
  for (int i = 0; i < f.columns; i++) column[i] = i;
  walk_options o = walk_options_default();
  o.until = until;
  o.tolerance = tolerance;
  const int number = model_param_find(f.b.model, param);
  CHECK(number >= 0);
  if (number < 0) return f;
  f.bundle = sweep_bundle_new(f.b.system, &o, 1, &number, f.columns, column, false, &why);
  CHECK_TEXT(f.bundle ? "" : why, "");
  return f;
}

// the same of the gallery
static family family_of(const char* name, const char* param, double until, double tolerance)
{
  family f = {.b = {.notes = base_notes_new(), .arena = base_arena_new()}};
  const char* path = base_arena_printf(f.b.arena, "%s/models/%s.zw", folder(), name);
  const lang_tree* tree = lang_parse_file(path, NULL, f.b.arena, f.b.notes);
  return family_of_tree(f, tree, param, until, tolerance);
}

static void family_free(family* f)
{
  sweep_bundle_free(f->bundle);
  bench_free(&f->b);
}

// the ends of runs for values of a param against ordinary runs with the param set
static void compare(const char* name, const char* param, double value, double until)
{
  family f = family_of(name, param, until, 1e-10);
  double values[11], result[11 * most_columns];
  bool done[11];
  for (int i = 0; i < 11; i++) values[i] = value * (1 + 0.02 * i);
  sweep_bundle_worker* w = f.bundle ? sweep_bundle_open(f.bundle) : NULL;
  if (w) sweep_bundle_run(w, 11, values, result, done);
  for (int i = 0; w && i < 11; i++) {
    CHECK(done[i]);
    f.b.model->param[model_param_find(f.b.model, param)].number = values[i];
    walk_track* t = bench_run(&f.b, 1e-12, 1, &until);
    for (int k = 0; t && k < f.columns; k++)
      CHECK_NEAR(result[i * f.columns + k], t->table.value[k],
                 3e-9 * (1 + fabs(t->table.value[k])));
    walk_track_free(t);
  }
  sweep_bundle_close(w);
  family_free(&f);
}

TEST(runs_side_by_side_end_where_ordinary_runs_end)
{
  compare("skater_benchmark", "m", 5, 15);
  compare("double_pendulum", "g", 9, 2);
  compare("vertical_disc", "R", 0.4, 3);
  compare("cam_flywheel", "c", 50, 1);
  // a constraint that moves does work
  compare("ball_on_turntable", "r", 0.3, 2);
}

// a push that lasts a hundredth of the run is not stepped over, wherever it falls
TEST(short_pushes_are_met_side_by_side)
{
  static const char text[] = "param at = 1\ncoord x\nkinetic x'^2/2\n"
                             "force x = exp(-((t - at)/0.1)^2)\nrun 0 .. 100\n";
  family f = {.b = {.notes = base_notes_new(), .arena = base_arena_new()}};
  const lang_tree* tree =
      lang_parse("push.zw", text, strlen(text), NULL, NULL, f.b.arena, f.b.notes);
  f = family_of_tree(f, tree, "at", 100, 1e-10);
  double values[11], result[11 * most_columns];
  bool done[11];
  for (int i = 0; i < 11; i++) values[i] = 5 + 8.3 * i;
  sweep_bundle_worker* w = f.bundle ? sweep_bundle_open(f.bundle) : NULL;
  CHECK(w != NULL);
  if (w) sweep_bundle_run(w, 11, values, result, done);
  for (int i = 0; w && i < 11; i++) {
    CHECK(done[i]);
    const double gained = 0.1 * sqrt(acos(-1));
    CHECK_NEAR(result[i * f.columns + 1], gained * (100 - values[i]), 1e-7);
    CHECK_NEAR(result[i * f.columns + 2], gained, 1e-9);
  }
  sweep_bundle_close(w);
  family_free(&f);
}

// steps pass over a wall at x = 1 of height h, and energy is missing behind it; f does work
static const char steep[] = "param h = 1, f = 0.1\n"
                            "coord x\n"
                            "kinetic x'^2/2\n"
                            "potential h*tanh(1e9*(x - 1))\n"
                            "force x = f*sin(t)\n"
                            "initial x' = 1\n"
                            "run 0 .. 3\n";

TEST(a_run_with_energy_missing_is_left_to_the_ordinary_way)
{
  family f = {.b = {.notes = base_notes_new(), .arena = base_arena_new()}};
  const lang_tree* tree =
      lang_parse("steep.zw", steep, strlen(steep), NULL, NULL, f.b.arena, f.b.notes);
  f = family_of_tree(f, tree, "h", 3, 1e-10);
  // small as they are, those from 1e-5 on are seen
  double value[] = {0, 1e-9, 1e-5, 0.01, 10, 0}, result[6 * most_columns];
  const bool want[] = {true, true, false, false, false, true};
  bool done[6];
  sweep_bundle_worker* w = f.bundle ? sweep_bundle_open(f.bundle) : NULL;
  if (w) sweep_bundle_run(w, 6, value, result, done);
  for (int i = 0; w && i < 6; i++) CHECK(done[i] == want[i]);
  sweep_bundle_close(w);
  family_free(&f);
}

TEST(the_bits_of_a_run_do_not_depend_on_its_neighbours)
{
  family f = family_of("skater_benchmark", "m", 15, 1e-8);
  static double value[most], one[most * most_columns], other[most * most_columns];
  static bool done[most];
  sweep_bundle_worker* w = f.bundle ? sweep_bundle_open(f.bundle) : NULL;
  if (!w) return;
  for (int i = 0; i < most; i++) value[i] = 1 + 0.1 * i;
  sweep_bundle_run(w, most, value, one, done);
  for (int i = 0; i < most; i++) CHECK(done[i]);
  // one at a time
  for (int i = 0; i < most; i += 37) {
    sweep_bundle_run(w, 1, value + i, other, done);
    CHECK(!memcmp(other, one + i * f.columns, sizeof(double) * (size_t)f.columns));
  }
  // in the other order, with a start that cannot be used among them
  for (int i = 0; i < most; i++) value[i] = i % 50 == 7 ? 0 : 1 + 0.1 * (most - 1 - i);
  sweep_bundle_run(w, most, value, other, done);
  for (int i = 0; i < most; i++) {
    CHECK(done[i] == (i % 50 != 7));
    if (!done[i]) continue;
    const double* same = one + (most - 1 - i) * f.columns;
    CHECK(!memcmp(other + i * f.columns, same, sizeof(double) * (size_t)f.columns));
  }
  sweep_bundle_close(w);
  family_free(&f);
}

TEST(what_does_not_suit_says_why)
{
  bench b = bench_file("skater_stages");
  const char* why = "";
  const walk_options o = walk_options_default();
  CHECK(b.system && !sweep_bundle_new(b.system, &o, 0, NULL, 0, NULL, false, &why));
  CHECK_TEXT(why, "it has stages");
  bench_free(&b);
}
