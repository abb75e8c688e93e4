// Eight problems by hand and the programs that solve them, for bench_precision.
#pragma once

#include <stdbool.h>

enum { most_unknowns = 16 };

typedef struct precision_problem
{
  const char* name;
  int n;
  double t_end;
  double start[most_unknowns];
  double end[most_unknowns];         // the state at t_end: quadruple precision, rounded
  const char* column[most_unknowns]; // what each unknown is called in the rows of the model
  // back to what the unknowns must satisfy; null: nothing
  void (*project)(double* y);
} precision_problem;

enum { precision_problems = 8 };
extern const precision_problem precision_problem_list[precision_problems];

// y' at y
void precision_rhs(int problem, double t, const double* y, double* dy);
// dop853 with the right-hand side and the number of unknowns known to the compiler
bool precision_hand(int problem, double tolerance, double* y);

// One way to solve a problem: y at t_end for a tolerance; false if it could not.
typedef struct precision_solver
{
  const char* name;
  bool (*solve)(int problem, double tolerance, double* y);
} precision_solver;

// those that were there when this was built, hand-written C with dop853 first
extern const precision_solver precision_solver_list[];
extern const int precision_solvers;
