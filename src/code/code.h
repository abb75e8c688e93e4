// code: lists of expressions become kernels that are evaluated fast and often.
// Takes expressions and the symbols that are inputs; gives a kernel, and C source of it.
// Knows no mechanics and no integrators.
#pragma once

#include "expr/expr.h"

#include <stdatomic.h>

// A kernel is a straight-line tape: out[0..outputs) from in[0..inputs). It is const after it is
// built; each user brings its own scratch block.
typedef struct code_kernel code_kernel;

// Every symbol of the outputs must be among the inputs; otherwise null, and *missing names one.
code_kernel* code_build(const expr_pool* p, int outputs, const expr* out, int inputs,
                        const expr* in, expr* missing);
void code_free(code_kernel* k);

// M as that of a tree of masses: 2 x energy = sum V . K V over the nodes, V = (w, v) of each in its
// own axes, w = T^T w_p, v = T^T (v_p + w_p x r) and the joints' slopes times the unknowns, each of
// which belongs to one node. Parents come first. The world (-1) rests.
typedef struct code_tree_node
{
  int parent;
  const expr* turn;    // T: parent = T * own, row-major
  const expr* r;       // the origin in the parent's axes
  const expr* inertia; // mass, first moments, tensor xx yy zz xy xz yz about the origin
  const expr* motion;  // three each: spin against the parent in its own axes, r' in the parent's,
                       // and the rates of both where the unknowns are zero; see below
  int joints;
  const int* unknown; // of each joint
  const expr* slope;  // six of each
  int norm;           // the joints are the parts of a unit quaternion that this row keeps; -1
} code_tree_node;
typedef struct code_tree
{
  int nodes;
  const code_tree_node* node;
  double tolerance; // smallest share of the inertia behind a joint that its pivot may be
  // Null, or three: the field in which all masses fall, in the axes of the world. Then what the
  // masses do in it while the unknowns, which are accelerations, are zero is taken from their
  // motion node by node, and F is what acts beside that. (Multipliers of norms then lack what
  // gravity has along a quaternion itself, where it moves nothing.)
  const expr* gravity;
} code_tree;

// A linear problem in n unknowns a and `rows` multipliers lambda that is solved within the kernel:
//   M a = F + A^T lambda,   A a + b = 0
// Entries that are the number zero cost nothing; of full matrices the kernel grows with n^3.
typedef struct code_pattern
{
  const int *start, *column; // entries of row i: start[i] .. start[i + 1]
} code_pattern;

typedef struct code_linear
{
  int n, rows;
  const expr* M; // n by n, symmetric and positive definite; the lower triangle is read
  // Both null, or where the entries of M (lower triangle) and A stand: M and A then hold these
  // alone, row by row. Nothing is dependent, and nothing is simplified.
  const code_pattern *M_at, *A_at;
  const code_tree* tree; // instead of M: operations grow with its nodes; then dependent ones are
                         // those of x alone
  const expr* F;         // n
  const expr* A;         // rows by n, row-major
  const expr* b;         // rows
  const int* dependent;  // `rows` unknowns to eliminate, whose columns of A are regular; null: none
  double tolerance;      // smallest share of itself a pivot may be reduced to
  double row_tolerance;  // the same of a pivot in A against its row; 0: as above
  const double* weight;  // n: what the unknowns are measured by in a row; null: all one
  bool whole;            // the dependent ones are those of x alone
  bool multipliers;      // put out lambda too
  bool brief;            // of a put out only what is not eliminated
  bool answers;          // along a tree: rows hold nothing but norms, see below
  bool simplify;         // exact steps first, simplified: a better kernel of constrained problems
  int others;            // more outputs
  const expr* other;
  // Where x is given, the symbols x[dependent] stand for what A x + x0 = 0 makes of the others, in
  // everything but A and x0.
  const expr *x, *x0; // n symbols, rows
  // Where they are given, these symbols stand in the other outputs for a and lambda.
  const expr *unknown, *multiplier; // n, rows
} code_linear;

// Outputs: a (all of it, unless brief), lambda if asked for, the guard, the others. Asked for
// answers: the a of F alone, then what a unit of lambda of each row adds to it (rows by n; nothing
// for norms), the guard, the others. Only where the
// guard is greater than zero are a and lambda to be trusted; elsewhere (or nan) solve with
// pivoting. Null when a symbol is missing (as in code_build) or the dependent columns of A are
// singular in every state.
code_kernel* code_build_solve(expr_pool* p, const code_linear* s, int inputs, const expr* in,
                              expr* missing);

int code_inputs(const code_kernel* k);
int code_outputs(const code_kernel* k);
// of an output that does not depend on the inputs; not a number where it does
double code_output_number(const code_kernel* k, int output);
void code_uses(const code_kernel* k, bool* input); // of each input: does anything depend on it?
int code_operations(const code_kernel* k);         // real operations on the tape
size_t code_scratch(const code_kernel* k);         // doubles of scratch one evaluation needs

