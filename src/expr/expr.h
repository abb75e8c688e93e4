// expr: symbolic expressions, hash-consed in a pool.
// Takes names and exact numbers; gives derivatives, simpler forms, zero tests, text and LaTeX.
// Knows nothing of mechanics: a coordinate is a symbol whose time rate is another symbol.
#pragma once

#include "base/base.h"

// An expression is an id by value; equal ids are equal expressions (after the cheap normalisation
// done on building: numbers folded, sums and products flattened, sorted, like terms collected).
typedef uint32_t expr;
#define EXPR_NONE ((expr)0)

typedef struct expr_pool expr_pool;

// X(NAME, text, number of arguments)
#define EXPR_FN_LIST(X) \
  X(SQRT, "sqrt", 1)    \
  X(EXP, "exp", 1)      \
  X(LOG, "log", 1)      \
  X(SIN, "sin", 1)      \
  X(COS, "cos", 1)      \
  X(TAN, "tan", 1)      \
  X(ASIN, "asin", 1)    \
  X(ACOS, "acos", 1)    \
  X(ATAN, "atan", 1)    \
  X(ATAN2, "atan2", 2)  \
  X(SINH, "sinh", 1)    \
  X(COSH, "cosh", 1)    \
  X(TANH, "tanh", 1)    \
  X(ABS, "abs", 1)      \
  X(SIGN, "sign", 1)    \
  X(MIN, "min", 2)      \
  X(MAX, "max", 2)

typedef enum expr_fn {
#define X(NAME, TEXT, ARGS) EXPR_##NAME,
  EXPR_FN_LIST(X)
#undef X
      EXPR_FN_COUNT
} expr_fn;

const char* expr_fn_name(expr_fn f);
int expr_fn_args(expr_fn f);

typedef enum expr_kind {
  EXPR_NUMBER, // exact rational
  EXPR_PI,
  EXPR_SYMBOL,
  EXPR_SUM,     // terms
  EXPR_PRODUCT, // factors; quotients are products with powers -1
  EXPR_POWER,   // base, exponent
  EXPR_CALL,    // function of its arguments
  EXPR_LESS,    // condition a < b (only as the first argument of EXPR_IF)
  EXPR_LESS_EQ, // condition a <= b
  EXPR_IF       // condition, value if true, value if false
} expr_kind;

typedef enum expr_truth { EXPR_NO, EXPR_YES, EXPR_UNKNOWN } expr_truth;

// A pool holds at most `limit` distinct nodes (0: the default, 8 million). When it is full,
// building returns the number zero and expr_pool_full() says so: check it at the end of each stage
// of work.
expr_pool* expr_pool_new(size_t limit);
void expr_pool_free(expr_pool* p);

// From now on GMP takes its memory as calls do that can be given up, unless the program has told it
// where to take it.
void expr_gmp_guard(void);
bool expr_pool_full(const expr_pool* p);
// a count of the work done: arguments of all nodes asked for so far, new or known
uint64_t expr_pool_work(const expr_pool* p);
// and of what was only looked at: nodes, their arguments, symbols searched for; of this thread
uint64_t expr_looks(void);

// ---- build --------------------------------------------------------------------------------------

expr expr_int(expr_pool* p, long value);
expr expr_ratio(expr_pool* p, long above, long below);
// exact value of "12", "0.6", "1.5e-3"; EXPR_NONE if the text is no number or the exponent is
// beyond +-400
expr expr_decimal(expr_pool* p, const char* text, size_t length);
expr expr_double(expr_pool* p, double value); // the shortest decimal of the double, as a rational
expr expr_pi(expr_pool* p);
// the symbol of this name (made at the first call); primes belong to the name: "x'", "x''"
expr expr_symbol(expr_pool* p, const char* name);
// where the symbol is written among its like: lower ranks (from 1) first, those without one last
// and by name
void expr_rank_set(expr_pool* p, expr symbol, int rank);

expr expr_add(expr_pool* p, expr a, expr b);
expr expr_sub(expr_pool* p, expr a, expr b);
expr expr_mul(expr_pool* p, expr a, expr b);
expr expr_div(expr_pool* p, expr a, expr b); // a division by the number zero gives EXPR_NONE
expr expr_neg(expr_pool* p, expr a);
expr expr_pow(expr_pool* p, expr a, expr b);
expr expr_sum(expr_pool* p, int n, const expr* terms);
// the sum of terms of which long sums stay closed, to be shared
expr expr_sum_long(expr_pool* p, int n, const expr* terms);
expr expr_product(expr_pool* p, int n, const expr* factors);
expr expr_call(expr_pool* p, expr_fn f, int n, const expr* args);
expr expr_fn1(expr_pool* p, expr_fn f, expr a);
expr expr_less(expr_pool* p, expr a, expr b);
expr expr_less_eq(expr_pool* p, expr a, expr b);
expr expr_if(expr_pool* p, expr condition, expr yes, expr no);
// Any function given EXPR_NONE as an argument returns EXPR_NONE.

