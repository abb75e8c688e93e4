// <stdlib.h> where zwang becomes WebAssembly: with qsort_r, which src/live/sort.c has.
#pragma once

#pragma GCC system_header
#include_next <stdlib.h>

void qsort_r(void* at, size_t n, size_t size, int (*before)(const void*, const void*, void*),
             void* context);