// Evaluate: out may not overlap in. No lock, and no allocation once the kernel is machine code,
// which it becomes after some evaluations, or when code_native asks for it. Where the processor has
// no AVX2 and FMA, where ZWANG_CODE=interp is in the environment or where the system refuses
// executable pages, it stays interpreted; the bits are the same.
static inline void code_run(const code_kernel* k, const double* in, double* out, double* scratch);

// Evaluate with complex numbers, each a real and an imaginary part, interpreted: functions go on
// analytically from the real line, |x| and what else has a corner along the side of its real part.
void code_run_complex(const code_kernel* k, const double* in, double* out, double* scratch);
size_t code_scratch_complex(const code_kernel* k); // doubles of scratch for that

// Evaluate 1, 4 or 8 states side by side: in[i*width + lane], out[i*width + lane]. The bits are the
// same interpreted or not; beside code_run only sine and cosine may differ, by a unit in the last
// place.
void code_run_lanes(const code_kernel* k, int width, const double* in, double* out,
                    double* scratch);
size_t code_scratch_lanes(const code_kernel* k, int width); // doubles of scratch for that
int code_lanes(void);                                       // the width that is fastest here
int code_lanes_of(const code_kernel* k); // the same for those made as this one was

// Make machine code for this width now; is there some?
bool code_native(const code_kernel* k, int width);
// The same for kernels of which others do not know yet, null ones passed over, for 4 or 8 states:
// their code lies together, and they are freed together.
void code_native_all(int count, code_kernel* const* kernel, int width);

// Evaluate two blocks of 4 or 8 states, that of the second behind all inputs and outputs of the
// first; scratch as for lanes of twice the width. With machine code, which is made when asked for
// and before others know of the kernel, their operations alternate: neither waits for its own
// results. The bits are those of code_run_lanes.
bool code_native_pair(code_kernel* k, int width);
void code_run_pair(const code_kernel* k, int width, const double* in, double* out, double* scratch);

// A kernel written value by value, each a number from 0 on; operations are rounded as they stand,
// and equal ones are made once. least: no number where one of the two is none.
typedef struct code_draft code_draft;
code_draft* code_draft_new(int inputs);
int code_draft_input(code_draft* d, int i);
int code_draft_number(code_draft* d, double x);
int code_draft_fma(code_draft* d, int a, int b, int c); // a b + c
int code_draft_mul(code_draft* d, int a, int b);
int code_draft_sub(code_draft* d, int a, int b);
int code_draft_least(code_draft* d, int a, int b);
// The kernel with products by reciprocals in place of quotients by what inputs from `from` on alone
// make: the former are made once where the kernel is put into another several times.
code_kernel* code_by_reciprocals(const code_kernel* k, int from);
// A kernel that is evaluated again and again while only the inputs `moving` change, in two parts:
// what stays, to be made once, and of what moves these outputs alone (-1: nought), whose inputs are
// those of the kernel and, behind them, all outputs of what stays (null: there is nothing).
// Operations are those of the kernel. False where that does not pay: then there is neither.
bool code_split(const code_kernel* k, int outputs, const int* output, const bool* moving,
                code_kernel** stays, code_kernel** moves);
// what another kernel makes of these values
void code_draft_put(code_draft* d, const code_kernel* k, const int* in, int* out);
// the kernel; the draft is gone
code_kernel* code_draft_end(code_draft* d, int outputs, const int* out);

// the tape as text, one operation a line, for tests and people
void code_print(const code_kernel* k, base_text* out);

// the kernel as a C99 function `void NAME(const double* in, double* out)` that needs only <math.h>
void code_print_c(const code_kernel* k, const char* name, base_text* out);
// the same as a function of a GPU, `static __device__ void NAME(const double* in, double* out)`,
// sines and cosines in pairs by `both(x, &sine, &cosine)`, which the text around it defines
void code_print_cuda(const code_kernel* k, const char* name, base_text* out);

// ---- power series -------------------------------------------------------------------------------

// A jet evaluates a kernel on power series in one variable, order by order: coefficient k of every
// output from coefficients 0 to k of the inputs. So the series of a solution can be grown: what
// comes out at order k may set an input at order k + 1. Cost of an order k is O(k) per operation.
// A jet is const after it is built; each user brings a scratch block, cleared once.
typedef struct code_jet code_jet;

// orders 0 .. order; `extra` further series are kept beside the inputs, numbered after them, for
// products. The kernel is not needed afterwards.
code_jet* code_jet_new(const code_kernel* k, int order, int extra);
// of these outputs alone, numbered anew
code_jet* code_jet_new_of(const code_kernel* k, int count, const int* outputs, int order,
                          int extra);
