// How the work of writing a form down grows with its equations.
#include "growth.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>

// blades that do not know of each other
static void blades(base_text* t, int n)
{
  base_text_printf(t,
                   "for i in 1..%d {\n  coord x[i], y[i], a[i]\n"
                   "  kinetic (x[i]'^2 + y[i]'^2 + a[i]'^2)/2\n"
                   "  constraint b[i]: x[i]'*sin(a[i]) - y[i]'*cos(a[i]) = 0\n}\n",
                   n);
}

// work of making the equations of a form, and arguments of the distinct nodes of what is made
static growth_effort effort_of(const char* form, int size)
{
  base_text text = {0};
  blades(&text, size);
  bench b = bench_text(text.at);
  const mech_system* s = b.system;
  growth_effort e = {0};
  double before = (double)expr_pool_work(s->pool) + (double)expr_looks();
  mech_equations* eq = mech_equations_of(mech_form_find(form), b.system, NULL, b.notes);
  CHECK(eq != NULL);
  e.work = (double)expr_pool_work(s->pool) + (double)expr_looks() - before;
  BASE_LIST(expr) out = {0};
  for (int i = 0; eq && i < eq->residuals; i++) base_push(&out, eq->residual[i]);
  for (int i = 0; eq && i < eq->definitions; i++) base_push(&out, eq->definition[i].right);
  for (int i = 0; eq && i < eq->count; i++) {
    base_push(&out, eq->equation[i].left);
    base_push(&out, eq->equation[i].right);
  }
  for (int i = 0; eq && i < eq->reactions; i++) base_push(&out, eq->reaction[i].right);
  before = (double)expr_looks();
  expr_size(s->pool, out.n, out.at);
  e.made = (double)expr_looks() - before;
  base_list_free(&out);
  mech_equations_free(eq);
  bench_free(&b);
  base_text_free(&text);
  return e;
}

// Full matrices of n by n entries are gone through, most of them zero: the square of n is allowed.
TEST(work_of_forms_grows_no_faster_than_their_matrices)
{
  static const char* const form[] = {"lagrange", "lagrange:independent",
                                     "maggi",    "appell",
                                     "nielsen",  "tzenov",
                                     "hamel",    "voronets",
                                     "kane",     "chaplygin",
                                     "hamilton", "gauss"};
  for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
    growth_effort before = {0};
    for (int size = 25; size <= 100; size *= 2) {
      const growth_effort e = effort_of(form[i], size);
      printf("# %-20s %4d: work %9.0f, made %7.0f, work for each made %.1f\n", form[i], size,
             e.work, e.made, e.work / e.made);
      if (before.work > 0) CHECK(e.work <= 4.2 * before.work);
      before = e;
    }
  }
}
