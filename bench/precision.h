// Six problems by hand and the programs that solve them, for bench_precision.
#pragma once

#include <stdbool.h>

enum { most_unknowns = 16 };

typedef struct precision_problem
{
  const char* name;
  int n, places; // unknowns, and how many of them (the first) are the model's coordinates
  double t_end;
  double start[most_unknowns];
  bool on_circle; // the first two unknowns are kept on the unit circle, the next two along it
} precision_problem;

enum { precision_problems = 6 };
extern const precision_problem precision_problem_list[precision_problems];

void precision_start(int problem, double* y);
// y' at y
void precision_rhs(int problem, const double* y, double* dy);
// the solution at t_end to many digits, by extrapolation in long double; *error: how many
void precision_reference(int problem, double* y, double* error);

// One way to solve a problem: y at t_end for a tolerance; false if it could not.
typedef struct precision_solver
{
  const char* name;
  bool (*solve)(int problem, double tolerance, double* y);
} precision_solver;

// those that were there when this was built, hand-written C with dop853 first
extern const precision_solver precision_solver_list[];
extern const int precision_solvers;
