// The program for a GPU, compiled as plain C: the numbers of ordinary runs, events located.
#include "check.h"
#include "lang/lang.h"
#include "sweep/gpu.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { runs = 9, most_columns = 40 };

static const char swing[] = "model \"Swing\"\n"
                            "param L = 1, g = 9.81, c = 0.2\n"
                            "coord phi\n"
                            "frame arm = world rotated z(phi)\n"
                            "particle bob mass 1 = (0, -L, 0) in arm\n"
                            "gravity (0, -g, 0)\n"
                            "force phi = -c*phi'\n"
                            "initial phi = 1\n"
                            "event low: phi = 0 rising report\n"
                            "event turn: phi' = 0 report\n"
                            "event slow: t = 4 rising stop\n"
                            "run 0 .. 10\n";

typedef struct family
{
  base_notes* notes;
  base_arena* arena;
  model* model;
  mech_system* system;
  int param, columns;
  sweep_bundle* bundle;
} family;

static family family_of(const char* text, const char* file, const char* param)
{
  family f = {.notes = base_notes_new(), .arena = base_arena_new()};
  const char* root = getenv("ZWANG_SOURCE");
  const char* path = base_arena_printf(f.arena, "%s/models/%s", root ? root : ".", file);
  const lang_limits limits = lang_limits_default();
  const lang_tree* tree =
      text ? lang_parse("test.zw", text, strlen(text), NULL, &limits, f.arena, f.notes)
           : lang_parse_file(path, &limits, f.arena, f.notes);
  const model_override varied = {param, NULL};
  f.model = tree ? model_build(tree, 1, &varied, f.notes) : NULL;
  f.system = f.model ? mech_derive(f.model, f.notes) : NULL;
  CHECK(f.system != NULL);
  if (!f.system) return f;
  const char *why = "", **names;
  int column[most_columns];
  f.columns = walk_columns(f.model, f.arena, &names);
  for (int i = 0; i < f.columns; i++) column[i] = i;
  f.param = model_param_find(f.model, param);
  walk_options o = walk_options_default();
  o.tolerance = 1e-10;
  f.bundle = sweep_bundle_new(f.system, &o, 1, &f.param, f.columns, column, true, &why);
  CHECK_TEXT(f.bundle ? "" : why, "");
  return f;
}

static void family_free(family* f)
{
  sweep_bundle_free(f->bundle);
  mech_free(f->system);
  model_free(f->model);
  base_arena_free(f->arena);
  base_notes_free(f->notes);
}

typedef void all_runs(long long count, const double* value, double* result, int* trials);

static bool has_compiler(void)
{
  return system("command -v cc >/dev/null") == 0;
}

// compiles the text as C and opens it; null where it is not accepted
static void* compile(const char* text, char* folder)
{
  char source[100], library[100], command[400];
  strcpy(folder, "/tmp/zwang-gpu-XXXXXX");
  if (!mkdtemp(folder)) return NULL;
  snprintf(source, sizeof source, "%s/sweep.c", folder);
  snprintf(library, sizeof library, "%s/sweep.so", folder);
  FILE* f = fopen(source, "w");
  if (!f) return NULL;
  fputs(text, f);
  fclose(f);
  snprintf(command, sizeof command,
           "cc -std=gnu17 -O1 -ffp-contract=off -Wall -Wextra -Werror -Wno-unused-function "
           "-Wno-unused-const-variable -D_GNU_SOURCE -shared -fPIC %s -o %s -lm",
           source, library);
  void* handle = system(command) == 0 ? dlopen(library, RTLD_NOW) : NULL;
  unlink(source);
  unlink(library);
  rmdir(folder);
  return handle;
}

// values of the runs as the program takes them: behind them their order, here from the last on
static void pack(const double* value, double* in)
{
  int order[runs];
  memcpy(in, value, runs * sizeof *in);
  for (int i = 0; i < runs; i++) order[i] = runs - 1 - i;
  memcpy(in + runs, order, sizeof order);
}

// all runs by the text; false where it was not accepted
static bool run_text(const family* f, const sweep_results* want, const double* value,
                     double* result, int* trials, int* times)
{
  const char* event[8];
  for (int i = 0; i < f->model->events; i++) event[i] = f->model->event[i].name;
  const sweep_gpu_problem p = {.bundle = f->bundle,
                               .axes = 1,
                               .columns = f->columns,
                               .want = want,
                               .events = f->model->events,
                               .event = event};
  base_text text = {0};
  char folder[60];
  *times = sweep_gpu_source(&p, &text);
  void* handle = compile(text.at, folder);
  base_text_free(&text);
  if (!handle) return false;
  all_runs* all;
  *(void**)&all = dlsym(handle, "zwang_all");
  CHECK(all != NULL);
  double in[2 * runs];
  pack(value, in);
  if (all) all(runs, in, result, trials);
  dlclose(handle);
  return true;
}

