// From text to a finished 15 s table of the skater: zwang beside hand-written C of the same model,
// as whole processes and inside one.  bench_table ZWANG HAND MODEL
#include "bench.h"
#include "skater_hand.h"
#include "zwang/zwang.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

typedef struct job
{
  const char *program, *model, *table;
} job;

static void end(const char* why)
{
  fprintf(stderr, "bench_table: %s\n", why);
  exit(1);
}

static void spawn(const char* const* words)
{
  pid_t child;
  int status = 0;
  if (posix_spawn(&child, words[0], NULL, NULL, (char* const*)words, environ) != 0)
    end("a program could not be started");
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) end("a program was lost");
  if (status != 0) end("a program failed");
}

static void zwang_process(void* context, int count)
{
  const job* j = context;
  for (int i = 0; i < count; i++)
    spawn((const char* const[]){j->program, "run", j->model, "--out", j->table, "--quiet", NULL});
}

static void hand_process(void* context, int count)
{
  const job* j = context;
  for (int i = 0; i < count; i++) spawn((const char* const[]){j->program, j->table, NULL});
}

// text to table through the public door
static void zwang_inside(void* context, int count)
{
  const job* j = context;
  for (int i = 0; i < count; i++) {
    zw_notes* notes = zw_notes_new();
    zw_model* m = zw_model_read(j->model, NULL, 0, notes);
    zw_system* system = m ? zw_derive(m, notes) : NULL;
    const zw_run_options o = zw_run_defaults();
    const zw_track* track = system ? zw_run(system, &o, notes) : NULL;
    const zw_runs runs = {.track = &track, .count = 1};
    if (!track || zw_table_write(&runs, j->table, notes) != ZW_OK) end("zwang did not finish");
    zw_track_free((zw_track*)track);
    zw_system_free(system);
    zw_model_free(m);
    zw_notes_free(notes);
  }
}

static void hand_inside(void* context, int count)
{
  const job* j = context;
  for (int i = 0; i < count; i++)
    if (!skater_hand_table(j->table)) end("the hand-written skater did not finish");
}

// the tables must be the same run: every number of every row
static void compare(const char* a, const char* b)
{
  FILE *f = fopen(a, "r"), *g = fopen(b, "r");
  char one[400], two[400];
  if (!f || !g || !fgets(one, sizeof one, f) || !fgets(two, sizeof two, g)) end("no table");
  if (strcmp(one, two) != 0) end("the tables have different columns");
  int rows = 0;
  while (fgets(one, sizeof one, f) && fgets(two, sizeof two, g)) {
    rows++;
    for (char *x = one, *y = two; x && y; x = strchr(x, ','), y = strchr(y, ',')) {
      x += *x == ',', y += *y == ',';
      bench_near("a number of the table", strtod(x, NULL), strtod(y, NULL), 1e-7);
    }
  }
  bench_near("rows of the table", rows, 501, 0);
  fclose(f);
  fclose(g);
}

int main(int argc, char** argv)
{
  if (argc != 4) end("usage: bench_table ZWANG HAND MODEL");
  char ours[] = "/tmp/zwang-bench-XXXXXX", theirs[] = "/tmp/zwang-bench-XXXXXX";
  char *a = mkdtemp(ours), *b = mkdtemp(theirs), table_a[60], table_b[60];
  if (!a || !b) end("no folder for the tables");
  snprintf(table_a, sizeof table_a, "%s/a.csv", a);
  snprintf(table_b, sizeof table_b, "%s/b.csv", b);
  job zwang = {argv[1], argv[3], table_a}, hand = {argv[2], argv[3], table_b};

  bench_begin("From text to a finished 15 s table of the skater, 501 rows");
  bench_round("the whole process", 1, 201, 2,
              (bench_contestant[]){{"hand-written C", hand_process, &hand, NULL},
                                   {"zwang run", zwang_process, &zwang, NULL}});
  compare(table_a, table_b);
  bench_round(
      "inside one process", 1, 201, 2,
      (bench_contestant[]){{"hand-written C", hand_inside, &hand, NULL},
                           {"zwang.h: read, derive, run, write", zwang_inside, &zwang, NULL}});
  compare(table_a, table_b);
  unlink(table_a);
  unlink(table_b);
  rmdir(a);
  rmdir(b);
  return 0;
}