void code_jet_free(code_jet* j);
size_t code_jet_scratch(const code_jet* j); // doubles of scratch
// ready for a new expansion; also after one that was not finite
void code_jet_clear(const code_jet* j, double* scratch);
void code_jet_set(const code_jet* j, double* scratch, int input, int k, double value);
// the same for `count` inputs from `first` on
void code_jet_set_all(const code_jet* j, double* scratch, int first, int count, int k,
                      const double* value);
// Coefficient k of everything; orders are run upwards from 0. Where a
// function has a corner, the branch taken at order 0 counts; where it has no derivative, nan.
void code_jet_run(const code_jet* j, int k, double* scratch);
// coefficients of an output or an input, ascending; up to the order run last
const double* code_jet_out(const code_jet* j, const double* scratch, int output);
const double* code_jet_in(const code_jet* j, const double* scratch, int input);
bool code_jet_is_smooth(const code_jet* j);             // no operation has corners or jumps
bool code_jet_is_steady(const code_jet* j, int output); // a number: all but coefficient 0 vanish

// sum[row] += out_1 in_(k-1) + ... + out_k in_0 for each product of an output and an input
typedef struct code_jet_product
{
  int output, input, row;
} code_jet_product;
void code_jet_products(const code_jet* j, const double* scratch, int k, int count,
                       const code_jet_product* list, double* sum);

// ---- power series of a solution, as machine code ------------------------------------------------

// The series of a motion whose derivatives are made of inputs y and of the solution x of a linear
// problem K x = r, where K and r are outputs of a kernel of y; or of x = r. One expansion is
//   code_series_start   the inputs in, K_0 and r_0 out
//   code_series_begin   the inverse of K_0 (null: there is no K) and x_0 in
//   for k = 1 .. order-1: code_series_set, coefficients k of inputs, and code_series_run
// and x_k, with z_k behind it, is code_series_row of k. z is one more number, made of y and x. What
// has no series, and what begins at a zero of a root or at a corner, gives nan: then ask a jet.
// A series is const after it is built; each user brings a scratch block, cleared once.
typedef struct code_series code_series;
typedef struct code_series_plan
{
  const code_kernel* of;
  int unknowns;
  const int* K;            // outputs of it, unknowns by unknowns, row-major; -1 for zero;
                           // null: the identity
  const int* r;            // outputs of it, by unknown; -1 for zero; behind them
  int starts;              // so many more that are wanted at order 0 alone
  const code_kernel* also; // a kernel of the same inputs with z; may be null
  int output;              // z
  const int* input;        // by unknown: the input of `also` that stands for it, or -1,
  const double* sign;      // times this
  int order;
} code_series_plan;

// null where there is no machine code (see code_run) or the problem is too large
code_series* code_series_new(const code_series_plan* plan);
void code_series_free(code_series* s);
size_t code_series_scratch(const code_series* s); // doubles of scratch, noughts at first
// operations of an expansion, roughly
double code_series_cost(const code_series* s);
void code_series_start(const code_series* s, double* scratch, const double* in, double* K,
                       double* r);
void code_series_begin(const code_series* s, double* scratch, const double* inverse,
                       const double* x);
void code_series_set(const code_series* s, double* scratch, int first, int count,
                     const double* value);
void code_series_run(const code_series* s, double* scratch, int k);
const double* code_series_row(const code_series* s, const double* scratch, int k);

// ---- power series with twice the digits ---------------------------------------------------------

// The same from expressions, with coefficients of twice the digits (base_wide) and numbers of the
// expressions as exact as that. Orders are run upwards, `wide` ones first: coefficients of order k
// count less and less in a sum of the series, so that from some order on doubles are enough.
typedef struct code_wide code_wide;

// null when a symbol is missing, as in code_build
code_wide* code_wide_new(const expr_pool* p, int outputs, const expr* out, int inputs,
                         const expr* in, int order, int extra, expr* missing);
void code_wide_free(code_wide* w);
size_t code_wide_scratch(const code_wide* w); // doubles of scratch
void code_wide_clear(const code_wide* w, double* scratch);
void code_wide_set(const code_wide* w, double* scratch, int first, int count, int k,
                   const base_wide* value);
void code_wide_run(const code_wide* w, int k, double* scratch);
base_wide code_wide_out(const code_wide* w, const double* scratch, int output, int k);
void code_wide_products(const code_wide* w, const double* scratch, int k, int count,
                        const code_jet_product* list, base_wide* sum);
// the doubles of it: a jet, and its scratch block, for the orders that need no more
const code_jet* code_wide_jet(const code_wide* w);

// ---- how code_run finds its way -----------------------------------------------------------------

typedef void code_runner(const code_kernel* k, const double* in, double* out, double* scratch);

// a kernel begins with the function that evaluates it now
static inline void code_run(const code_kernel* k, const double* in, double* out, double* scratch)
{
  code_runner* const _Atomic* run = (code_runner* const _Atomic*)k;
  atomic_load_explicit(run, memory_order_acquire)(k, in, out, scratch);
}
