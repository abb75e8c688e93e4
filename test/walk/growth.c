// Counted work of families of models: see growth.h.
#include "growth.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>

growth_effort growth_effort_of(void family(base_text*, int), int size)
{
  base_text text = {0};
  family(&text, size);
  const double before = (double)expr_looks();
  bench b = bench_text(text.at);
  const mech_system* s = b.system;
  const model* m = b.model;
  BASE_LIST(expr) out = {0}, in = {0};
  for (int i = 0; i < s->n * s->n; i++) base_push(&out, mech_mass(s)[i]);
  for (int i = 0; i < s->n; i++) base_push(&out, s->F[i]);
  for (int i = 0; i < s->m * s->n; i++) base_push(&out, s->A[i]);
  for (int i = 0; i < s->m; i++) base_push(&out, s->c[i]);
  growth_effort e = {.work = (double)expr_pool_work(s->pool) + (double)expr_looks() - before};
  const double looked = (double)expr_looks();
  expr_size(s->pool, out.n, out.at);
  e.made = (double)expr_looks() - looked + (double)text.n;
  base_push(&in, m->t);
  for (int i = 0; i < s->n; i++) {
    base_push(&in, s->q[i]);
    base_push(&in, s->v[i]);
  }
  for (int i = 0; i < m->params; i++) base_push(&in, m->param[i].symbol);
  code_kernel* k = code_build(s->pool, out.n, out.at, in.n, in.at, NULL);
  CHECK(k != NULL);
  e.operations = k ? code_operations(k) : 0;
  e.made += e.operations;
  code_free(k);
  base_list_free(&out);
  base_list_free(&in);
  bench_free(&b);
  base_text_free(&text);
  return e;
}

void growth_check(const growth_family* f)
{
  growth_effort before = {0};
  for (int i = 0, size = f->smallest; i < 3; i++, size *= 2) {
    const growth_effort e = growth_effort_of(f->text, size);
    printf("# %-8s %5d: work %9.0f, made %8.0f, operations %7.0f, work for each made %.1f\n",
           f->name, size, e.work, e.made, e.operations, e.work / e.made);
    if (i > 0) CHECK(e.work / e.made <= 1.12 * before.work / before.made);
    before = e;
  }
}
