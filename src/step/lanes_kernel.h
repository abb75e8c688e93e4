// The one text of a trial step in lanes, included once for each kind of vector with
//   LANES           numbers side by side
//   KIND(name)      the name of a function for this kind
//   TARGET          what the compiler may use
//   FMA(a, b, c)    fused
//   MARKS(mask)     the lanes in which it holds, a bit each
//   MAX(a, b)       a > b ? a : b, so b where one is no number; MIN(a, b) likewise
//   PICK(m, a, b)   a where the mask holds, else b
// and, where masks are not vectors of all bits or none, what they are and how they are made: MASK,
// NOWHERE, LESS and UPTO of numbers, MORE of integers, READ a row of them, ONES for such a row.
// Every operation is one rounding of one lane, so that no lane knows of its neighbours and every
// kind of vector gives the same bits.

typedef double KIND(V) __attribute__((vector_size(8 * LANES)));
typedef int64_t KIND(I) __attribute__((vector_size(8 * LANES)));
#define V       KIND(V)
#define I       KIND(I)
#define BITS(X) ((I)(X))
#define REAL(X) ((V)(X))
#define INLINE  static inline __attribute__((always_inline)) TARGET
#define ALL(X)  KIND(all)(X)
#ifndef MASK
#define MASK       I
#define NOWHERE    ((I){0})
#define LESS(A, B) ((I)((A) < (B)))
#define UPTO(A, B) ((I)((A) <= (B)))
#define MORE(A, B) ((I)((A) > (B)))
#define READ(ROW)  (*(const I*)(ROW))
#define ONES(MASK) (MASK)
#endif
#include "step/lanes_numbers.h"

// behind what it is made of
#include "step/lanes_begin.h"

// ---- a trial ------------------------------------------------------------------------------------

#define K(NUMBER) (NUMBER ? ((const V*)s->k[NUMBER])[r] : k0[i])
// stage NUMBER: f at y + h SUM, SUM made of slopes K(j)
#define STAGE(NUMBER, C, SUM)                                   \
  do {                                                          \
    for (int i = 0; i < n; i++) {                               \
      const int r = s->p.row[i];                                \
      in[1 + i] = FMA(h, (SUM), y[i]);                          \
    }                                                           \
    in[0] = FMA(ALL(C), h, t);                                  \
    s->p.rates(s->context, s->in, s->k[NUMBER]);                \
    guard = KIND(least)(((V*)s->k[NUMBER])[s->p.guard], guard); \
  } while (0)
#define F(COEFFICIENT, NUMBER, REST) FMA(ALL(COEFFICIENT), K(NUMBER), REST)
#define M(COEFFICIENT, NUMBER)       (ALL(COEFFICIENT) * K(NUMBER))

// Where something watched is not above zero at a stage or the end of a step; or passes zero and
// comes back between the stages, as it seems: then the step is not made here.
INLINE MASK KIND(passes)(const step_lanes* s)
{
  MASK passed = NOWHERE;
  const V *k0 = (const V*)s->k0 + s->kept - s->p.watches, *last = (const V*)s->k[12] + s->p.watch;
  const V* m = (const V*)s->made + step_lanes_made(&s->p) - 4 * s->p.watches;
  for (int i = 0; i < s->p.watches; i++, m += 4) {
    const V begin = k0[i], third = m[1], half = m[2], late = m[3], end = last[i];
    passed |= ~LESS(ALL(0), m[0]) | ~LESS(ALL(0), end);
    passed |= KIND(dips)(begin, third, half, c5, c9) |
              KIND(dips)(third, half, late, c9 - c5, c10 - c5) |
              KIND(dips)(half, late, end, c10 - c9, 1 - c9) | KIND(dips)(begin, half, end, c9, 1);
  }
  return passed;
}

// the end of a step where the motion may be; the lanes in which that is known
INLINE MASK KIND(settle)(step_lanes* s, V t_new, const bool watched)
{
  V* in = (V*)s->in;
  in[0] = t_new;
  if (!watched || !s->p.settle) return ~NOWHERE;
  s->p.settle(s->context, s->in, s->well);
  for (int i = 0; i < s->p.n; i++) ((V*)s->y_new)[i] = in[1 + i];
  return LESS(ALL(0), *(V*)s->well);
}