// ---- look ---------------------------------------------------------------------------------------

expr_kind expr_kind_of(const expr_pool* p, expr e);
int expr_arg_count(const expr_pool* p, expr e);
expr expr_arg(const expr_pool* p, expr e, int i);
expr_fn expr_fn_of(const expr_pool* p, expr e);
const char* expr_name(const expr_pool* p, expr symbol);
// symbols made so far, and which of them one is, from 0 on
int expr_symbol_count(const expr_pool* p);
int expr_symbol_number(const expr_pool* p, expr symbol);
bool expr_is_number(const expr_pool* p, expr e);
bool expr_is_int(const expr_pool* p, expr e, long* value);   // a small whole number
double expr_number(const expr_pool* p, expr number);         // nearest double; pi allowed
base_wide expr_number_wide(const expr_pool* p, expr number); // the same with twice the digits
// a number exactly: "-3/10"
void expr_number_exact(const expr_pool* p, base_text* out, expr number);
bool expr_has(const expr_pool* p, expr e, expr symbol);
bool expr_has_any(const expr_pool* p, expr e, int n, const expr* symbols);
int expr_symbols(const expr_pool* p, int n, const expr* e, int room, expr* out); // returns how many
size_t expr_size(const expr_pool* p, int n, const expr* e);                      // distinct nodes
// the same up to `most`; some number above it where there are more, which are not looked at
size_t expr_size_within(const expr_pool* p, int n, const expr* e, size_t most);
// operations when written out, what is shared written each time; at most 1e30
double expr_length(const expr_pool* p, expr e);
// operations of all together when what is shared is computed once and products are added in one
double expr_work(const expr_pool* p, int n, const expr* e);
// value with each symbol replaced by its number; a symbol not in the list gives nan
double expr_value(const expr_pool* p, expr e, int n, const expr* symbols, const double* values);
// the same for many expressions at once, shared parts evaluated once
void expr_values(const expr_pool* p, int count, const expr* e, int n, const expr* symbols,
                 const double* values, double* out);
// An expression copied out of its pool: evaluated by threads while one of them writes there. The
// value is that of expr_value() to the last bit, with numbers for its symbols in their order.
typedef struct expr_plan expr_plan;
expr_plan* expr_plan_new(const expr_pool* p, expr e);
void expr_plan_free(expr_plan* plan);
int expr_plan_symbols(const expr_plan* plan, const expr** symbol);
double expr_plan_value(const expr_plan* plan, const double* value);

// ---- work ---------------------------------------------------------------------------------------

expr expr_diff(expr_pool* p, expr e, expr symbol);
// gradient of e with respect to n symbols in one pass over the graph (reverse accumulation is fine)
void expr_gradient(expr_pool* p, expr e, int n, const expr* symbols, expr* out);
// out[j] = sum over k of weight[k] * de[k]/ds[j], all symbols in one pass with shared parts
void expr_pullback(expr_pool* p, int count, const expr* e, const expr* weight, int n,
                   const expr* symbols, expr* out);
// The same where an expression holds few of many symbols: the numbers of those it holds, ascending,
// and its derivatives by them that are not zero.
typedef struct expr_index expr_index; // symbol -> its number
typedef BASE_LIST(int) expr_numbers;
typedef struct expr_slope
{
  int number;
  expr value; // EXPR_NONE: it divides by zero
} expr_slope;
typedef BASE_LIST(expr_slope) expr_slope_list;
expr_index* expr_index_new(int n, const expr* symbols);
void expr_index_free(expr_index* x);
void expr_index_list(const expr_pool* p, const expr_index* x, expr e, expr_numbers* out);
void expr_index_list_of(const expr_pool* p, const expr_index* x, int count, const expr* e,
                        expr_numbers* out);
bool expr_index_any(const expr_pool* p, const expr_index* x, expr e);
bool expr_index_any_of(const expr_pool* p, const expr_index* x, int count, const expr* e);
void expr_slopes(expr_pool* p, const expr_index* x, const expr* symbols, expr e,
                 expr_slope_list* out);
