// Runs in convoy: begun, ended and led through what happens as ordinary runs are, and stepped side
// by side in between. They end where ordinary runs end, with the same happenings, whoever goes
// beside them.
#include "check.h"
#include "sweep/sweep.h"
#include "walk/bench.h"

#include "lang/lang.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_runs = 24 };

// a model with one of its params given with each run; without, where none may be
typedef struct family
{
  bench b;
  int param; // -1
} family;

static const char* folder(void)
{
  const char* root = getenv("ZWANG_SOURCE");
  return root ? root : ".";
}

static family family_open(const char* name)
{
  family f = {.b = {.notes = base_notes_new(), .arena = base_arena_new()}, .param = -1};
  const char* path = base_arena_printf(f.b.arena, "%s/models/%s.zw", folder(), name);
  const lang_tree* tree = lang_parse_file(path, NULL, f.b.arena, f.b.notes);
  f.b.model = tree ? model_build(tree, 0, NULL, f.b.notes) : NULL;
  model* m = f.b.model;
  for (int i = 0; m && i < m->params && f.param < 0; i++)
    if (m->param[i].number != 0 && !m->param[i].changes && model_give(m, i)) f.param = i;
  f.b.system = m ? mech_derive(m, f.b.notes) : NULL;
  return f;
}

// ---- a task
// ---------------------------------------------------------------------------------------

typedef struct task
{
  const family* f;
  walk_options o;
  int count, next;
  double* number[most_runs];
  walk_track* track[most_runs];
  bool told[most_runs];
} task;

// params of a run: the given one a little larger with each
static task task_new(const family* f, double tolerance, double until, int count)
{
  const model* m = f->b.model;
  task t = {.f = f, .o = walk_options_default(), .count = count};
  t.o.tolerance = tolerance;
  t.o.until = until;
  t.o.points = 2;
  for (int i = 0; i < count; i++) {
    t.number[i] = base_alloc(sizeof(double) * (size_t)(m->params + 1));
    for (int k = 0; k < m->params; k++) t.number[i][k] = m->param[k].number;
    if (f->param >= 0) t.number[i][f->param] *= 1 + 0.003 * i;
  }
  return t;
}

static void task_free(task* t)
{
  for (int i = 0; i < t->count; i++) {
    free(t->number[i]);
    walk_track_free(t->track[i]);
  }
}

static bool next(void* context, walk_options* o, base_notes** notes, int* run)
{
  task* t = context;
  if (t->next == t->count) return false;
  *run = t->next++;
  *o = t->o;
  o->number = t->number[*run];
  *notes = base_notes_new();
  return true;
}

static void end(void* context, int run, walk_track* track, base_notes* notes, bool told)
{
  task* t = context;
  t->track[run] = track;
  t->told[run] = told;
  base_notes_free(notes);
}

static sweep_convoy_counts go(task* t)
{
  sweep_convoy* c = sweep_convoy_open(t->f->b.system, NULL);
  const sweep_convoy_task work = {.context = t, .next = next, .end = end};
  t->next = 0;
  sweep_convoy_run(c, &work);
  const sweep_convoy_counts counts = sweep_convoy_look(c);
  sweep_convoy_close(c);
  return counts;
}

// ---- against ordinary runs
// --------------------------------------------------------------------------

static const double* last_row(const walk_track* t)
{
  return t->table.value + (size_t)(t->table.rows - 1) * (size_t)t->table.width;
}

// the largest difference of the last rows, each column against its size in them
static double apart(const walk_track* a, const walk_track* b)
{
  double worst = 0;
  for (int i = 0; i < a->table.width; i++) {
    const double x = last_row(a)[i], y = last_row(b)[i], off = fabs(x - y) / (1 + fabs(y));
    if (isnan(x) && isnan(y)) continue;
    if (!(off <= worst)) worst = off;
  }
  return worst;
}

static bool same_happenings(const walk_track* a, const walk_track* b, double within)
{
  if (a->happenings != b->happenings) return false;
  for (int i = 0; i < a->happenings; i++)
    if (strcmp(walk_happening_name(a, &a->happening[i]),
               walk_happening_name(b, &b->happening[i])) != 0 ||
        !(fabs(a->happening[i].t - b->happening[i].t) <= within * (1 + fabs(b->happening[i].t))))
      return false;
  return true;
}

static bool is_clean(const task* t, int i)
{
  const walk_track* x = t->track[i];
  return x && !t->told[i] && !*x->doubt && (x->status == WALK_DONE || x->status == WALK_STOPPED);
}

// What is not clean is made once more by whoever asked; a clean run must be that of one alone.
static void compare(const char* name, task* t, double allowed)
{
  for (int i = 0; i < t->count; i++) {
    if (!is_clean(t, i) || !t->track[i]->table.rows) continue;
    base_notes* notes = base_notes_new();
    walk_options o = t->o;
    o.number = t->number[i];
    walk_track* alone = walk_run(t->f->b.system, &o, notes);
    const double off = alone && alone->table.rows ? apart(t->track[i], alone) : INFINITY;
    if (!alone || alone->status != t->track[i]->status || *alone->doubt || !(off <= allowed))
      check_fail(__FILE__, __LINE__, "%s, run %d: off by %.3g, allowed %.3g; %s", name, i, off,
                 allowed, alone ? alone->reason : "no run alone");
    else if (!same_happenings(t->track[i], alone, allowed))
      check_fail(__FILE__, __LINE__, "%s, run %d: %d happenings, alone %d", name, i,
                 t->track[i]->happenings, alone->happenings);
    walk_track_free(alone);
    base_notes_free(notes);
  }
}