// What the slopes of component i make: that of the step, sum b k, and its two errors. All are made
// of the differences to the first of them, so that only those are rounded: sum b = 1, sum e = 0,
// and of b less w, which has three terms, the sum is zero as well.
INLINE void KIND(make_up)(const step_lanes* s, int i, V* slope, V* fifth, V* third)
{
  const int r = s->from[i];
  const V k0 = ((const V*)s->k0)[i];
#define D(NUMBER)       const V d##NUMBER = ((const V*)s->k[NUMBER])[r] - k0
#define P(NUMBER, REST) FMA(ALL(b_##NUMBER), d##NUMBER, REST)
#define E(NUMBER, REST) FMA(ALL(e_##NUMBER), d##NUMBER, REST)
  D(5);
  D(6);
  D(7);
  D(8);
  D(9);
  D(10);
  D(11);
  const V sum = P(11, P(10, P(9, P(8, P(7, P(6, ALL(b_5) * d5))))));
  *slope = k0 + sum;
  *fifth = E(11, E(10, E(9, E(8, E(7, E(6, ALL(e_5) * d5))))));
  *third = FMA(ALL(-w_11), d11, FMA(ALL(-w_8), d8, sum));
#undef D
#undef P
#undef E
}

// what is made of the stages, in the order of step_lanes_spell
INLINE void KIND(sum_up)(step_lanes* s, V guard)
{
  const int n = s->p.n, moving = s->kept - s->p.watches;
  const V* k0 = (const V*)s->k0;
  V *m = (V*)s->made, *fifth = m + moving, *third = fifth + n, *end = third + n;
  for (int i = 0; i < n; i++) {
    const int r = s->p.row[i];
    KIND(make_up)(s, i, &m[i], &fifth[i], &third[i]);
    end[i] = K(11);
  }
  for (int i = n; i < moving; i++) {
    const int r = s->from[i];
    m[i] =
        F(b_11, 11, F(b_10, 10, F(b_9, 9, F(b_8, 8, F(b_7, 7, F(b_6, 6, F(b_5, 5, M(b_0, 0))))))));
  }
  V* watched = end + n;
  *watched++ = guard;
  for (int i = moving; i < s->kept; i++) {
    const int r = s->from[i];
    V least = K(1);
    for (int stage = 2; stage < 12; stage++) least = KIND(least)(((const V*)s->k[stage])[r], least);
    *watched++ = least;
    *watched++ = K(5);
    *watched++ = K(9);
    *watched++ = K(10);
  }
}

// the stages of a step of length h, one by one
INLINE void KIND(stages)(step_lanes* s, V h)
{
  const int n = s->p.n;
  V* in = (V*)s->in;
  const V *y = (const V*)s->y, *k0 = (const V*)s->k0, t = *(const V*)s->t;
  V guard = ALL(INFINITY);
  STAGE(1, c1, M(a1_0, 0));
  STAGE(2, c2, F(a2_1, 1, M(a2_0, 0)));
  STAGE(3, c3, F(a3_2, 2, M(a3_0, 0)));
  STAGE(4, c4, F(a4_3, 3, F(a4_2, 2, M(a4_0, 0))));
  STAGE(5, c5, F(a5_4, 4, F(a5_3, 3, M(a5_0, 0))));
  STAGE(6, c6, F(a6_5, 5, F(a6_4, 4, F(a6_3, 3, M(a6_0, 0)))));
  STAGE(7, c7, F(a7_6, 6, F(a7_5, 5, F(a7_4, 4, F(a7_3, 3, M(a7_0, 0))))));
  STAGE(8, c8, F(a8_7, 7, F(a8_6, 6, F(a8_5, 5, F(a8_4, 4, F(a8_3, 3, M(a8_0, 0)))))));
  STAGE(9, c9, F(a9_8, 8, F(a9_7, 7, F(a9_6, 6, F(a9_5, 5, F(a9_4, 4, F(a9_3, 3, M(a9_0, 0))))))));
  STAGE(
      10, c10,
      F(a10_9, 9,
        F(a10_8, 8, F(a10_7, 7, F(a10_6, 6, F(a10_5, 5, F(a10_4, 4, F(a10_3, 3, M(a10_0, 0)))))))));
  STAGE(11, 1,
        F(a11_10, 10,
          F(a11_9, 9,
            F(a11_8, 8,
              F(a11_7, 7, F(a11_6, 6, F(a11_5, 5, F(a11_4, 4, F(a11_3, 3, M(a11_0, 0))))))))));
  KIND(sum_up)(s, guard);
}

