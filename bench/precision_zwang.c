// A run of zwang that was set up once and is integrated again and again.
#include "precision_zwang.h"

#include "precision.h"

#include "walk/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct precision_zwang
{
  int problem;
  walk_options options;
  walk_job job;
  double *y, *in; // its start
  int column[most_unknowns];
};

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double* copy(int n, const double* x)
{
  const size_t bytes = sizeof(double) * (size_t)n;
  return memcpy(base_alloc(bytes + 1), x, bytes);
}

// where the unknowns stand in a row
static void find_columns(precision_zwang* z)
{
  const precision_problem* p = &precision_problem_list[z->problem];
  const walk_track* t = z->job.track;
  for (int i = 0; i < p->n; i++) {
    int k = 0;
    while (k < t->columns && strcmp(t->column[k], p->column[i])) k++;
    if (k == t->columns) {
      fprintf(stderr, "%s: no column %s\n", p->name, p->column[i]);
      exit(1);
    }
    z->column[i] = k;
  }
}

precision_zwang* precision_zwang_open(const bench_model* m, int problem, const char* method,
                                      double tolerance)
{
  const precision_problem* p = &precision_problem_list[problem];
  precision_zwang* z = base_alloc(sizeof *z);
  z->problem = problem;
  z->options = walk_options_default();
  z->options.tolerance = tolerance;
  z->options.method = method;
  z->options.at_count = 1;
  z->options.at = &p->t_end;
  z->options.until = p->t_end;
  z->job = (walk_job){.s = m->system, .o = &z->options, .notes = m->notes};
  if (!walk_run_open(&z->job)) {
    precision_zwang_close(z);
    return NULL;
  }
  z->y = copy(z->job.f->ode.n, z->job.y);
  z->in = copy(z->job.e->program->inputs, z->job.e->in);
  find_columns(z);
  return z;
}

void precision_zwang_close(precision_zwang* z)
{
  if (!z) return;
  walk_run_close(&z->job);
  walk_track_free(z->job.track);
  free(z->y);
  free(z->in);
  free(z);
}

// all that a run has left behind goes; the table is made anew
static void rewind_run(precision_zwang* z)
{
  walk_job* r = &z->job;
  rate_flow* f = r->f;
  walk_table* t = &r->track->table;
  memcpy(r->y, z->y, sizeof(double) * (size_t)f->ode.n);
  memcpy(r->e->in, z->in, sizeof(double) * (size_t)r->e->program->inputs);
  engine_scales_forget(r->e);
  rate_flow_scale(f, r->y);
  free(t->value);
  free(t->stage);
  free(t->event);
  *t = (walk_table){.width = t->width};
  r->record->due = 0;
  r->turns = 0; // long runs start anew after many
  r->over = false;
}

double precision_zwang_again(precision_zwang* z, double* y)
{
  const walk_track* t = z->job.track;
  rewind_run(z);
  const double from = now();
  walk_run_steps(&z->job);
  const double seconds = now() - from;
  if (t->status != WALK_DONE || t->table.rows != 1) return -1;
  for (int i = 0; i < precision_problem_list[z->problem].n; i++)
    y[i] = t->table.value[z->column[i]];
  return seconds;
}
