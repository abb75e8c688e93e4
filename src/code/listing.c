// The expressions of a linear problem on a tape: listed, lowered at once so that they share what
// they have in common, and read back.
#include "code/listing.h"

#include "code/kernel.h"

#include <stdlib.h>

// guard: of what was solved before
code_problem code_problem_new(code_maker* m, const code_linear* s, uint32_t guard)
{
  const size_t n = (size_t)s->n, rows = (size_t)s->rows;
  return (code_problem){.m = m,
                        .n = s->n,
                        .rows = s->rows,
                        .M = code_solve_block(s->tree || s->M_at ? 0 : n * n),
                        .F = code_solve_block(n),
                        .A = code_solve_block(s->A_at ? 0 : rows * n),
                        .b = code_solve_block(rows),
                        .a = code_solve_block(n),
                        .lambda = code_solve_block(rows),
                        .W = s->answers ? code_solve_block(rows * n) : NULL,
                        .tolerance = s->tolerance,
                        .row_tolerance = s->row_tolerance > 0 ? s->row_tolerance : s->tolerance,
                        .weight = s->weight,
                        .guard = guard};
}

void code_problem_free(code_problem* p)
{
  free(p->M);
  free(p->F);
  free(p->A);
  free(p->b);
  free(p->a);
  free(p->lambda);
  free(p->W);
}

// ---- from expressions ---------------------------------------------------------------------------

void code_listing_add(code_listing* l, int count, const expr* e)
{
  for (int i = 0; i < count; i++) base_push(&l->list, e[i]);
}

void code_listing_add_lower(code_listing* l, int n, const expr* e)
{
  for (int i = 0; i < n; i++) code_listing_add(l, i + 1, e + i * n);
}

static void bind(code_listing* l, expr symbol, uint32_t value)
{
  base_push(&l->bound, (code_bound){symbol, code_solve_present(&l->m, value)});
}

static bool lower_to(code_listing* l, int count, const expr* e, uint32_t* to, expr* missing)
{
  return code_lower_bound(&l->m, l->pool, count, e, l->in, l->bound.n, l->bound.at, to, missing);
}

// the dependent ones of x take the place of their symbols
static bool find_first(code_listing* l, expr* missing)
{
  const code_linear* s = l->s;
  if (!s->x || !s->rows) return true;
  code_problem p = code_problem_new(&l->m, s, CODE_ABSENT);
  const int entries = s->rows * s->n;
  bool fine = lower_to(l, entries, s->A, p.A, missing) &&
              lower_to(l, s->rows, s->x0, p.b, missing) && lower_to(l, s->n, s->x, p.a, missing);
  for (int i = 0; i < entries && fine; i++) p.A[i] = code_solve_value(&l->m, p.A[i]);
  for (int i = 0; i < s->rows && fine; i++) p.b[i] = code_solve_value(&l->m, p.b[i]);
  fine = fine && code_solve_dependent(&p, s->dependent);
  for (int d = 0; d < s->rows && fine; d++) bind(l, s->x[s->dependent[d]], p.a[s->dependent[d]]);
  l->guard = p.guard;
  code_problem_free(&p);
  return fine;
}

bool code_listing_lower(code_listing* l, expr* missing)
{
  code_maker_start(&l->m, l->inputs, l->list.n);
  const bool fine =
      find_first(l, missing) && lower_to(l, l->list.n, l->list.at, l->m.tape.out, missing);
  l->next = l->m.tape.out;
  return fine;
}

void code_listing_read(code_listing* l, int count, uint32_t* to)
{
  for (int i = 0; i < count; i++) to[i] = code_solve_value(&l->m, *l->next++);
}

// both triangles
void code_listing_read_lower(code_listing* l, int n, uint32_t* to)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++)
      to[i * n + k] = to[k * n + i] = code_solve_value(&l->m, *l->next++);
}

static bool is_put_out(const code_linear* s, int i)
{
  for (int r = 0; r < s->rows && s->brief && s->dependent; r++)
    if (s->dependent[r] == i) return false;
  return true;
}

// outputs: a, lambda when asked for, the guard, the others
bool code_listing_put_out(code_listing* l, const code_problem* p, expr* missing)
{
  code_tape* t = &l->m.tape;
  const code_linear* s = l->s;
  const int lambdas = s->multipliers ? p->rows : 0, answers = p->W ? p->rows * p->n : 0;
  uint32_t* out = base_alloc((size_t)(p->n + lambdas + answers + 1 + s->others) * sizeof *out);
  int at = 0;
  for (int i = 0; i < p->n; i++)
    if (is_put_out(s, i)) out[at++] = code_solve_present(&l->m, p->a[i]);
  code_solve_list(&l->m, lambdas, p->lambda, out, &at);
  code_solve_list(&l->m, answers, p->W, out, &at);
  out[at++] = p->guard == CODE_ABSENT ? code_make_const(&l->m, 1) : p->guard;
  for (int i = 0; i < p->n && s->unknown; i++) bind(l, s->unknown[i], p->a[i]);
  for (int r = 0; r < p->rows && s->multiplier; r++) bind(l, s->multiplier[r], p->lambda[r]);
  const bool fine = lower_to(l, s->others, s->other, out + at, missing);
  free(t->out);
  t->out = out;
  t->outputs = at + s->others;
  return fine;
}

code_kernel* code_listing_finish(code_listing* l, bool fine)
{
  base_list_free(&l->list);
  base_list_free(&l->bound);
  code_maker_end(&l->m);
  code_kernel* k = fine ? code_kernel_with_twins(&l->m.tape, l->twin) : NULL;
  if (!k) code_tape_free(&l->m.tape);
  free(l->twin);
  return k;
}