// of the run as the model has it
static double span_of(const family* f)
{
  walk_options o = walk_options_default();
  o.points = 2;
  base_notes* quiet = base_notes_new();
  walk_escort* w = walk_escort_open(f->b.system, &o, quiet);
  const double end = w ? walk_escort_end(w) : NAN;
  if (w) walk_track_free(walk_escort_close(w));
  base_notes_free(quiet);
  return end;
}

// ---- the gallery --------------------------------------------------------------------------------

// A few runs of the beginning of each model, against those made alone; are most of them taken
// along?
static bool is_taken(const char* name)
{
  family f = family_open(name);
  bool taken = false;
  const double span = f.b.system ? span_of(&f) : NAN;
  if (f.b.system && span > 0) {
    task t = task_new(&f, 1e-11, isinf(span) ? 1 : 0.1 * span, 3);
    if (!sweep_convoy_refusal(f.b.system, &t.o)) {
      const sweep_convoy_counts c = go(&t);
      taken = 2 * c.along > c.runs;
      compare(name, &t, 1e-8);
    }
    task_free(&t);
  }
  bench_free(&f.b);
  return taken;
}

TEST(the_gallery_goes_in_convoy)
{
  const int taken = bench_gallery(is_taken);
  if (taken < 105) check_fail(__FILE__, __LINE__, "%d models are taken", taken);
  printf("# %d models are taken\n", taken);
}

// ---- what happens on the way
// ----------------------------------------------------------------------

static void whole(const char* name, double until, double allowed)
{
  family f = family_open(name);
  CHECK(f.b.system != NULL);
  if (f.b.system) {
    task t = task_new(&f, 1e-12, until, 11);
    const sweep_convoy_counts c = go(&t);
    if (c.along != c.runs)
      check_fail(__FILE__, __LINE__, "%s: %ld of %ld along: %s", name, c.along, c.runs,
                 c.why ? c.why : "");
    int clean = 0;
    for (int i = 0; i < t.count; i++) clean += is_clean(&t, i);
    CHECK_INT(clean, t.count);
    compare(name, &t, allowed);
    task_free(&t);
  }
  bench_free(&f.b);
}

TEST(runs_in_convoy_meet_what_ordinary_runs_meet)
{
  whole("bouncing_ball", NAN, 1e-9);      // events that set
  whole("string_pendulum", 3, 1e-8);      // a string that goes slack and jerks
  whole("slide_off_sphere", NAN, 1e-8);   // an event that stops
  whole("rimless_wheel", 2, 1e-8);        // impacts
  whole("skater_stages", NAN, 1e-8);      // stages
  whole("ladder_leaves_wall", NAN, 1e-8); // a force that vanishes
  whole("switched_forces", NAN, 1e-8);    // corners
  whole("snakeboard", 2, 1e-9);
  whole("heavy_top_quaternion", 1, 1e-8);
}

TEST(a_run_in_convoy_does_not_depend_on_its_neighbours)
{
  family f = family_open("string_pendulum");
  task all = task_new(&f, 1e-10, 3, most_runs), one = task_new(&f, 1e-10, 3, most_runs);
  go(&all);
  // one after the other
  for (int i = 0; i < most_runs; i += 5) {
    one.next = i;
    one.count = i + 1;
    sweep_convoy* c = sweep_convoy_open(f.b.system, NULL);
    const sweep_convoy_task work = {.context = &one, .next = next, .end = end};
    sweep_convoy_run(c, &work);
    sweep_convoy_close(c);
    CHECK(one.track[i] && all.track[i]);
    if (!one.track[i] || !all.track[i]) continue;
    CHECK(!memcmp(last_row(one.track[i]), last_row(all.track[i]),
                  sizeof(double) * (size_t)all.track[i]->table.width));
  }
  one.count = most_runs;
  task_free(&all);
  task_free(&one);
  bench_free(&f.b);
}

// steps that are far from exact still end on the constraints, places as well as speeds
TEST(a_run_in_convoy_stays_on_its_constraints)
{
  family f = family_open("pendulum");
  task t = task_new(&f, 1e-5, 10, 9);
  go(&t);
  for (int i = 0; i < t.count; i++) {
    CHECK(t.track[i] && is_clean(&t, i));
    if (!t.track[i]) continue;
    const int last = t.track[i]->table.rows - 1;
    const double x = bench_value(t.track[i], last, "x"), y = bench_value(t.track[i], last, "y");
    CHECK_NEAR(x * x + y * y, 1, 1e-14);
    CHECK_NEAR(x * bench_value(t.track[i], last, "x'") + y * bench_value(t.track[i], last, "y'"), 0,
               1e-13);
  }
  task_free(&t);
  bench_free(&f.b);
}

