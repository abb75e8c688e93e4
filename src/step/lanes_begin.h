// Tolerances of lanes and the beginning of their runs, included by lanes_kernel.h for each kind of
// vector with what it says there.

// ---- tolerances ---------------------------------------------------------------------------------

// What an error of a component is compared with, its size being y: relative to itself and to the
// largest of its kind, but not more than 1, which is in `most`.
INLINE V KIND(unit)(const step_lanes* s, V y, V most)
{
  return MAX(ALL(s->rel_tol) * (y + most), ALL(least_absolute));
}

// One over x, which is above zero, to seven digits and without a division, which takes longer than
// all else here: the bits of a first guess, off by e at most a twentieth, are those of x taken from
// a number. One over 1 - e is 1 + e + e^2 but for e^3, and of that Newton's step leaves the square.
INLINE V KIND(over)(V x)
{
  V y = REAL(0x7fde623822fc16e6 - BITS(x));
  const V e = FMA(-x, y, ALL(1));
  y = FMA(y, FMA(e, e, e), y);
  return FMA(y, FMA(-x, y, ALL(1)), y);
}

// the largest of each kind so far, and of y
INLINE void KIND(see)(const step_lanes* s, const double* y, V* seen)
{
  V place = seen[0], speed = seen[1];
  for (int i = 0; i < s->p.places; i++) place = MAX(KIND(size)(((const V*)y)[i]), place);
  for (int i = s->p.places; i < s->p.n; i++) speed = MAX(KIND(size)(((const V*)y)[i]), speed);
  seen[0] = place;
  seen[1] = speed;
}

// ---- the beginning of a run ---------------------------------------------------------------------

// The largest of y, of its rates, and of how much these change, each over its unit; `total` is no
// finite number where one of those has none. Hairer, Norsett and Wanner II.4
typedef struct KIND(sizes)
{
  V place, rate, bend, total;
} KIND(sizes);

INLINE KIND(sizes) KIND(measure)(const step_lanes* s, const V* seen, const V* k1)
{
  KIND(sizes) z = {ALL(0), ALL(0), ALL(0), ALL(0)};
  for (int i = 0; i < s->p.n; i++) {
    const V y = KIND(size)(((V*)s->y)[i]), k0 = ((V*)s->k0)[i];
    const V unit = KIND(unit)(s, y, seen[i >= s->p.places]), over = KIND(over)(unit);
    z.place = MAX(y * over, z.place);
    z.rate = MAX(KIND(size)(k0) * over, z.rate);
    z.total += unit;
    if (!k1) continue;
    const V change = k1[s->p.row[i]] - k0;
    z.bend = MAX(KIND(size)(change) * over, z.bend);
    z.total += change;
  }
  return z;
}

// rates at the start and a first step
static TARGET void KIND(begin)(step_lanes* s)
{
  const int n = s->p.n;
  V *in = (V*)s->in, *y = (V*)s->y, *t = (V*)s->t;
  const MASK begins = READ(s->begins);
  in[0] = *t;
  for (int i = 0; i < n; i++) in[1 + i] = y[i];
  s->p.rates(s->context, s->in, s->k[1]);
  V* k0 = (V*)s->k0;
  for (int i = 0; i < s->kept; i++) k0[i] = KIND(choose)(begins, ((V*)s->k[1])[s->from[i]], k0[i]);
  // how large the motion will be is not known yet: a state at zero grows with its rates
  V seen[2] = {ALL(0), ALL(0)}, grown[2] = {ALL(0), ALL(0)};
  const V span = *(V*)s->t_end - *t;
  KIND(see)(s, s->y, seen);
  KIND(see)(s, s->k0, grown);
  *(V*)s->seen_place = KIND(choose)(begins, seen[0], *(V*)s->seen_place);
  *(V*)s->seen_speed = KIND(choose)(begins, seen[1], *(V*)s->seen_speed);
  for (int i = 0; i < 2; i++) seen[i] = MIN(MAX(seen[i], ALL(1e-3) * span * grown[i]), ALL(1));
  const KIND(sizes) first = KIND(measure)(s, seen, NULL);
  const V d0 = first.place, d1 = first.rate;
  const V floor_ = ALL(1e4 * DBL_EPSILON) * MAX(KIND(size)(*t), MIN(span, ALL(1)));
  V h0 = KIND(choose)(LESS(d0, ALL(1e-5)) | LESS(d1, ALL(1e-5)), ALL(1e-6), ALL(0.01) * d0 / d1);
  h0 = MIN(MAX(h0, floor_), span);
  in[0] = *t + h0;
  for (int i = 0; i < n; i++) in[1 + i] = FMA(h0, k0[i], y[i]);
  s->p.rates(s->context, s->in, s->k[1]);
  const KIND(sizes) second = KIND(measure)(s, seen, (const V*)s->k[1]);
  const V bend = second.bend / h0, most = MAX(d1, bend), total = second.total + bend;
  V h1 = KIND(exp2)(ALL(1.0 / 8) * (ALL(-6.643856189774724) - KIND(log2)(MAX(most, ALL(1e-15)))));
  h1 = KIND(choose)(UPTO(most, ALL(1e-15)), MAX(ALL(1e-6), h0 * ALL(1e-3)), h1);
  V h = MIN(MAX(MIN(ALL(100) * h0, h1), floor_), span);
  h = KIND(choose)(KIND(finite)(total), h, h0 * ALL(1.0 / 16));
  *(V*)s->h = KIND(choose)(begins, h, *(V*)s->h);
  *(V*)s->log_error = KIND(choose)(begins, ALL(log_least_error), *(V*)s->log_error);
  *(I*)s->begins = (I){0};
  s->fresh = false;
}