// expr_pullback for many sets of weights; the expressions are looked at once. The numbers of
// `weight` are those of the expressions; what is not zero of the first n symbols comes out.
typedef struct expr_pull expr_pull;
expr_pull* expr_pull_new(expr_pool* p, int count, const expr* e, int n, const expr* symbols);
void expr_pull_run(expr_pull* t, int count, const expr_slope* weight, int n, expr_slope_list* out);
void expr_pull_free(expr_pull* t);
// For each of n different sums one of the others, the longest that was found, all of whose terms it
// holds, each times above/below.
typedef struct expr_part
{
  int sum; // its number, -1 for none
  expr above, below;
} expr_part;
void expr_parts(const expr_pool* p, int n, const expr* sums, expr_part* out);
expr expr_unnumbered(const expr_pool* p, expr e); // a term without the number in front of it
// the different sums of at least so many terms within n expressions; free what it puts out
enum { EXPR_LONG_SUM = 6 };
int expr_sums_within(const expr_pool* p, int n, const expr* e, expr** out);
// total time derivative: sum over symbols of d e/d s * rate(s); a symbol without a rate is constant
void expr_rate_set(expr_pool* p, expr symbol, expr rate);
expr expr_rate(const expr_pool* p, expr symbol); // EXPR_NONE if none was set
expr expr_total(expr_pool* p, expr e);
// the same of `count` expressions with n symbols held constant
void expr_totals_at(expr_pool* p, int count, const expr* e, int n, const expr* held, expr* out);
expr expr_substitute(expr_pool* p, expr e, int n, const expr* from, const expr* to);
void expr_substitute_all(expr_pool* p, int count, const expr* e, int n, const expr* from,
                         const expr* to, expr* out);
// The same, with what was replaced in earlier calls remembered as long as the pairs stay those of
// the last one. Where it shares, a sum that takes the place of a term stays closed where it is
// long: with numbers for the lengths of a chain each link would hold all terms of those before.
void expr_substitute_kept(expr_pool* p, int count, const expr* e, int n, const expr* from,
                          const expr* to, bool shares, expr* out);

// Smaller equal expression: expands where that cancels, collects, takes out common factors,
// sin^2 + cos^2, and keeps whichever form has fewer operations. Never grows.
expr expr_simplify(expr_pool* p, expr e);
// Four symbols whose squares add up to one. Told once for each; expr_simplify() uses it while
// expr_units_hold() says so, for then what comes out is equal only where they do. Returns what was
// said before.
void expr_unit_set(expr_pool* p, const expr four[4]);
bool expr_units_hold(expr_pool* p, bool hold);
expr expr_expand(expr_pool* p, expr e); // products over sums multiplied out, within a size bound
// coefficient of symbol^k when e is a polynomial in the symbol, else EXPR_NONE
expr expr_coefficient(expr_pool* p, expr e, expr symbol, int k);
// e as sum of terms grouped by the given symbols: c1*s1 + c2*s2 + ... + rest, each c simplified
expr expr_collect(expr_pool* p, expr e, int n, const expr* symbols);
// is e identically zero? exact normal form where it decides, numeric trial otherwise: YES is
// proved, NO is proved by a point where e is clearly not zero, UNKNOWN is honest
expr_truth expr_is_zero(expr_pool* p, expr e);
// antiderivative in the symbol by rules (sums, powers, sin, cos, exp of linear arguments, 1/x,
// products of polynomial with those); EXPR_NONE where the rules do not reach
expr expr_integrate(expr_pool* p, expr e, expr symbol);

// Solve A x = b symbolically (n by n, row-major; columns of b: k), choosing pivots that are proved
// not zero first; pivots that are only not-known-to-be-zero are added to `assumed` (room for n) and
// counted. Returns false when A is singular. Results are simplified.
bool expr_solve(expr_pool* p, int n, int k, const expr* A, const expr* b, expr* x, expr* assumed,
                int* assumed_count);

// Common subexpressions of a list: names (symbols "c1", "c2", ... with the given prefix) for what
// is used more than once and is worth a name; `out` are the expressions rewritten, defs[i] uses
// only names before it.
typedef struct expr_cse
{
  int count;
  expr* name; // symbols
  expr* value;
  expr* out;
} expr_cse;
expr_cse expr_cse_find(expr_pool* p, base_arena* arena, int n, const expr* e, const char* prefix);

// ---- print --------------------------------------------------------------------------------------

// as a person would write it: 2*m*l^2*theta'' - k*x ; reads back with the model language
void expr_print(const expr_pool* p, base_text* out, expr e);
// LaTeX: Greek names as Greek letters, primes as dots, x1 as x_{1}, fractions as \frac
void expr_print_latex(const expr_pool* p, base_text* out, expr e);
// LaTeX of a bare name, with primes as dots
void expr_latex_name(base_text* out, const char* name);
