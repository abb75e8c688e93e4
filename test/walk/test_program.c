// One program for all engines of a system: shared by threads, with params given with each run.
#include "bench.h"
#include "check.h"
#include "contact/contact.h"

#include <pthread.h>
#include <string.h>

// length and mass are given; J follows from both
static const char pendulum[] = "param L = 1 [m], m = 2 [kg], g = 9.81\n"
                               "param J = m*L^2\n"
                               "coord phi\n"
                               "kinetic J*phi'^2/2\n"
                               "potential -m*g*L*cos(phi)\n"
                               "initial phi = 1\n"
                               "event low: phi = 0 report\n"
                               "constraint wall: phi >= -0.5 with restitution 0.8\n"
                               "run 0 .. 3\n";

static bench given(const char* text, const char* name)
{
  bench b = bench_text(text);
  mech_free(b.system);
  CHECK(model_give(b.model, model_param_find(b.model, name)));
  b.system = mech_derive(b.model, b.notes);
  return b;
}

// one thread's run for a value of L
typedef struct job
{
  const bench* b;
  double L;
  walk_track* t;
} job;

static void* run(void* context)
{
  job* j = context;
  const model* m = j->b->model;
  double number[8];
  for (int i = 0; i < m->params; i++) number[i] = m->param[i].number;
  number[model_param_find(m, "L")] = j->L;
  walk_options o = walk_options_default();
  o.number = number;
  o.points = 11;
  base_notes* notes = base_notes_new();
  j->t = walk_run(j->b->system, &o, notes);
  base_notes_free(notes);
  return NULL;
}

static bool is_same(const walk_track* a, const walk_track* b)
{
  if (!a || !b || a->table.rows != b->table.rows || a->table.width != b->table.width) return false;
  const size_t count = (size_t)a->table.rows * (size_t)a->table.width;
  return !memcmp(a->table.value, b->table.value, sizeof(double) * count);
}

TEST(engines_of_a_system_share_its_program)
{
  bench b = bench_text(pendulum);
  engine *one = contact_engine_new(b.system, b.notes),
         *other = contact_engine_new_large(b.system, b.notes);
  CHECK(one && other && one->program == other->program && one->in != other->in);
  CHECK_INT(engine_program_count(b.system), 1);
  engine_free(one);
  engine_free(other);
  bench_free(&b);
}

TEST(many_runs_in_many_threads_are_made_of_one_program)
{
  enum { threads = 8 };
  bench shared = given(pendulum, "L");
  job jobs[threads];
  pthread_t thread[threads];
  for (int i = 0; i < threads; i++) {
    jobs[i] = (job){.b = &shared, .L = 0.5 + 0.25 * (i / 2)};
    pthread_create(&thread[i], NULL, run, &jobs[i]);
  }
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  CHECK_INT(engine_program_count(shared.system), 1);
  for (int i = 0; i < threads; i++) {
    // alone, with a program of its own
    bench b = given(pendulum, "L");
    job alone = {.b = &b, .L = jobs[i].L};
    run(&alone);
    CHECK(is_same(jobs[i].t, alone.t));
    CHECK(i == 0 || is_same(jobs[i].t, jobs[i - 1].t) == (i % 2 == 1));
    walk_track_free(alone.t);
    bench_free(&b);
  }
  for (int i = 0; i < threads; i++) walk_track_free(jobs[i].t);
  bench_free(&shared);
}

TEST(what_follows_from_a_given_param_goes_with_it)
{
  // the motion does not depend on the mass, which stands in J and in the potential
  bench b = given(pendulum, "m"), c = bench_text(pendulum);
  job light = {.b = &b, .L = 1};
  run(&light);
  walk_track* t = bench_run(&c, 1e-10, 0, NULL);
  CHECK(light.t && t);
  if (light.t && t) CHECK_NEAR(light.t->happening[0].t, t->happening[0].t, 1e-9);
  walk_track_free(light.t);
  walk_track_free(t);
  bench_free(&b);
  bench_free(&c);
}

TEST(a_value_out_of_its_bounds_is_another_model)
{
  bench b = given(pendulum, "L");
  bench heavy = given("param m = 1 [kg]\ncoord x\nparticle P mass m = (x, 0, 0) in world\n", "m");
  double number[1] = {-1};
  walk_options o = walk_options_default();
  o.number = number;
  CHECK(walk_run(heavy.system, &o, heavy.notes) == NULL);
  bench_free(&b);
  bench_free(&heavy);
}

TEST(what_the_model_is_does_not_hang_on_a_given_param)
{
  bench b = bench_text("param half = 1, n = 2*half, c = 3\nparam k = 1 [N/m]\ncoord x\n"
                       "kinetic x'^2/2\npotential k*x^2/2 + sum(i in 1..n: i*c*x)\n");
  CHECK(!model_give(b.model, model_param_find(b.model, "n")));
  CHECK(!model_give(b.model, model_param_find(b.model, "half")));
  CHECK(model_give(b.model, model_param_find(b.model, "k")));
  CHECK(model_give(b.model, model_param_find(b.model, "c")));
  bench_free(&b);
  bench rolls = bench_text("param R = 0.1 [m]\nball B mass 1 radius R\n"
                           "roll B as sphere(R) on world as plane at c\n");
  CHECK(model_give(rolls.model, model_param_find(rolls.model, "R")));
  bench_free(&rolls);
}

TEST(a_hint_about_an_angle_hangs_on_no_param)
{
  bench b = bench_text("param W = 3, lean = 12\ncoord th\n"
                       "frame H = world rotated z(W*t) x(lean)\n"
                       "particle P mass 1 = (sin(th), 0, -cos(th)) in H\n");
  CHECK(model_give(b.model, model_param_find(b.model, "W")));
  CHECK(model_give(b.model, model_param_find(b.model, "lean")));
  bench_free(&b);
}
