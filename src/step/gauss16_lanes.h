// The one text of the sums over the stages of a Gauss step, included once for each kind of vector
// with
//   GAUSS(name)    the name of a function for this kind
//   GAUSS_TARGET   what the compiler may use
//   V, LANES       doubles, and how many of them
//   FMA(a, b, c), ALL(x), LOAD(p), STORE(p, v), FAR(v, most): the larger of |v| and most
//   RISE(w, f)     sum_j w_j f_j, as gauss16_rise
//   SETTLE(v)      where a compiler would put off computing v until registers run out: it has to be
//                  known here
// Every lane is computed alike: the bits do not depend on LANES.
// Legendre's polynomials of u, u2 its square
#define P2(U2)    (1.5 * (U2)-0.5)
#define P3(U, U2) ((U) * (2.5 * (U2)-1.5))
#define P4(U2)    ((4.375 * (U2)-3.75) * (U2) + 0.375)

#if defined(__clang__)
#define EIGHT _Pragma("clang loop unroll(full)")
#else
#define EIGHT _Pragma("GCC unroll 8")
#endif

// A matrix and what it is multiplied by. Where registers hold the columns they are read once, and
// each number comes from memory into all lanes. Where there are too many columns, of part p the
// lanes from LANES p on, these come from memory, and the numbers are spread once for all parts.
#if LANES == 2
#define MATRIX           const double*
#define HOLD(NAME, FROM) const double* const NAME = (FROM)
// the constant last: it becomes part of the instruction
#define COLUMN(M, P, J) LOAD((M) + LANES * (P) + 8 * (J))
#define FACTORS         const V*
#define SPREAD(NAME, FROM) \
  V NAME[8];               \
  EIGHT                    \
  for (int j = 0; j < 8; j++) NAME[j] = ALL((FROM)[j])
#define FACTOR(X, J) (X)[J]
#else
#define MATRIX const V*
#define HOLD(NAME, FROM) \
  V NAME[64 / LANES];    \
  GAUSS(columns)(FROM, NAME)
#define COLUMN(M, P, J)    (M)[8 * (P) + (J)]
#define FACTORS            const double*
#define SPREAD(NAME, FROM) const double* const NAME = (FROM)
#define FACTOR(X, J)       ALL((X)[J])

static inline __attribute__((always_inline)) GAUSS_TARGET void GAUSS(columns)(const double* matrix,
                                                                              V* m)
{
  for (int part = 0; part < 8; part += LANES) {
    V* at = m + part / LANES * 8;
    at[0] = LOAD(matrix + part);
    at[1] = LOAD(matrix + 8 + part);
    at[2] = LOAD(matrix + 16 + part);
    at[3] = LOAD(matrix + 24 + part);
    at[4] = LOAD(matrix + 32 + part);
    at[5] = LOAD(matrix + 40 + part);
    at[6] = LOAD(matrix + 48 + part);
    at[7] = LOAD(matrix + 56 + part);
  }
}
#endif

// first + columns m_0 .. m_7 times x; four sums side by side hide the latency of the products
static inline __attribute__((always_inline)) GAUSS_TARGET V GAUSS(times)(MATRIX m, int p, FACTORS x,
                                                                         V first)
{
  V s0 = FMA(COLUMN(m, p, 0), FACTOR(x, 0), first), s1 = COLUMN(m, p, 1) * FACTOR(x, 1);
  s0 = FMA(COLUMN(m, p, 4), FACTOR(x, 4), s0);
  s1 = FMA(COLUMN(m, p, 5), FACTOR(x, 5), s1);
  const V one = s0 + s1;
  SETTLE(one);
  V s2 = COLUMN(m, p, 2) * FACTOR(x, 2), s3 = COLUMN(m, p, 3) * FACTOR(x, 3);
  s2 = FMA(COLUMN(m, p, 6), FACTOR(x, 6), s2);
  s3 = FMA(COLUMN(m, p, 7), FACTOR(x, 7), s3);
  return one + (s2 + s3);
}