static walk_track* ordinary(family* f, double value)
{
  walk_options o = walk_options_default();
  o.tolerance = 1e-12;
  o.points = 2;
  f->model->param[f->param].number = value;
  return walk_run(f->system, &o, f->notes);
}

static void compare(const char* file, const char* param, double from)
{
  family f = family_of(NULL, file, param);
  double value[runs], result[runs * most_columns];
  int trials[runs], times;
  const sweep_results none = {0};
  for (int i = 0; i < runs; i++) value[i] = from * (1 + 0.05 * i);
  const bool compiled =
      f.bundle && has_compiler() && run_text(&f, &none, value, result, trials, &times);
  for (int i = 0; i < runs && compiled; i++) {
    CHECK(trials[i] > 0);
    walk_track* t = ordinary(&f, value[i]);
    const double* last = t->table.value + (t->table.rows - 1) * t->table.width;
    for (int k = 0; k < f.columns; k++)
      CHECK_NEAR(result[i * f.columns + k], last[k], 3e-9 * (1 + fabs(last[k])));
    walk_track_free(t);
  }
  family_free(&f);
  if (!has_compiler()) SKIP("no C compiler here");
  CHECK(compiled);
}

TEST(the_text_for_a_gpu_gives_the_ends_of_ordinary_runs)
{
  compare("skater_benchmark.zw", "m", 5);
  compare("vertical_disc.zw", "R", 0.4);
  compare("double_pendulum.zw", "g", 9);
  compare("pendulum.zw", "m", 1);
  compare("rolling_disc.zw", "m", 3);
}

TEST(the_text_for_a_gpu_leaves_runs_with_energy_missing_to_others)
{
  // steps pass over a wall of height h, and energy is missing behind it
  family f =
      family_of("param h = 1\ncoord x\nkinetic x'^2/2\npotential h*tanh(1e9*(x - 1))\n"
                "force x = 0.1*sin(t)\ninitial x' = 1\nevent there: x = 2 stop\nrun 0 .. 3\n",
                NULL, "h");
  double value[runs] = {0, 10, 0, 1e-5, 1e-9, 0.1}, result[runs * most_columns];
  int trials[runs], times;
  const sweep_results none = {0};
  const bool compiled =
      f.bundle && has_compiler() && run_text(&f, &none, value, result, trials, &times);
  for (int i = 0; i < runs && compiled; i++) CHECK((trials[i] > 0) == (value[i] < 1e-6));
  family_free(&f);
  if (!has_compiler()) SKIP("no C compiler here");
  CHECK(compiled);
}

// kicked as it falls back through a height that it may only just reach, and thrown back by a wall
static const char kicked[] = "param g = 9.81, v = 2\n"
                             "coord h, x\n"
                             "particle ball mass 1 = (x, 0, h) in world\n"
                             "gravity (0, 0, -g)\n"
                             "initial h' = v\n"
                             "initial x' = 1\n"
                             "event kick: h = 0.2 falling { set h' = 3, x = x + 0.1 }\n"
                             "event wall: x = 1.3 rising { set x' = -0.5*x' }\n"
                             "event low: h = -0.1 report\n"
                             "run 0 .. 3\n";

TEST(the_text_for_a_gpu_goes_on_behind_events_that_set)
{
  family f = family_of(kicked, NULL, "v");
  const sweep_wanted wanted[] = {{.label = "a", .how = SWEEP_COUNT, .event = "kick"},
                                 {.label = "b", .how = SWEEP_COUNT, .event = "wall"},
                                 {.label = "c", .how = SWEEP_TIME, .event = "wall", .which = 1}};
  const sweep_results want = {.count = 3, .wanted = wanted};
  // 1.981 is needed to reach the height at all
  double value[runs] = {1, 1.98, 1.982, 1.99, 2, 2.2, 3, 4, 5}, result[runs * most_columns];
  int trials[runs], times = 0, made = 0;
  const bool compiled =
      f.bundle && has_compiler() && run_text(&f, &want, value, result, trials, &times);
  for (int i = 0; i < runs && compiled; i++) {
    if (!trials[i]) continue;
    made++;
    walk_track* t = ordinary(&f, value[i]);
    const double* got = result + i * (f.columns + times);
    const double* last = t->table.value + (t->table.rows - 1) * t->table.width;
    for (int k = 0; k < f.columns; k++) CHECK_NEAR(got[k], last[k], 1e-8);
    int kicks = 0, walls = 0;
    double first = NAN;
    for (int h = 0; h < t->happenings; h++) {
      const char* name = walk_happening_name(t, &t->happening[h]);
      kicks += !strcmp(name, "kick");
      if (!strcmp(name, "wall") && !walls++) first = t->happening[h].t;
    }
    CHECK_NEAR(got[f.columns], kicks, 0);
    CHECK_NEAR(got[f.columns + 1], walls, 0);
    if (walls) CHECK_NEAR(got[f.columns + 2], first, 1e-9);
    walk_track_free(t);
  }
  family_free(&f);
  if (!has_compiler()) SKIP("no C compiler here");
  CHECK(compiled);
  // those that only just reach it may be left to others
  CHECK(made >= 5);
}

