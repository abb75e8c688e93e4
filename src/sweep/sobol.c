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
#include <string.h>

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

// the middle of a cell: the sequence begins with zero, a corner. With this exponent a double has
// its last bit at one: so many lanes become doubles, which processors have no instruction for.
static inline double share_of(uint64_t x)
{
  double share;
  x |= (uint64_t)(1023 + bits) << bits;
  memcpy(&share, &x, sizeof share);
  return ((share - 0x1p52) + 0.5) * 0x1p-52;
}

static inline uint64_t added_by(int dimension, int bit)
{
  return bit < bits ? added[dimension][bit / 8][1 << bit % 8] : 0;
}

// From eight to eight, beginning at multiples of that, the last three bits of the index run through
// the same codes.
enum { eight = 8, of_eight = 3 };

static void fill_eights(int dimension, uint64_t first, int eights, double* to)
{
  uint64_t from_first[eight], x = cell_of(dimension, first);
  for (int j = 0; j < eight; j++) from_first[j] = added[dimension][0][j ^ j >> 1];
  for (int i = 0; i < eights; i++, to += eight) {
    for (int j = 0; j < eight; j++) to[j] = share_of(x ^ from_first[j]);
    // Gray codes of neighbours differ in one bit: that of the lowest one of the larger index; and
    // the first bit of the index stands in the code beside it, too
    const int low = __builtin_ctzll((first >> of_eight) + (uint64_t)i + 1);
    x ^= added_by(dimension, of_eight - 1) ^ added_by(dimension, of_eight + low);
  }
}

void sweep_sobol_many(int dimension, uint64_t first, int count, double* to)
{
  assert(dimension >= 0 && dimension < SWEEP_SOBOL_MOST);
  pthread_once(&made, make);
  int i = 0;
  for (; i < count && (first + (uint64_t)i) % eight; i++)
    to[i] = share_of(cell_of(dimension, first + (uint64_t)i));
  const int eights = (count - i) / eight;
  if (eights) fill_eights(dimension, first + (uint64_t)i, eights, to + i);
  for (i += eight * eights; i < count; i++)
    to[i] = share_of(cell_of(dimension, first + (uint64_t)i));
}

double sweep_sobol(int dimension, uint64_t index)
{
  double x;
  sweep_sobol_many(dimension, index, 1, &x);
  return x;
}