// what component i lost to rounding, for the stages from l on
static inline __attribute__((always_inline)) GAUSS_TARGET V GAUSS(lost)(const gauss16_sums* s,
                                                                        int i, int l)
{
  return s->rest ? LOAD(s->rest + 8 * i + l) : ALL(s->carry[i]);
}

static inline __attribute__((always_inline)) GAUSS_TARGET double GAUSS(largest)(V far)
{
  double all[8] __attribute__((aligned(64))) = {0};
  STORE(all, far);
  const double m0 = all[0] > all[4] ? all[0] : all[4], m1 = all[1] > all[5] ? all[1] : all[5];
  const double m2 = all[2] > all[6] ? all[2] : all[6], m3 = all[3] > all[7] ? all[3] : all[7];
  const double even = m0 > m2 ? m0 : m2, odd = m1 > m3 ? m1 : m3;
  return even > odd ? even : odd;
}

// As gauss16_sweep. The sums are a copy: what is stored may lie anywhere but there, and nothing of
// it has to be read again. With and without rests are two functions, none of which asks.
static inline __attribute__((always_inline)) GAUSS_TARGET double
GAUSS(sweep_of)(const gauss16_sums sums, const double* const* F, bool rests)
{
  enum { block = gauss16_block };
  const gauss16_sums* const s = &sums;
  double* restrict L = s->lines;
  V far = ALL(0.0);
  HOLD(mu, s->mu);
  // what is needed eight times comes back from memory: faster than from register to register
  for (int from = 0; from < s->count; from += block) {
    const int to = s->count < from + block ? s->count : from + block;
    for (int k = from; k < to; k++) {
      const double* f = F[s->move[k].of];
      EIGHT
      for (int l = 0; l < 8; l += LANES)
        STORE(L + 8 * (k - from) + l, LOAD(s->weight + l) * LOAD(f + l));
    }
    for (int k = from; k < to; k++) {
      const int i = s->move[k].of;
      double *x = L + 8 * (k - from), *Y = s->Y[i];
      const V y = ALL(s->y[i]), carry = ALL(s->carry[i]);
      V most = ALL(0.0);
      SPREAD(all, x);
      EIGHT
      for (int p = 0; p < 8 / LANES; p++) {
        const V lost = rests ? LOAD(s->rest + 8 * i + LANES * p) : carry;
        const V next = y + GAUSS(times)(mu, p, all, lost);
        most = FAR(next - LOAD(Y + LANES * p), most);
        SETTLE(most);
        STORE(Y + LANES * p, next);
      }
      // rounding keeps the order: the largest of the products is that of the largest
      far = FAR(most * ALL(s->over[i]), far);
      // from here on what moves the one whose rate this is
      EIGHT
      for (int l = 0; l < 8; l += LANES) STORE(x + l, LOAD(s->weight + l) * LOAD(Y + l));
    }
    for (int k = from; k < to; k++) {
      const int q = s->move[k].sum;
      const double* x = L + 8 * (k - from);
      if (q == s->move[k].of) continue;
      double* Q = s->Y[q];
      const V y = ALL(s->y[q]), carry = ALL(s->carry[q]);
      SPREAD(all, x);
      EIGHT
      for (int p = 0; p < 8 / LANES; p++) {
        const V lost = rests ? LOAD(s->rest + 8 * q + LANES * p) : carry;
        STORE(Q + LANES * p, y + GAUSS(times)(mu, p, all, lost));
      }
    }
  }
  return GAUSS(largest)(far);
}

GAUSS_TARGET static double GAUSS(sweep)(const gauss16_sums* s, const double* const* F)
{
  return s->rest ? GAUSS(sweep_of)(*s, F, true) : GAUSS(sweep_of)(*s, F, false);
}

// see gauss16_fold
GAUSS_TARGET static void GAUSS(fold)(const double* mu, const double* weight, double* folded)
{
  EIGHT
  for (int j = 0; j < 8; j++)
    for (int l = 0; l < 8; l += LANES)
      STORE(folded + 8 * j + l, LOAD(mu + 8 * j + l) * ALL(weight[j]));
}

