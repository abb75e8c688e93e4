// qsort and qsort_r of the C library that zwang is measured with: merges, so that what is equal
// stays in its order. The library of emscripten has no qsort_r, and its qsort puts equals in
// another order than other machines do.
#include <stdlib.h>
#include <string.h>

typedef int compare(const void*, const void*, void*);

// sorts n items at `at`; `spare` has room for as many
static void merge_sort(char* at, size_t n, size_t size, char* spare, compare* before, void* context)
{
  if (n < 2) return;
  const size_t half = n / 2;
  char* right = at + half * size;
  merge_sort(at, half, size, spare, before, context);
  merge_sort(right, n - half, size, spare, before, context);
  if (before(right - size, right, context) <= 0) return;
  memcpy(spare, at, half * size);
  char *from = spare, *from_end = spare + half * size, *right_end = at + n * size;
  while (from < from_end && right < right_end) {
    const int left_first = before(from, right, context) <= 0;
    memcpy(at, left_first ? from : right, size);
    at += size;
    if (left_first)
      from += size;
    else
      right += size;
  }
  memcpy(at, from, (size_t)(from_end - from));
}

void qsort_r(void* at, size_t n, size_t size, compare* before, void* context)
{
  if (n < 2 || size == 0) return;
  char* spare = malloc(n / 2 * size);
  if (!spare) abort();
  merge_sort(at, n, size, spare, before, context);
  free(spare);
}

static int plain(const void* a, const void* b, void* before)
{
  return ((int (*)(const void*, const void*))before)(a, b);
}

void qsort(void* at, size_t n, size_t size, int (*before)(const void*, const void*))
{
  qsort_r(at, n, size, plain, (void*)before);
}
