// Runs that start anew at checkpoints, and such that are taken up from one.
#include "bench.h"
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// what is kept of a run: of each checkpoint, the bytes of all tables so far and the rest
typedef struct kept
{
  walk_known known;
  base_text tables;
  int count, wanted; // checkpoints; the one that is kept
  size_t tables_n;
  base_text rest;
} kept;

static void nothing(void* context, const walk_track* t)
{
  (void)context;
  (void)t;
}

static void keep(void* context, const walk_track* t, const char* bytes, size_t n)
{
  kept* k = context;
  if (k->count > k->wanted) return;
  walk_track_pack(t, &k->known, &k->tables);
  if (k->count++ != k->wanted) return;
  k->tables_n = k->tables.n;
  base_text_addn(&k->rest, bytes, n);
}

static walk_options options(int between)
{
  walk_options o = walk_options_default();
  o.between_checkpoints = between;
  o.curves = true;
  o.points = 40;
  return o;
}

static walk_track* run_kept(bench* b, walk_options o, kept* k)
{
  const walk_keeper keeper = {k, nothing, keep};
  o.keeper = &keeper;
  return walk_run(b->system, &o, b->notes);
}

static walk_track* take_up(bench* b, walk_options o, const kept* k)
{
  walk_track* so_far = walk_track_new(b->model);
  const char* at = k->tables.at;
  size_t left = k->tables_n;
  bool fine = true;
  while (fine && left) fine = walk_track_unpack(so_far, &at, &left);
  CHECK(fine);
  const walk_onward onward = {k->rest.at, k->rest.n, so_far};
  o.onward = &onward;
  walk_track* t = walk_run(b->system, &o, b->notes);
  walk_track_free(so_far);
  return t;
}

static bool same_table(const walk_table* a, const walk_table* b)
{
  const size_t rows = (size_t)a->rows, width = (size_t)a->width;
  return a->rows == b->rows && a->width == b->width &&
         (!rows || (!memcmp(a->value, b->value, sizeof(double) * rows * width) &&
                    !memcmp(a->stage, b->stage, sizeof(int) * rows) &&
                    !memcmp(a->event, b->event, sizeof(int) * rows)));
}

static bool same_happenings(const walk_track* a, const walk_track* b)
{
  bool same = a->happenings == b->happenings;
  for (int i = 0; same && i < a->happenings; i++) {
    const walk_happening *x = &a->happening[i], *y = &b->happening[i];
    same = x->t == y->t && x->event == y->event && x->direction == y->direction &&
           !x->name == !y->name && (!x->name || !strcmp(x->name, y->name)) &&
           !x->impulse == !y->impulse &&
           !memcmp(x->row, y->row, sizeof(double) * (size_t)a->columns);
  }
  return same;
}

// to the last bit, but for the clock
static bool same(const walk_track* a, const walk_track* b)
{
  return a && b && same_table(&a->table, &b->table) && same_table(&a->curves, &b->curves) &&
         same_happenings(a, b) && a->status == b->status && !strcmp(a->reason, b->reason) &&
         !strcmp(a->doubt, b->doubt) && !strcmp(a->method, b->method) &&
         !strcmp(a->method_why, b->method_why) && a->t_reached == b->t_reached &&
         a->energy_balance == b->energy_balance && a->energy_scale == b->energy_scale &&
         a->counts.steps == b->counts.steps && a->counts.rejected == b->counts.rejected &&
         a->counts.evaluations == b->counts.evaluations && a->restarts == b->restarts;
}

// beside its own rounding, which a start anew lets grow otherwise
static const double alike = 1e-7;
static int taken_up;

// A run that starts anew goes on as one that does not; taken up at its second checkpoint it is the
// same to the last bit.
static bool compare(bench b, const char* name)
{
  bool good = b.system != NULL;
  kept k = {.wanted = 1};
  walk_track *plain = NULL, *whole = NULL;
  if (b.system) {
    walk_options o = options(0);
    plain = walk_run(b.system, &o, b.notes);
    o = options(9);
    whole = run_kept(&b, o, &k);
    good = !plain == !whole;
    if (whole && k.rest.n) {
      walk_track* again = take_up(&b, o, &k);
      taken_up++;
      good = same(whole, again) && plain->status == whole->status &&
             plain->happenings == whole->happenings && bench_apart(plain, whole) < alike;
      walk_track_free(again);
    }
  }
  if (!good) printf("# %s\n", name);
  walk_track_free(plain);
  walk_track_free(whole);
  base_text_free(&k.tables);
  base_text_free(&k.rest);
  bench_free(&b);
  return !good;
}

static bool differs_system(const char* name)
{
  return compare(bench_system(name), name);
}

// every other, as there are many
static bool differs_model(const char* name)
{
  static int number;
  return number++ % 2 == 0 && compare(bench_file(name), name);
}