// see gauss16_turn
GAUSS_TARGET static double GAUSS(turn)(const double* folded, int count, int sums,
                                       const gauss16_turned* at, const double* const* F)
{
  V far = ALL(0.0);
  HOLD(m, folded);
  for (int k = 0; k < count; k++) {
    double* Y = at[k].Y;
    const V y = ALL(at[k].y);
    V most = ALL(0.0);
    SPREAD(all, F[at[k].i]);
    EIGHT
    for (int p = 0; p < 8 / LANES; p++) {
      const V next = GAUSS(times)(m, p, all, y);
      most = FAR(next - LOAD(Y + LANES * p), most);
      SETTLE(most);
      STORE(Y + LANES * p, next);
    }
    far = FAR(most * ALL(at[k].over), far);
  }
  for (int k = count; k < count + sums; k++) {
    const V y = ALL(at[k].y);
    SPREAD(all, at[k].from);
    EIGHT
    for (int p = 0; p < 8 / LANES; p++) STORE(at[k].Y + LANES * p, GAUSS(times)(m, p, all, y));
  }
  return GAUSS(largest)(far);
}

// see gauss16_miss
GAUSS_TARGET static void GAUSS(miss)(const gauss16_sums* s, const double* const* F, double* miss)
{
  double L[8] __attribute__((aligned(64))), M[8] __attribute__((aligned(64)));
  HOLD(mu, s->mu);
  for (int k = 0; k < s->count; k++) {
    const int i = s->move[k].of, q = s->move[k].sum;
    const double *Y = s->Y[i], *Q = s->Y[q];
    for (int l = 0; l < 8; l += LANES) STORE(L + l, LOAD(s->weight + l) * LOAD(F[i] + l));
    SPREAD(all, L);
    for (int p = 0, l = 0; l < 8; p++, l += LANES)
      STORE(miss + 8 * i + l,
            (ALL(s->y[i]) - LOAD(Y + l)) + GAUSS(times)(mu, p, all, GAUSS(lost)(s, i, l)));
    if (q == i) continue;
    for (int l = 0; l < 8; l += LANES) {
      STORE(L + l, LOAD(s->weight + l) * LOAD(Y + l));
      STORE(M + l, LOAD(s->weight + l) * LOAD(miss + 8 * i + l));
    }
    SPREAD(places, L);
    SPREAD(more, M);
    for (int p = 0, l = 0; l < 8; p++, l += LANES) {
      const V off =
          (ALL(s->y[q]) - LOAD(Q + l)) + GAUSS(times)(mu, p, places, GAUSS(lost)(s, q, l));
      STORE(miss + 8 * q + l, off + GAUSS(times)(mu, p, more, ALL(0.0)));
    }
  }
}

// see gauss16_apply
GAUSS_TARGET static void GAUSS(apply)(const double* matrix, int count, const gauss16_move* move,
                                      const double* const* x, double* out)
{
  HOLD(m, matrix);
  for (int k = 0; k < count; k++) {
    SPREAD(all, x[move[k].of]);
    for (int p = 0; p < 8 / LANES; p++)
      STORE(out + 8 * move[k].of + LANES * p, GAUSS(times)(m, p, all, ALL(0.0)));
  }
}

// see gauss16_far_off
GAUSS_TARGET static void GAUSS(far_off)(const gauss16_table* t, double from, double by, int count,
                                        const gauss16_move* move, double* x)
{
  // at the last stage, which tells how large the terms become
  const double u = 2 * (from + by * t->c[7]) - 1, u2 = u * u;
  const double at_end[5] = {1, u, P2(u2), P3(u, u2), P4(u2)};
  for (int k = 0; k < count; k++) {
    double a[5], *at = x + 8 * move[k].of;
    double all = fabs(a[0] = at[0]) + fabs((a[1] = at[1]) * u);
    bool grows = false;
    for (int j = 2; j < 5; j++) {
      const double size = fabs(at[j] * at_end[j]);
      grows = grows || !(size <= all);
      a[j] = grows ? 0 : at[j];
      all += size;
    }
    for (int l = 0; l < 8; l += LANES) {
      const V v = ALL(2.0) * (ALL(from) + ALL(by) * LOAD(t->c + l)) - ALL(1.0), v2 = v * v;
      const V low = ALL(a[0]) + ALL(a[1]) * v, square = ALL(a[2]) * P2(v2);
      STORE(at + l, low + square + (ALL(a[3]) * P3(v, v2) + ALL(a[4]) * P4(v2)));
    }
  }
}

