// Expressions as a list of nodes, each behind its arguments, and their power series in time.
#pragma once

#include "expr/expr.h"

#include <acb.h>
#include <arb.h>

typedef enum certify_op {
  CERTIFY_CONSTANT, // number
  CERTIFY_INPUT,    // a: its place among the inputs
  CERTIFY_SUM,      // a + b
  CERTIFY_PRODUCT,  // a * b
  CERTIFY_INVERSE,  // 1/a
  CERTIFY_SQRT,
  CERTIFY_POWER, // a ^ number
  CERTIFY_EXP,
  CERTIFY_SIN,  // b: its cosine
  CERTIFY_COS,  // b: its sine
  CERTIFY_SINH, // b: its hyperbolic cosine
  CERTIFY_COSH, // b: its hyperbolic sine
  CERTIFY_LOG,  // functions y of a with y' = a'/b
  CERTIFY_ASIN,
  CERTIFY_ATAN,
  CERTIFY_ATAN2, // of a over b; c = a^2 + b^2
  CERTIFY_CHOICE // c where the number a is less than b, else d
} certify_op;

typedef struct certify_node
{
  certify_op op;
  int a, b, c, d;
  arb_t number;
  expr source;   // CERTIFY_CONSTANT: what the number is of, to be had with any precision
  bool still;    // does not change in time
  bool weighted; // k times coefficient k is asked for
} certify_node;

typedef BASE_LIST(certify_node) certify_node_list;

typedef struct certify_graph
{
  expr_pool* pool;
  certify_node_list node;
  int inputs;
  const expr* input; // symbols
  // constants: symbols and their values
  int knowns;
  const expr *known, *value;
  // expression -> 1 + its node
  int slots, used;
  expr* slot;
  int* slot_node;
  expr stranger; // a symbol that is none of both, EXPR_NONE: there was none
} certify_graph;

void certify_graph_open(certify_graph* g, expr_pool* pool, int inputs, const expr* input,
                        int knowns, const expr* known, const expr* value);
void certify_graph_close(certify_graph* g);
int certify_graph_add(certify_graph* g, expr e); // the number of its node
// the exact value of a number
void certify_graph_number(const expr_pool* p, expr number, arb_t out, slong bits);

// The coefficients of all nodes.
typedef struct certify_series
{
  const certify_graph* graph;
  int order;              // there is room up to this one
  slong bits, still_bits; // to be worked with; those of what stands still
  arb_ptr *c, *w;         // per node: coefficients, and k times coefficient k where it is asked for
  signed char* side; // of choices at this state: 1 the first value, 0 the other, -1 not decided
} certify_series;

void certify_series_open(certify_series* s, const certify_graph* g, int order);
void certify_series_close(certify_series* s);
// coefficient k of all nodes from those below k and from coefficient k of the inputs, given as
// input[i] + k
void certify_series_extend(certify_series* s, int k, const arb_ptr* input);
// is each choice decided, and as in `before` (null: anyhow)?
bool certify_series_is_decided(const certify_series* s, const signed char* before);

// Values over a box of complex numbers, with every function analytic there; else not finite.
// `again`: what stands still has its value from before.
void certify_graph_values(const certify_graph* g, acb_srcptr input, acb_ptr out, slong bits,
                          bool again);
// their derivatives by one of the inputs
void certify_graph_slopes(const certify_graph* g, int input, acb_srcptr value, acb_ptr out,
                          slong bits);