// y_new = y + h sum b k with the rounding of the sum kept; as step_method_dop853
INLINE void KIND(advance)(step_lanes* s, V h)
{
  for (int i = 0; i < s->p.n; i++) {
    const V slope = ((V*)s->made)[i], y = ((V*)s->y)[i];
    const V add = FMA(h, slope, ((V*)s->carry)[i]), next = y + add, part = next - y;
    ((V*)s->y_new)[i] = ((V*)s->in)[1 + i] = next;
    ((V*)s->carried)[i] = (y - (next - part)) + (add - part);
  }
}

// what a trial is about to do
typedef struct KIND(plan)
{
  V h, t_new, t_carry, limit, next, seen[2];
  V above, below, log_e; // the square of the error is above / below
  MASK last, stuck, known, well, passed, unsafe, arrived, leaves, accepted, refused;
} KIND(plan);

// the length of the step, and the inputs of its stages
INLINE void KIND(set_out)(step_lanes* s, KIND(plan) * p)
{
  const V t = *(V*)s->t, carry = *(V*)s->t_carry, wish = *(V*)s->h;
  const V limit = MIN(t + *(V*)s->longest, *(V*)s->t_end), left = limit - t;
  const MASK last = UPTO(left * ALL(1 - 1e-12), wish);
  V h = KIND(choose)(LESS(left, ALL(2) * wish), left * ALL(0.5), wish);
  h = KIND(choose)(last, left, h);
  // no step of that length can be told from none
  p->stuck = READ(s->active) &
             ((~last & LESS(h, ALL(16 * DBL_EPSILON) * KIND(size)(t))) | ~UPTO(ALL(DBL_MIN), h));
  const V add = h + carry, t_new = KIND(choose)(last, limit, t + add);
  p->t_carry = KIND(choose)(last, ALL(0), add - (t_new - t));
  V* in = (V*)s->in;
  in[0] = t;
  for (int i = 0; i < s->p.n; i++) in[1 + i] = ((V*)s->y)[i];
  in[s->p.inputs] = h;
  p->h = h;
  p->t_new = t_new;
  p->limit = limit;
  p->last = last;
}

// behind the stages: the end of the step and the rates there
INLINE void KIND(arrive)(step_lanes* s, KIND(plan) * p, const bool watched)
{
  KIND(advance)(s, p->h);
  p->well = KIND(settle)(s, p->t_new, watched);
  s->p.rates(s->context, s->in, s->k[12]);
}

// the largest of each over its unit; a sum that is no finite number where one of them is none
typedef struct KIND(errors)
{
  V fifth, third, total;
} KIND(errors);

// of places or of speeds, of which `most` is the largest so far
INLINE void KIND(add_errors)(const step_lanes* s, int from, int to, V h, V most, const bool fine,
                             KIND(errors) * e)
{
  const int n = s->p.n;
  const V *fifth = (const V*)s->made + s->kept - s->p.watches, *third = fifth + n, *end = third + n;
  for (int i = from; i < to; i++) {
    const V y = MAX(KIND(size)(((V*)s->y)[i]), KIND(size)(((V*)s->y_new)[i]));
    V unit = KIND(unit)(s, y, most);
    if (fine) {
      const V slope = MAX(KIND(size)(((V*)s->k0)[i]), KIND(size)(end[i]));
      unit = MAX(unit, ALL(8 * DBL_EPSILON) * h * slope);
    }
    const V over = KIND(over)(unit);
    e->fifth = MAX(KIND(size)(fifth[i]) * over, e->fifth);
    e->third = MAX(KIND(size)(third[i]) * over, e->third);
    e->total += unit;
    e->total = FMA(fifth[i], ((V*)s->k[12])[s->p.row[i]], e->total);
  }
}

