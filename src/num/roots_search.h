// The search for all roots on an interval: what roots.c and roots_leaf.c share. Private to num.
#pragma once

#include "num/chebyshev.h"
#include "num/num.h"

enum { num_search_deepest = 24 };

typedef struct num_search
{
  num_function* f;
  num_size* noise_of; // null: nothing is known of it
  void* context;
  double tolerance;
  double noise;    // |f| below this is rounding; 0 until it is asked for
  double rounding; // of t
  double scale;    // largest |f| seen
  double floor;    // largest |f| on leaves that were rounding alone
  double heard;    // largest tail that was rounding on top of something smooth
  int evaluations;
  int room, n;
  num_root* out;
  int left, right; // signs of f on both sides of the last root, 0 if not known
  bool full;
  // stretch of noise not yet looked into
  bool waiting, final; // final: it was looked into, and is noise
  double from, to;
  int depth;
} num_search;

// a stretch of t on which f is sampled
typedef struct num_leaf
{
  double lo, hi;
  double size;  // largest |f| on it
  double noise; // below this the polynomial says nothing
  int depth;
} num_leaf;

static inline int num_search_sign(double x)
{
  return (x > 0) - (x < 0);
}

double num_search_value(num_search* s, double t);
// The root between two ends with values, if there is one; zeros at the ends count. p: the
// polynomial on its stretch of t, which helps; null: none does.
typedef struct num_search_guide
{
  const num_chebyshev* p;
  double lo, hi;
} num_search_guide;
void num_search_between(num_search* s, const num_search_guide* g, double lo, double f_lo, double hi,
                        double f_hi);
// roots of the polynomial p of the stretch [lo, hi] of a leaf
void num_search_isolate(num_search* s, const num_leaf* e, const num_chebyshev* p, double lo,
                        double hi);
// A stretch where p is no more than its noise. Those side by side are put together. final: it was
// looked into, and is noise.
void num_search_put_aside(num_search* s, const num_leaf* e, double lo, double hi, bool final);
// look into the stretch of noise that was put together, and into what that leaves
void num_search_flush(num_search* s);
// a stretch of noise looked into as a leaf of its own
void num_search_resolve_noise(num_search* s);