// a constraint that loses its gradient inside a step ends the run there, in a lane as alone
TEST(what_ends_a_run_is_not_stepped_over)
{
  family f = family_open("appell_hamel");
  task t = task_new(&f, 1e-10, NAN, 5);
  go(&t);
  for (int i = 0; i < t.count; i++) {
    CHECK(t.track[i] && t.track[i]->status == WALK_UNFINISHED);
    if (t.track[i]) CHECK(strstr(t.track[i]->reason, "loses its gradient") != NULL);
  }
  task_free(&t);
  bench_free(&f.b);
}

// ---- the text for a GPU
// ---------------------------------------------------------------------------

typedef void all_stretches(long long count, const double* from, double* to);

// programs of the modes met, made by the compiler of this machine
typedef struct library
{
  const sweep_mode* mode;
  void* handle;
} library;

typedef struct libraries
{
  int count;
  library at[8];
  long carried;
} libraries;

static void* compile(const char* text)
{
  char folder[] = "/tmp/zwang-stretch-XXXXXX", source[100], made[100], command[400];
  if (!mkdtemp(folder)) return NULL;
  snprintf(source, sizeof source, "%s/stretch.c", folder);
  snprintf(made, sizeof made, "%s/stretch.so", folder);
  FILE* f = fopen(source, "w");
  if (!f) return NULL;
  fputs(text, f);
  fclose(f);
  snprintf(command, sizeof command,
           "cc -std=gnu17 -O1 -ffp-contract=off -Wall -Wextra -Werror -Wno-unused-function "
           "-Wno-unused-const-variable -D_GNU_SOURCE -shared -fPIC %s -o %s -lm",
           source, made);
  void* handle = system(command) == 0 ? dlopen(made, RTLD_NOW) : NULL;
  unlink(source);
  unlink(made);
  rmdir(folder);
  return handle;
}

static bool carry(void* context, const sweep_mode* m, double tolerance, int count,
                  const double* from, double* to)
{
  libraries* l = context;
  int i = 0;
  while (i < l->count && l->at[i].mode != m) i++;
  if (i == 8) return false;
  if (i == l->count) {
    base_text text = {0};
    sweep_stretch_source(m, tolerance, &text);
    l->at[l->count++] = (library){m, compile(text.at)};
    base_text_free(&text);
  }
  all_stretches* all = NULL;
  if (l->at[i].handle) *(void**)&all = dlsym(l->at[i].handle, "zwang_all");
  CHECK(all != NULL);
  if (!all) return false;
  all(count, from, to);
  l->carried += count;
  return true;
}

static void go_by_text(task* t)
{
  libraries l = {0};
  const sweep_carrier by = {.context = &l, .carry = carry};
  const sweep_convoy_task work = {.context = t, .next = next, .end = end};
  sweep_convoy* c = sweep_convoy_open(t->f->b.system, &by);
  sweep_convoy_run(c, &work);
  CHECK_INT(sweep_convoy_look(c).along, t->count);
  CHECK(l.carried >= t->count);
  sweep_convoy_close(c);
  for (int i = 0; i < t->count; i++) CHECK(is_clean(t, i));
  for (int i = 0; i < l.count; i++)
    if (l.at[i].handle) dlclose(l.at[i].handle);
}

static void carried(const char* name, double until, double allowed)
{
  family f = family_open(name);
  if (f.b.system) {
    task t = task_new(&f, 1e-12, until, 5);
    go_by_text(&t);
    compare(name, &t, allowed);
    task_free(&t);
  }
  bench_free(&f.b);
}

// steps that are far from exact are the same ones by both, on the constraints and off them
static void steps_alike(const char* name, double until)
{
  family f = family_open(name);
  if (f.b.system) {
    task lanes = task_new(&f, 1e-5, until, 5), text = task_new(&f, 1e-5, until, 5);
    go(&lanes);
    go_by_text(&text);
    for (int i = 0; i < lanes.count; i++) {
      const double off = lanes.track[i] && text.track[i] ? apart(lanes.track[i], text.track[i]) : 1;
      if (!(off <= 1e-9)) check_fail(__FILE__, __LINE__, "%s, run %d: off by %.3g", name, i, off);
    }
    task_free(&lanes);
    task_free(&text);
  }
  bench_free(&f.b);
}

TEST(stretches_by_the_text_for_a_gpu_are_those_of_lanes)
{
  if (system("command -v cc >/dev/null") != 0) SKIP("there is no C compiler");
  carried("pendulum", 2, 1e-9);   // a constraint of places
  carried("snakeboard", 2, 1e-9); // of velocities
  carried("heavy_top_quaternion", 1, 1e-8);
  carried("bouncing_ball", NAN, 1e-9); // events that set
  carried("string_pendulum", 2, 1e-8); // two modes
  carried("appell_down_falling", 0.5, 1e-8);
  steps_alike("pendulum", 3);
  steps_alike("heavy_top_quaternion", 1);
}
