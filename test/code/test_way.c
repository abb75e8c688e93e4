// Long chains of unknowns, each bound to the next: solved in one pass down and one up.
#include "check.h"
#include "code/tapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { UNKNOWNS = 300, ROWS = UNKNOWNS - 1 };

// m_i a_i = F_i + (A^T lambda)_i,   2 a_r + cos(c_r) a_(r+1) + b_r = 0
typedef struct chain
{
  expr m[UNKNOWNS], F[UNKNOWNS], A[2 * ROWS], b[ROWS], in[2 * UNKNOWNS + 3 * ROWS];
  double x[2 * UNKNOWNS + 3 * ROWS];
  int inputs;
} chain;

static expr named(chain* c, expr_pool* p, double value)
{
  char name[16];
  snprintf(name, sizeof name, "x%d", c->inputs);
  c->x[c->inputs] = value;
  return c->in[c->inputs++] = expr_symbol(p, name);
}

static code_kernel* solve(chain* c, expr_pool* p)
{
  int M_start[UNKNOWNS + 1], M_column[UNKNOWNS], A_start[UNKNOWNS], A_column[2 * ROWS];
  for (int i = 0; i < UNKNOWNS; i++) {
    c->m[i] = named(c, p, 1 + 0.5 * sin(i));
    M_start[i] = M_column[i] = i;
  }
  for (int i = 0; i < UNKNOWNS; i++) c->F[i] = named(c, p, cos(3 * i));
  for (int r = 0; r < ROWS; r++) {
    c->A[2 * r] = named(c, p, 2);
    c->A[2 * r + 1] = expr_call(p, EXPR_COS, 1, (expr[]){named(c, p, r)});
    c->b[r] = named(c, p, sin(5 * r));
    A_start[r] = 2 * r;
    A_column[2 * r] = r;
    A_column[2 * r + 1] = r + 1;
  }
  M_start[UNKNOWNS] = UNKNOWNS;
  A_start[ROWS] = 2 * ROWS;
  const code_pattern M = {M_start, M_column}, A = {A_start, A_column};
  const code_linear problem = {.n = UNKNOWNS,
                               .rows = ROWS,
                               .M = c->m,
                               .M_at = &M,
                               .F = c->F,
                               .A = c->A,
                               .A_at = &A,
                               .b = c->b,
                               .tolerance = 1e-10,
                               .multipliers = true};
  return code_build_solve(p, &problem, c->inputs, c->in, NULL);
}

// how far the equations are from zero
static double residual(const chain* c, const double* a, const double* lambda)
{
  double most = 0;
  for (int i = 0; i < UNKNOWNS; i++) {
    double sum = c->x[i] * a[i] - c->x[UNKNOWNS + i];
    if (i < ROWS) sum -= 2 * lambda[i];
    if (i > 0) sum -= cos(i - 1) * lambda[i - 1];
    most = fmax(most, fabs(sum));
  }
  for (int r = 0; r < ROWS; r++) most = fmax(most, fabs(2 * a[r] + cos(r) * a[r + 1] + sin(5 * r)));
  return most;
}

TEST(a_chain_of_unknowns_is_solved_down_and_up)
{
  chain* c = base_alloc(sizeof *c);
  expr_pool* p = expr_pool_new(0);
  code_kernel* k = solve(c, p);
  double* out = base_alloc(sizeof *out * (size_t)code_outputs(k));
  double* scratch = base_alloc(sizeof *scratch * code_scratch(k));
  code_run(k, c->x, out, scratch);
  CHECK(out[UNKNOWNS + ROWS] > 0);
  CHECK(residual(c, out, out + UNKNOWNS) < 1e-11);
  // What a row leaves behind on the way down: its factor and its right side, and of the unknown
  // beside it two factors, the inverse of its mass and its right side. Factors, right sides and
  // pivots in three passes would keep two more.
  const int each = code_most_alive(&k->tape) / ROWS;
  CHECK(each <= 6);
  free(out);
  free(scratch);
  code_free(k);
  expr_pool_free(p);
  free(c);
}
