// Many skaters of 15 s at a true error of about 1e-8: zwang beside a hand-written scalar loop.
// bench_sweep SKATER (model file) FOLDER (for tables)
#include "bench.h"
#include "skaters_hand.h"

#include "lang/lang.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zwang/zwang.h>

enum { runs = 10000, piece = 500 };
// chosen so that both are off by about 1e-8 at the end
static const double hand_tolerance = 1e-8, lanes_tolerance = 1.3e-7;

typedef struct job
{
  sweep_bundle* bundle;
  sweep_bundle_worker* worker;
  double value[runs], result[runs][3], by_hand[runs][3];
  double memory[runs][5]; // mass, three results, quality
  bool done[runs];
  int at;
  const char* model;
  char table[4096];
} job;

static double mass(int i)
{
  return 5 + 4.0 * i / (runs - 1);
}

static void hand(void* context, int count)
{
  job* j = context;
  double q[3], sum = 0;
  for (int i = 0; i < count * piece; i++) {
    skaters_hand_one(mass((j->at + i) % runs), hand_tolerance, q);
    sum += q[0];
  }
  if (!isfinite(sum)) exit(1);
}

static void hand_lanes(void* context, int count)
{
  job* j = context;
  for (int i = 0; i < count; i++) {
    skaters_hand_lanes(piece, j->value + j->at, hand_tolerance, j->by_hand + j->at);
    j->at = (j->at + piece) % runs;
  }
}

static void lanes(void* context, int count)
{
  job* j = context;
  for (int i = 0; i < count; i++) {
    sweep_bundle_run(j->worker, piece, j->value + j->at, j->result[j->at], j->done + j->at);
    j->at = (j->at + piece) % runs;
  }
}

static void hand_all(void* context, int count)
{
  job* j = context;
  j->at = 0;
  hand(context, count * runs / piece);
}

// into a file, or into memory
static void sweep(job* j, int threads, bool is_file)
{
  zw_notes* notes = zw_notes_new();
  zw_model* m = zw_model_read(j->model, NULL, 0, notes);
  zw_sweep_options o = zw_sweep_defaults();
  const char* over[] = {"m=5..9:10000"};
  o.over = over;
  o.over_count = 1;
  o.results = "xi,eta,theta";
  o.tolerance = lanes_tolerance;
  o.threads = threads;
  if (is_file) o.out = j->table;
  if (!is_file) o.table = j->memory[0];
  if (!is_file) o.table_room = runs;
  if (!m || zw_sweep(m, &o, NULL, notes) != ZW_OK) exit(1);
  zw_model_free(m);
  zw_notes_free(notes);
}

static void one_thread(void* context, int count)
{
  for (int i = 0; i < count; i++) sweep(context, 1, true);
}

static void in_memory(void* context, int count)
{
  for (int i = 0; i < count; i++) sweep(context, 1, false);
}

static void two_threads(void* context, int count)
{
  for (int i = 0; i < count; i++) sweep(context, 2, true);
}

static void open_bundle(job* j, bench_model* b)
{
  const char* why = "";
  const model_override varied = {"m", NULL};
  const lang_tree* tree = lang_parse_file(j->model, NULL, b->arena, b->notes);
  b->model = tree ? model_build(tree, 1, &varied, b->notes) : NULL;
  b->system = b->model ? mech_derive(b->model, b->notes) : NULL;
  walk_options o = walk_options_default();
  o.tolerance = lanes_tolerance;
  const int param = b->model ? model_param_find(b->model, "m") : -1, column[] = {1, 3, 2};
  if (b->system) j->bundle = sweep_bundle_new(b->system, &o, 1, &param, 3, column, false, &why);
  if (!j->bundle) {
    fprintf(stderr, "no lanes: %s\n", why);
    exit(1);
  }
  j->worker = sweep_bundle_open(j->bundle);
}

// the largest error of the places at the end
static void tell_errors(job* j)
{
  double worst = 0, worst_hand = 0, apart = 0;
  for (int i = 0; i < runs; i += 50) {
    double q[3], exact[3];
    skaters_hand_one(mass(i), hand_tolerance, q);
    skaters_hand_one(mass(i), 1e-14, exact);
    if (!j->done[i]) exit(1);
    for (int k = 0; k < 3; k++) {
      worst = fmax(worst, fabs(j->result[i][k] - exact[k]));
      worst_hand = fmax(worst_hand, fabs(q[k] - exact[k]));
      apart = fmax(apart, fabs(j->by_hand[i][k] - q[k]));
    }
  }
  bench_say(
      "  largest errors at the end: by hand %.2g (eight abreast %.2g from that), zwang %.2g\n",
      worst_hand, apart, worst);
  bench_near("eight abreast by hand", apart, 0, 1e-11);
  bench_near("the ends", worst, 0, 3e-8);
}

int main(int argc, char** argv)
{
  if (argc != 3) return 1;
  static job j;
  j.model = argv[1];
  snprintf(j.table, sizeof j.table, "%s/bench_sweep_%ld.csv", argv[2], (long)getpid());
  for (int i = 0; i < runs; i++) j.value[i] = mass(i);
  bench_model b = {.notes = base_notes_new(), .arena = base_arena_new()};
  open_bundle(&j, &b);
  bench_begin("Many skaters of 15 s, one core");
  for (int i = 0; i < runs / piece; i++) lanes(&j, 1);
  for (int i = 0; i < runs / piece; i++) hand_lanes(&j, 1);
  tell_errors(&j);
  bench_round("500 trajectories in a process under way", 1, 201, 3,
              (bench_contestant[]){{"hand-written C, eight lanes, dop853", hand_lanes, &j, NULL},
                                   {"hand-written scalar C, dop853", hand, &j, NULL},
                                   {"zwang, lanes", lanes, &j, NULL}});
  bench_round("10,000 trajectories, zwang from the text", 1, 31, 4,
              (bench_contestant[]){{"hand-written scalar C, no output", hand_all, &j, NULL},
                                   {"zwang sweep, one thread, in memory", in_memory, &j, NULL},
                                   {"zwang sweep, one thread, CSV file", one_thread, &j, NULL},
                                   {"zwang sweep, two threads, CSV file", two_threads, &j, NULL}});
  sweep_bundle_close(j.worker);
  sweep_bundle_free(j.bundle);
  unlink(j.table);
  return 0;
}