TEST(a_run_taken_up_at_a_checkpoint_is_the_same_to_the_last_bit)
{
  taken_up = 0;
  CHECK_INT(bench_systems(differs_system), 0);
  CHECK_INT(bench_gallery(differs_model), 0);
  CHECK(taken_up > 40);
  printf("# %d runs taken up\n", taken_up);
}

// by every method, what it remembers is forgotten
TEST(a_run_by_any_method_is_taken_up_to_the_last_bit)
{
  const char* name[] = {"double_pendulum", "skater_benchmark", "ball_comes_to_rest"};
  int runs = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; walk_method_name(j); j++) {
      bench b = bench_file(name[i]);
      kept k = {.wanted = 2};
      walk_options o = options(40);
      o.method = walk_method_name(j);
      o.until = 3;
      walk_track* whole = run_kept(&b, o, &k);
      walk_track* again = whole && k.rest.n ? take_up(&b, o, &k) : NULL;
      CHECK(!again || same(whole, again));
      runs += again != NULL;
      walk_track_free(again);
      walk_track_free(whole);
      base_text_free(&k.tables);
      base_text_free(&k.rest);
      bench_free(&b);
    }
  CHECK(runs > 8);
}

// each body has a way of its own, and all begin anew together
TEST(flights_are_taken_up_to_the_last_bit)
{
  bench b = bench_text("param r = 0.1\nfor i in 1..3 {\n coord x[i], y[i]\n"
                       "particle d[i] mass i = (x[i], y[i], 0) in world\n"
                       "constraint a[i]: hypot(x[i], y[i]) <= 1 - r with restitution 1\n"
                       "initial x[i] = (i - 2)/2\ninitial y[i] = i/9\n"
                       "initial x[i]' = sin(3*i)\ninitial y[i]' = cos(7*i)\n}\n"
                       "contacts gas: among d[*] as circle(r) with restitution 1\nrun 0 .. 500\n");
  kept k = {.wanted = 2};
  walk_options o = options(3);
  o.method = "flights";
  walk_track* whole = run_kept(&b, o, &k);
  CHECK(whole && k.rest.n);
  walk_track* again = whole && k.rest.n ? take_up(&b, o, &k) : NULL;
  CHECK(again && same(whole, again) && whole->impacts == again->impacts);
  walk_track_free(again);
  walk_track_free(whole);
  base_text_free(&k.tables);
  base_text_free(&k.rest);
  bench_free(&b);
}

// a warning from before the checkpoint is not lost
TEST(what_was_told_before_is_told_again)
{
  bench b = bench_text("param k = 1\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\ninitial x = 1\n"
                       "stage one { until t >= 0.1 }\nstage two { until t >= 1 }\nrun 0 .. 40\n");
  kept k = {.wanted = 1};
  const walk_options o = options(9);
  walk_track* whole = run_kept(&b, o, &k);
  CHECK(whole && k.rest.n);
  const int before = base_notes_count(b.notes);
  CHECK(before > 0);
  walk_track* again = take_up(&b, o, &k);
  CHECK_INT(base_notes_count(b.notes), 2 * before);
  for (int i = 0; i < before && 2 * before == base_notes_count(b.notes); i++)
    CHECK(!strcmp(base_notes_reason(b.notes, i), base_notes_reason(b.notes, before + i)));
  walk_track_free(again);
  walk_track_free(whole);
  base_text_free(&k.tables);
  base_text_free(&k.rest);
  bench_free(&b);
}

TEST(tables_taken_up_are_those_that_were_kept)
{
  bench b = bench_file("double_pendulum");
  walk_options o = options(3);
  kept k = {.wanted = 2};
  walk_track* whole = run_kept(&b, o, &k);
  CHECK(whole && k.rest.n);
  walk_track* so_far = walk_track_new(b.model);
  const char* at = k.tables.at;
  // of bytes that are cut short nothing is taken
  for (size_t n = 0; n < 64; n += 7) {
    size_t few = n;
    const char* from = at;
    CHECK(!walk_track_unpack(so_far, &from, &few));
  }
  walk_track_free(so_far);
  walk_track_free(whole);
  base_text_free(&k.tables);
  base_text_free(&k.rest);
  bench_free(&b);
}

TEST(bytes_of_another_run_are_refused)
{
  bench b = bench_file("pendulum"), other = bench_file("double_pendulum");
  walk_options o = options(3);
  kept k = {.wanted = 0};
  walk_track* whole = run_kept(&other, o, &k);
  k.tables_n = 0;
  walk_track* t = take_up(&b, o, &k);
  CHECK(t && t->status == WALK_UNFINISHED);
  CHECK(t && strstr(t->reason, "does not fit"));
  walk_track_free(t);
  walk_track_free(whole);
  base_text_free(&k.tables);
  base_text_free(&k.rest);
  bench_free(&b);
  bench_free(&other);
}