TEST(the_text_for_a_gpu_locates_events_and_stops_there)
{
  family f = family_of(swing, NULL, "L");
  const sweep_wanted wanted[] = {{.label = "a", .how = SWEEP_TIME, .event = "low", .which = 1},
                                 {.label = "b", .how = SWEEP_TIME, .event = "low", .which = 2},
                                 {.label = "c", .how = SWEEP_COUNT, .event = "turn"},
                                 {.label = "d", .how = SWEEP_TIME, .event = "turn", .which = 3},
                                 {.label = "e", .how = SWEEP_TIME, .event = "turn", .which = 99}};
  const sweep_results want = {.count = 5, .wanted = wanted};
  double value[runs], result[runs * most_columns];
  int trials[runs], times = 0;
  for (int i = 0; i < runs; i++) value[i] = 0.3 + 0.05 * i;
  const bool compiled =
      f.bundle && has_compiler() && run_text(&f, &want, value, result, trials, &times);
  for (int i = 0; i < runs && compiled; i++) {
    CHECK_INT(times, 5);
    CHECK(trials[i] > 0);
    walk_track* t = ordinary(&f, value[i]);
    const double* got = result + i * (f.columns + times);
    const double* last = t->table.value + (t->table.rows - 1) * t->table.width;
    for (int k = 0; k < f.columns; k++) CHECK_NEAR(got[k], last[k], 1e-8);
    CHECK_NEAR(got[0], 4, 1e-12);
    double low[2] = {0}, turn = 0;
    int lows = 0, turns = 0;
    for (int h = 0; h < t->happenings; h++) {
      const char* name = walk_happening_name(t, &t->happening[h]);
      if (!strcmp(name, "low") && lows < 2) low[lows++] = t->happening[h].t;
      if (!strcmp(name, "turn") && ++turns == 3) turn = t->happening[h].t;
    }
    CHECK(lows == 2 && turns >= 3);
    CHECK_NEAR(got[f.columns], low[0], 1e-8);
    CHECK_NEAR(got[f.columns + 1], low[1], 1e-8);
    CHECK_NEAR(got[f.columns + 2], turns, 0);
    CHECK_NEAR(got[f.columns + 3], turn, 1e-8);
    CHECK(isnan(got[f.columns + 4]));
    walk_track_free(t);
  }
  family_free(&f);
  if (!has_compiler()) SKIP("no C compiler here");
  CHECK(compiled);
}

// ---- their order --------------------------------------------------------------------------------

// how far runs that follow each other are apart, in the mean of all, by the axis where it is most;
// negative where not each of them is there once
static double mean_way(int count, int axes, const double* value)
{
  int* order = base_alloc(sizeof *order * (size_t)count);
  bool* met = base_alloc((size_t)count);
  sweep_gpu_order* o = sweep_gpu_order_new(axes, count);
  sweep_gpu_order_find(o, count, value, order);
  double sum = 0;
  bool once = true;
  for (int i = 0; i < count && once; i++) {
    once = order[i] >= 0 && order[i] < count && !met[order[i]];
    if (once) met[order[i]] = true;
  }
  for (int i = 1; i < count && once; i++) {
    double most = 0;
    for (int k = 0; k < axes; k++)
      most = fmax(most, fabs(value[order[i] * axes + k] - value[order[i - 1] * axes + k]));
    sum += most;
  }
  sweep_gpu_order_free(o);
  free(order);
  free(met);
  return once ? sum / (count > 1 ? count - 1 : 1) : -1;
}

TEST(threads_side_by_side_take_runs_from_nearby_params)
{
  enum { count = 4096, axes = 3 };
  double* value = base_alloc(sizeof *value * count * axes);
  unsigned seed = 7;
  for (int i = 0; i < count * axes; i++) {
    seed = seed * 1664525 + 1013904223;
    value[i] = seed / 4294967296.0;
  }
  // neighbours by chance are 0.54 apart; 16 runs of 4096 are found in a cube of 0.16
  const double one = mean_way(count, 1, value), three = mean_way(count, axes, value);
  CHECK(one >= 0 && one < 0.005);
  CHECK(three >= 0 && three < 0.2);
  // one run alone, all alike, none a number, and more axes than there is room to part
  CHECK_NEAR(mean_way(1, axes, value), 0, 0);
  CHECK(mean_way(40, 60, value) >= 0);
  for (int i = 0; i < count; i++) value[i] = i % 2 ? 1 : NAN;
  CHECK(mean_way(count, 1, value) != -1);
  for (int i = 0; i < count; i++) value[i] = 1;
  CHECK_NEAR(mean_way(count, 1, value), 0, 0);
  free(value);
}