// The error of a step in units of the tolerance; as step_method_dop853, that is
//   (h e5)^2 / sqrt((h e5)^2 + 0.01 (h e3)^2)
// of the largest e5 and e3. Beyond `plenty` it only matters that it is too large, and of `none`
// that it is small beside errors that count, but large beside no error. All slopes have a share in
// e5, and the end of the step one in its units: none of them is missed.
INLINE void KIND(error)(const step_lanes* s, const V* most, KIND(plan) * p)
{
  const V h = p->h;
  const int places = s->p.places, n = s->p.n;
  KIND(errors) e = {ALL(0), ALL(0), ALL(0)};
  if (s->fine) {
    KIND(add_errors)(s, 0, places, h, most[0], true, &e);
    KIND(add_errors)(s, places, n, h, most[1], true, &e);
  } else {
    KIND(add_errors)(s, 0, places, h, most[0], false, &e);
    KIND(add_errors)(s, places, n, h, most[1], false, &e);
  }
  const V plenty = ALL(1e60), none = ALL(1e-40), by5 = MIN(h * e.fifth, plenty),
          by3 = MIN(h * e.third, plenty);
  const V square5 = by5 * by5;
  p->above = square5 * square5;
  p->below = FMA(ALL(0.01) * by3, by3, square5 + none);
  p->known = KIND(finite)(e.total);
}

// the error of the step, and the lanes in which it cannot be taken for one
INLINE void KIND(weigh)(step_lanes* s, KIND(plan) * p, const bool watched)
{
  p->passed = watched ? KIND(passes)(s) : NOWHERE;
  const V guard =
      KIND(least)(((V*)s->made)[s->kept - s->p.watches + 3 * s->p.n], ((V*)s->k[12])[s->p.guard]);
  p->seen[0] = *(V*)s->seen_place;
  p->seen[1] = *(V*)s->seen_speed;
  KIND(see)(s, s->y_new, p->seen);
  const V most[2] = {MIN(p->seen[0], ALL(1)), MIN(p->seen[1], ALL(1))};
  KIND(error)(s, most, p);
  p->unsafe = ~LESS(ALL(0), guard) | ~p->known | ~p->well;
}

// What every lane does next, and the length of its next step. Not watched: nothing but steps to the
// end is asked for, and nothing else is paid for.
INLINE void KIND(decide)(step_lanes* s, KIND(plan) * p, const bool watched)
{
  const V h = p->h, wish = *(V*)s->h;
  const MASK unsafe = p->unsafe, able = READ(s->active) & ~p->stuck,
             good = UPTO(p->above, p->below);
  // a step that is too long for its error is made shorter first
  p->arrived = watched && s->p.before ? able & p->last & UPTO(*(V*)s->t_end, p->limit) : NOWHERE;
  p->leaves = able & p->passed & (unsafe | good) & ~p->arrived;
  p->accepted = able & ~unsafe & good & ~p->leaves & ~p->arrived;
  p->refused = able & ~p->accepted & ~p->leaves & ~p->arrived;

  // PI controller
  p->log_e = MAX(ALL(0.5) * KIND(log2)(p->above * KIND(over)(p->below)), ALL(log_no_error));
  const V power =
      KIND(choose)(p->accepted, FMA(ALL(0.008), p->log_e, ALL(0.04) * *(V*)s->log_error), ALL(0));
  const V factor = ALL(0.9) * KIND(exp2)(FMA(ALL(-1.0 / 8), p->log_e, power));
  const V most = KIND(choose)(MORE(*(I*)s->steps, (I){0}), ALL(6), ALL(most_growth));
  V next = h * MIN(MAX(factor, ALL(1.0 / 3)), most);
  next = KIND(choose)(READ(s->rejected), MIN(next, h), next);
  next = KIND(choose)(LESS(h, wish), MAX(next, wish), next);
  const V back = KIND(choose)(unsafe, h * ALL(0.5), h * MAX(factor, ALL(1.0 / 6)));
  p->next = KIND(choose)(p->accepted, next, KIND(choose)(p->refused, back, wish));
}

// the state behind the step, where it is accepted
INLINE void KIND(take_where)(step_lanes* s, MASK accepted)
{
  for (int i = 0; i < s->p.n; i++) {
    V *y = (V*)s->y + i, *c = (V*)s->carry + i;
    *y = KIND(choose)(accepted, ((V*)s->y_new)[i], *y);
    *c = KIND(choose)(accepted, ((V*)s->carried)[i], *c);
  }
  for (int i = 0; i < s->kept; i++) {
    V* k0 = (V*)s->k0 + i;
    *k0 = KIND(choose)(accepted, ((V*)s->k[12])[s->from[i]], *k0);
  }
}

