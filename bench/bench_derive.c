// From text to equations ready to evaluate: read, derive, make a kernel of M, F, A and c.
// bench_derive MODEL TIMES: the seconds of each time, one a line; then the accelerations at
// q_i = i/10, q_i' = i/20, for a check against other programs.
#include "bench.h"
#include "contact/contact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// M, F, A and c as a kernel of the time, the state and the params
static code_kernel* kernel_of(const bench_model* b)
{
  const mech_system* s = b->system;
  const model* m = b->model;
  const int n = s->n, rows = s->m, count = n * n + n + rows * n + rows;
  const int inputs = 1 + 2 * n + m->params;
  expr *list = base_alloc(sizeof *list * (size_t)(count + inputs)), *in = list + count;
  const struct
  {
    int count;
    const expr* what;
  } parts[] = {{n * n, s->M}, {n, s->F}, {rows * n, s->A}, {rows, s->c}};
  expr* at = list;
  for (int i = 0; i < 4; at += parts[i++].count)
    if (parts[i].count) memcpy(at, parts[i].what, sizeof *at * (size_t)parts[i].count);
  in[0] = m->t;
  for (int i = 0; i < n; i++) in[1 + i] = s->q[i], in[1 + n + i] = s->v[i];
  for (int i = 0; i < m->params; i++) in[1 + 2 * n + i] = m->param[i].symbol;
  code_kernel* k = code_build(s->pool, count, list, inputs, in, NULL);
  free(list);
  return k;
}

static double once(const char* path)
{
  const double begin = now();
  bench_model b = bench_read(path);
  code_kernel* k = kernel_of(&b);
  const double took = now() - begin;
  if (!k) exit(1);
  code_free(k);
  bench_forget(&b);
  return took;
}

static void say_accelerations(const char* path)
{
  bench_model b = bench_read(path);
  engine* e = contact_engine_new(b.system, b.notes);
  if (!e) exit(1);
  for (int i = 0; i < e->n; i++) e->q[i] = (i + 1) / 10.0, e->v[i] = (i + 1) / 20.0;
  if (contact_accelerations(e)) exit(1);
  for (int i = 0; i < e->n; i++) printf("%.17g\n", e->a[i]);
  engine_free(e);
  bench_forget(&b);
}

int main(int argc, char** argv)
{
  if (argc != 3) return 1;
  once(argv[1]);
  for (int i = 0; i < atoi(argv[2]); i++) printf("%.9f\n", once(argv[1]));
  printf("accelerations\n");
  say_accelerations(argv[1]);
  return 0;
}
