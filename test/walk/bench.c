#include "bench.h"

#include "check.h"
#include "lang/lang.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bench finish(bench b, const lang_tree* tree)
{
  b.model = tree && !base_notes_errors(b.notes) ? model_build(tree, 0, NULL, b.notes) : NULL;
  b.system = b.model ? mech_derive(b.model, b.notes) : NULL;
  for (int i = 0; !b.system && i < base_notes_count(b.notes); i++)
    printf("# %s\n", base_notes_reason(b.notes, i));
  return b;
}

bench bench_text(const char* text)
{
  bench b = {.notes = base_notes_new(), .arena = base_arena_new()};
  const lang_limits limits = lang_limits_default();
  return finish(b, lang_parse("test.zw", text, strlen(text), NULL, &limits, b.arena, b.notes));
}

bench bench_mechanism(const char* text, int drives, const char* const* drive)
{
  bench b = {.notes = base_notes_new(), .arena = base_arena_new()};
  const lang_mechanism driven = {drives, drive, NAN};
  lang_limits limits = lang_limits_default();
  limits.mechanism = &driven;
  return finish(b, lang_parse("test.zw", text, strlen(text), NULL, &limits, b.arena, b.notes));
}

bench bench_path(const char* path)
{
  bench b = {.notes = base_notes_new(), .arena = base_arena_new()};
  const lang_limits limits = lang_limits_default();
  return finish(b, lang_parse_file(path, &limits, b.arena, b.notes));
}

static bench from_file(const char* folder, const char* name)
{
  const char* root = getenv("ZWANG_SOURCE");
  char path[4096];
  snprintf(path, sizeof path, "%s/%s/%s.zw", root ? root : ".", folder, name);
  return bench_path(path);
}

bench bench_file(const char* name)
{
  return from_file("models", name);
}

bench bench_system(const char* name)
{
  return from_file("test/unions/systems", name);
}

void bench_free(bench* b)
{
  mech_free(b->system);
  model_free(b->model);
  base_arena_free(b->arena);
  base_notes_free(b->notes);
}

walk_track* bench_run(bench* b, double tolerance, int at_count, const double* at)
{
  walk_options o = walk_options_default();
  o.tolerance = tolerance;
  o.at_count = at_count;
  o.at = at;
  walk_track* t = b->system ? walk_run(b->system, &o, b->notes) : NULL;
  CHECK(t != NULL);
  for (int i = 0; !t && i < base_notes_count(b->notes); i++)
    printf("# %s\n", base_notes_text(b->notes, i));
  return t;
}

walk_track* bench_run_by(bench* b, const char* method, double tolerance, int count,
                         const double* at)
{
  walk_options o = walk_options_default();
  o.method = method;
  o.tolerance = tolerance;
  o.at_count = count;
  o.at = at;
  return walk_run(b->system, &o, b->notes);
}

double bench_apart(const walk_track* a, const walk_track* b)
{
  if (a->table.rows != b->table.rows) return INFINITY;
  double most = 0;
  for (int c = 1; c <= a->model->coords; c++) {
    double size = 1, off = 0;
    for (int i = 0; i < a->table.rows; i++) {
      const double x = a->table.value[i * a->table.width + c];
      size = fmax(size, fabs(x));
      off = fmax(off, fabs(x - b->table.value[i * b->table.width + c]));
    }
    most = fmax(most, off / size);
  }
  return most;
}

static int is_model(const struct dirent* f)
{
  const char* dot = strrchr(f->d_name, '.');
  return dot && !strcmp(dot, ".zw");
}

static int each(const char* folder, bool (*look)(const char* name))
{
  const char* root = getenv("ZWANG_SOURCE");
  char path[4096];
  struct dirent** file = NULL;
  snprintf(path, sizeof path, "%s/%s", root ? root : ".", folder);
  const int files = scandir(path, &file, is_model, alphasort);
  int count = 0;
  for (int i = 0; i < files; i++) {
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)strlen(file[i]->d_name) - 3, file[i]->d_name);
    count += look(name);
    (free)(file[i]); // the C library's
  }
  (free)(file);
  return count;
}

int bench_gallery(bool (*look)(const char* name))
{
  return each("models", look);
}

int bench_systems(bool (*look)(const char* name))
{
  return each("test/unions/systems", look);
}

double bench_value(const walk_track* t, int row, const char* column)
{
  for (int i = 0; t && i < t->columns; i++)
    if (!strcmp(t->column[i], column) && row < t->table.rows)
      return t->table.value[(size_t)row * (size_t)t->columns + (size_t)i];
  return NAN;
}

const char* bench_first_error(const bench* b)
{
  for (int i = 0; i < base_notes_count(b->notes); i++)
    if (base_notes_level(b->notes, i) == BASE_ERROR) return base_notes_reason(b->notes, i);
  return "";
}

study_stability* bench_stability(bench* b, double period)
{
  const study_stability_options o = {.period = period};
  study_stability* r = b->system ? study_stability_find(b->system, &o, b->notes) : NULL;
  if (!r) check_fail(__FILE__, __LINE__, "%s", bench_first_error(b));
  return r;
}

void bench_stability_refused(const char* text, double period, const char* reason)
{
  bench b = bench_text(text);
  const study_stability_options o = {.period = period};
  CHECK(b.system && !study_stability_find(b.system, &o, b.notes));
  if (!strstr(bench_first_error(&b), reason))
    check_fail(__FILE__, __LINE__, "`%s` is not in `%s`", reason, bench_first_error(&b));
  bench_free(&b);
}
