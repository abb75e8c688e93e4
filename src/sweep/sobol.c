// Sobol's sequence of low discrepancy: Sobol (1967), in the order of Gray's code (Antonov and
// Saleev 1979), with the direction numbers of Joe and Kuo (2008).
//
// A primitive polynomial x^s + a_1 x^(s-1) + ... + a_(s-1) x + 1 over GF(2) and odd m_1 .. m_s with
// m_k < 2^k give
//   m_k = 2 a_1 m_(k-1) ^ 2^2 a_2 m_(k-2) ^ ... ^ 2^(s-1) a_(s-1) m_(k-s+1) ^ 2^s m_(k-s) ^ m_(k-s)
// and the point of index i is the sum without carry of m_k / 2^k over the bits k of i ^ i/2.
#include "sweep/sweep.h"

#include <assert.h>
#include <pthread.h>

enum { bits = 52, most_degree = 7 };

typedef struct direction
{
  int degree;
  unsigned a; // a_1 .. a_(s-1), the first in the highest bit
  unsigned char m[most_degree];
} direction;

// dimension 0 is van der Corput's sequence
static const direction table[SWEEP_SOBOL_MOST] = {
    {0},
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

// m_k 2^(bits - k), k = 1 .. bits
static void directions(int dimension, uint64_t* v)
{
  const direction* d = &table[dimension];
  const int s = d->degree;
  for (int k = 1; k <= bits; k++) {
    uint64_t m = 1;
    if (s && k <= s) m = d->m[k - 1];
    if (s && k > s) {
      const uint64_t last = v[k - s - 1] >> (bits - (k - s));
      m = last << s ^ last;
      for (int j = 1; j < s; j++)
        if (d->a >> (s - 1 - j) & 1) m ^= v[k - j - 1] >> (bits - (k - j)) << j;
    }
    v[k - 1] = m << (bits - k);
  }
}

// what eight bits of the Gray code of an index, from 8 k on, add to a point
enum { parts = (bits + 7) / 8, of_part = 1 << 8 };
static uint64_t added[SWEEP_SOBOL_MOST][parts][of_part];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make(void)
{
  for (int dimension = 0; dimension < SWEEP_SOBOL_MOST; dimension++) {
    uint64_t v[bits];
    directions(dimension, v);
    for (int k = 0; k < parts; k++)
      for (int part = 1; part < of_part; part++) {
        const int low = __builtin_ctz((unsigned)part), bit = 8 * k + low;
        added[dimension][k][part] =
            added[dimension][k][part & (part - 1)] ^ (bit < bits ? v[bit] : 0);
      }
  }
}

static uint64_t cell_of(int dimension, uint64_t index)
{
  uint64_t x = 0, gray = index ^ index >> 1;
  for (int k = 0; k < parts && gray; k++, gray >>= 8)
    x ^= added[dimension][k][gray & (of_part - 1)];
  return x;
}

// Gray codes of neighbours differ in one bit: that of the lowest one of the larger index.
void sweep_sobol_many(int dimension, uint64_t first, int count, int stride, double* to)
{
  assert(dimension >= 0 && dimension < SWEEP_SOBOL_MOST);
  pthread_once(&made, make);
  uint64_t x = cell_of(dimension, first);
  for (int i = 0; i < count; i++) {
    // the middle of the cell: the sequence begins with zero, a corner
    to[(size_t)i * (size_t)stride] = ((double)x + 0.5) * 0x1p-52;
    const int bit = __builtin_ctzll(first + (uint64_t)i + 1);
    if (bit < bits) x ^= added[dimension][bit / 8][1 << bit % 8];
  }
}

double sweep_sobol(int dimension, uint64_t index)
{
  double x;
  sweep_sobol_many(dimension, index, 1, 1, &x);
  return x;
}
