// The eight problems with dop853, each put together by the compiler with its right-hand side.
#include "precision.h"

#include "precision_rhs.h"
#include "step/dop853_table.h"

#include <string.h>

#define N       5
#define NAME    solve_skater
#define RHS     rhs_skater
#define PROJECT (void)
#include "precision_dop853.h"
#define N       5
#define NAME    solve_sleigh
#define RHS     rhs_sleigh
#define PROJECT (void)
#include "precision_dop853.h"
#define N       4
#define NAME    solve_pendulum2
#define RHS     rhs_pendulum2
#define PROJECT (void)
#include "precision_dop853.h"
#define N       16
#define NAME    solve_pendulum8
#define RHS     rhs_pendulum8
#define PROJECT (void)
#include "precision_dop853.h"
#define N       8
#define NAME    solve_disc
#define RHS     rhs_disc
#define PROJECT (void)
#include "precision_dop853.h"
#define N       4
#define NAME    solve_rod
#define RHS     rhs_rod
#define PROJECT project_rod
#include "precision_dop853.h"
#define N       6
#define NAME    solve_crank
#define RHS     rhs_crank
#define PROJECT project_crank
#include "precision_dop853.h"
#define N       6
#define NAME    solve_top
#define RHS     rhs_top
#define PROJECT (void)
#include "precision_dop853.h"

static bool (*const solve[])(double, double, double*) = {
    solve_skater, solve_sleigh, solve_pendulum2, solve_pendulum8,
    solve_disc,   solve_rod,    solve_crank,     solve_top,
};

bool precision_hand(int problem, double tolerance, double* y)
{
  const precision_problem* p = &precision_problem_list[problem];
  memcpy(y, p->start, sizeof(double) * (size_t)p->n);
  return solve[problem](p->t_end, tolerance, y);
}
