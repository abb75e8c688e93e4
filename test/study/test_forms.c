// Every form gives the same accelerations and reactions, at random states of every model of the
// gallery.
#include "walk/bench.h"

#include "check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 1;

static double draw(void)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) / 4503599627370496.0 - 1;
}

// the consistent state nearest to a random one around the initial state
static int random_guess(const model* m, const study_point* at, model_initial* out)
{
  for (int i = 0; i < 2 * m->coords; i++) {
    const int k = i % m->coords, order = i / m->coords;
    const double x = (order ? at->v : at->q)[k] + 0.3 * draw();
    out[i] = (model_initial){
        .guess = true, .coord = k, .order = order, .value = expr_double(m->pool, x)};
    out[i].f = expr_sub(m->pool, order ? m->coord[k].v : m->coord[k].q, out[i].value);
    out[i].place = BASE_NOWHERE;
  }
  return 2 * m->coords;
}

// largest difference relative to the largest entry
static double apart(const model* m, const study_point* a, const study_point* b)
{
  double most = 0, size = 1, reactions = 1, off = 0;
  for (int i = 0; i < a->n; i++) {
    most = fmax(most, fabs(a->a[i] - b->a[i]));
    size = fmax(size, fabs(a->a[i]));
  }
  for (int k = 0; k < a->m; k++) {
    // the norm of a quaternion is held by no force
    const char* part = strrchr(m->constraint[k].name, '.');
    if (m->constraint[k].internal && part && !strcmp(part, ".norm")) continue;
    off = fmax(off, fabs(a->lambda[k] - b->lambda[k]));
    reactions = fmax(reactions, fabs(a->lambda[k]));
  }
  return fmax(most / size, off / reactions);
}

static void forms_agree(const char* name)
{
  bench b = bench_file(name);
  seed = 1;
  CHECK(b.system != NULL);
  if (!b.system) return;
  study_point* start = study_point_solve(b.system, NULL, 0, NULL, b.notes);
  CHECK(start != NULL);
  model_initial* guess = calloc((size_t)(2 * b.model->coords), sizeof *guess);
  double worst = 0;
  int tried = 0;
  for (int i = 0; start && i < 100; i++) {
    const int count = random_guess(b.model, start, guess);
    base_notes* quiet = base_notes_new();
    study_point* common = study_point_solve(b.system, NULL, count, guess, quiet);
    // the other forms are compared with these two in mech
    static const char* const forms[] = {"lagrange", "maggi"};
    for (int f = 0; common && f < 2; f++) {
      study_point* p = study_point_solve(b.system, mech_form_find(forms[f]), count, guess, quiet);
      if (!p) continue;
      worst = fmax(worst, apart(b.system->model, common, p));
      tried++;
      study_point_free(p);
    }
    study_point_free(common);
    base_notes_free(quiet);
  }
  if (!(worst <= 1e-11) || tried < 100)
    check_fail(__FILE__, __LINE__, "%s: forms differ by %.3g in %d comparisons", name, worst,
               tried);
  free(guess);
  study_point_free(start);
  bench_free(&b);
}

TEST(lagrange_and_maggi_agree_at_random_states_of_every_model)
{
  char path[4096];
  const char* root = getenv("ZWANG_SOURCE");
  snprintf(path, sizeof path, "%s/models", root ? root : ".");
  DIR* folder = opendir(path);
  CHECK(folder != NULL);
  for (struct dirent* entry; folder && (entry = readdir(folder));) {
    char* dot = strrchr(entry->d_name, '.');
    if (!dot || strcmp(dot, ".zw") != 0) continue;
    *dot = 0;
    forms_agree(entry->d_name);
  }
  if (folder) closedir(folder);
}

// no state is left out: the quasi-velocities of the contact serve on every base
TEST(every_form_that_suits_holds_at_twelve_states_of_rolling_models)
{
  static const char* const names[] = {"rolling_in_ellipsoid", "rolling_with_pendulum", "rattleback",
                                      "sliding_ball", "tippe_top"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    bench b = bench_file(names[i]);
    study_verdict* v = b.system ? study_verify(b.system, 12, b.notes) : NULL;
    CHECK(v != NULL && v->agrees && v->least);
    int suited = 0;
    for (int k = 0; v && k < v->forms; k++) {
      const study_agreement* a = &v->agreement[k];
      if (a->unsuited) continue;
      suited++;
      if (a->states < 12 || a->refused)
        check_fail(__FILE__, __LINE__, "%s: %s at %d states", names[i], a->form->name, a->states);
      CHECK_NEAR(a->difference, 0, 1e-12);
    }
    CHECK(suited >= 16);
    study_verdict_free(v);
    bench_free(&b);
  }
}

// the numbers of a model are not those of its first stage, nor what is delayed
TEST(forms_see_what_a_stage_has_set_and_what_is_delayed)
{
  static const char* const forms[] = {"lagrange", "maggi", "appell", "kane"};
  bench b = bench_text("param k = 1\ncoord x\nkinetic x'^2/2\nforce x = -k*x - 3*delay(x, 0.1)\n"
                       "stage one { set k = 5; until t >= 1 }\ninitial x = 2\n");
  for (int i = 0; i < 4; i++) {
    study_point* p = study_point_solve(b.system, mech_form_find(forms[i]), 0, NULL, b.notes);
    CHECK(p != NULL);
    if (p) CHECK_NEAR(p->a[0], -16, 1e-12);
    study_point_free(p);
  }
  bench_free(&b);
}