// see gauss16_weigh: the ends are put in while all is in registers, or who reads it whole would
// wait for them
GAUSS_TARGET static void GAUSS(weigh)(double h, const double* b, double* weight)
{
  static const double middle[8] = {0, 1, 1, 1, 1, 1, 1, 0}, ends[8] = {1, 0, 0, 0, 0, 0, 0, 1};
  double left = h;
  for (int j = 1; j < 7; j++) left -= h * b[j];
  for (int l = 0; l < 8; l += LANES)
    STORE(weight + l, ALL(h) * LOAD(b + l) * LOAD(middle + l) + ALL(left / 2) * LOAD(ends + l));
}

// see gauss16_spread
GAUSS_TARGET static void GAUSS(spread)(double x, double* to)
{
  for (int l = 0; l < 8; l += LANES) STORE(to + l, ALL(x));
}

// see gauss16_owe
GAUSS_TARGET static void GAUSS(owe)(const gauss16_sums* s, const double* matrix,
                                    const double* const* F, double* rest)
{
  HOLD(m, matrix);
  for (int k = 0; k < s->count; k++) {
    const int i = s->move[k].of, q = s->move[k].sum;
    SPREAD(all, F[i]);
    for (int p = 0; p < 8 / LANES; p++)
      STORE(rest + 8 * i + LANES * p, ALL(s->carry[i]) + GAUSS(times)(m, p, all, ALL(0.0)));
    SPREAD(places, s->Y[i]);
    for (int p = 0; p < 8 / LANES && q != i; p++)
      STORE(rest + 8 * q + LANES * p, ALL(s->carry[q]) + GAUSS(times)(m, p, places, ALL(0.0)));
  }
}

// see gauss16_shift
GAUSS_TARGET static void GAUSS(shift)(int n, double* const* Y, double times, double* by)
{
  for (int i = 0; i < n; i++)
    for (int l = 0; l < 8 && Y[i]; l += LANES) {
      const V here = LOAD(Y[i] + l), there = here + ALL(times) * LOAD(by + 8 * i + l);
      STORE(by + 8 * i + l, there - here);
      STORE(Y[i] + l, there);
    }
}

// see gauss16_basis: products over all instants but one, from both sides at once
GAUSS_TARGET static void GAUSS(basis)(double from, double by, const double* c, const double* over,
                                      double* columns)
{
  for (int part = 0; part < 8; part += LANES) {
    const V at = ALL(from) + ALL(by) * LOAD(c + part);
    V before[8], behind = ALL(1.0);
    before[0] = ALL(1.0);
    EIGHT
    for (int j = 1; j < 8; j++) before[j] = before[j - 1] * (at - ALL(c[j - 1]));
    EIGHT
    for (int j = 7; j >= 0; j--) {
      STORE(columns + 8 * j + part, before[j] * ALL(over[j]) * behind);
      behind = behind * (at - ALL(c[j]));
    }
  }
}

// see gauss16_ends
GAUSS_TARGET static bool GAUSS(ends)(const gauss16_sums* s, int n, const double* const* rate,
                                     double* end, double* left)
{
  double none = 0;
  for (int i = 0; i < n; i++) {
    const double move = rate[i] ? s->carry[i] + RISE(s->weight, rate[i]) : s->carry[i];
    const double to = s->y[i] + move, back = to - move;
    end[i] = to;
    left[i] = (s->y[i] - back) + (move - (to - back));
    none += 0 * to;
  }
  return none == 0;
}

#undef EIGHT
#undef P2
#undef P3
#undef P4
#undef MATRIX
#undef HOLD
#undef COLUMN
#undef FACTORS
#undef SPREAD
#undef FACTOR
