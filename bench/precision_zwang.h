// A run of zwang that was set up once and is integrated again and again, for bench_precision.
#pragma once

#include "bench.h"

typedef struct precision_zwang precision_zwang;

// null if it cannot be set up
precision_zwang* precision_zwang_open(const bench_model* m, int problem, const char* method,
                                      double tolerance);
// integrate once more; seconds, negative if it failed
double precision_zwang_again(precision_zwang* z, double* y);
void precision_zwang_close(precision_zwang* z); // null is fine