// and in all lanes
INLINE void KIND(take_all)(step_lanes* s)
{
  double *const y = s->y, *const carry = s->carry;
  s->y = s->y_new;
  s->y_new = y;
  s->carry = s->carried;
  s->carried = carry;
  for (int i = 0; i < s->kept; i++) ((V*)s->k0)[i] = ((V*)s->k[12])[s->from[i]];
}

// carried out where it holds
INLINE void KIND(carry_out)(step_lanes* s, const KIND(plan) * p)
{
  const MASK active = READ(s->active), accepted = p->accepted, others = ~accepted;
  *(V*)s->h = p->next;
  *(V*)s->log_error =
      KIND(choose)(accepted, MAX(p->log_e, ALL(log_least_error)), *(V*)s->log_error);
  *(I*)s->rejected = ONES((READ(s->rejected) & others) | p->refused);
  const I trouble = (*(I*)s->trouble - ONES(p->refused & p->unsafe)) & ONES(others),
          steps = *(I*)s->steps - *(I*)s->active;
  *(I*)s->trouble = trouble;
  *(I*)s->steps = steps;
  const V t = KIND(choose)(accepted, p->t_new, *(V*)s->t);
  *(V*)s->t = t;
  *(V*)s->t_carry = KIND(choose)(accepted, p->t_carry, *(V*)s->t_carry);
  if (s->p.along >= 0) *(V*)s->sum += KIND(choose)(accepted, p->h * ((V*)s->made)[s->p.n], ALL(0));
  if (MARKS(others))
    KIND(take_where)(s, accepted);
  else
    KIND(take_all)(s);
  *(V*)s->seen_place = KIND(choose)(accepted, p->seen[0], *(V*)s->seen_place);
  *(V*)s->seen_speed = KIND(choose)(accepted, p->seen[1], *(V*)s->seen_speed);
  const MASK weary =
                 MORE(trouble, KIND(count)(most_trouble)) | MORE(steps, KIND(count)(most_steps)),
             lost = p->stuck | (active & weary),
             ended = active & ~lost & (UPTO(*(V*)s->t_end, t) | p->arrived);
  *(I*)s->lost = ONES(lost);
  *(I*)s->left = ONES(p->leaves);
  *(I*)s->ended = ONES(ended);
  s->news = MARKS(lost | p->leaves | ended);
}

INLINE void KIND(trial_of)(step_lanes* s, const bool watched)
{
  KIND(plan) p;
  KIND(set_out)(s, &p);
  if (s->p.stages)
    s->p.stages(s->context, s->in, s->made);
  else
    KIND(stages)(s, p.h);
  KIND(arrive)(s, &p, watched);
  KIND(weigh)(s, &p, watched);
  KIND(decide)(s, &p, watched);
  KIND(carry_out)(s, &p);
}

static TARGET void KIND(trial)(step_lanes* s)
{
  KIND(trial_of)(s, false);
}

static TARGET void KIND(trial_watched)(step_lanes* s)
{
  KIND(trial_of)(s, true);
}

// a trial of both blocks, at each part of it one after the other
INLINE void KIND(trial_of_both)(step_lanes* s, const bool watched)
{
  step_lanes* second = s->second;
  KIND(plan) p, q;
  KIND(set_out)(s, &p);
  KIND(set_out)(second, &q);
  s->p.pair(s->context, s->in, s->made);
  KIND(arrive)(s, &p, watched);
  KIND(arrive)(second, &q, watched);
  KIND(weigh)(s, &p, watched);
  KIND(weigh)(second, &q, watched);
  KIND(decide)(s, &p, watched);
  KIND(decide)(second, &q, watched);
  KIND(carry_out)(s, &p);
  KIND(carry_out)(second, &q);
}

static TARGET void KIND(both)(step_lanes* s)
{
  KIND(trial_of_both)(s, false);
}

static TARGET void KIND(both_watched)(step_lanes* s)
{
  KIND(trial_of_both)(s, true);
}

#undef K
#undef STAGE
#undef F
#undef M
#undef V
#undef I
#undef BITS
#undef REAL
#undef INLINE
#undef ALL
#undef MASK
#undef NOWHERE
#undef LESS
#undef UPTO
#undef MORE
#undef READ
#undef ONES
