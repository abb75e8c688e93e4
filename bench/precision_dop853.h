// dop853 for one problem, all of it known to the compiler: define N, RHS(t, y, dy), PROJECT(y) and
// NAME and include. Step control as in Hairer, Norsett and Wanner II.10; y and t are summed
// with compensation. The numbers are those of step/dop853_table.h.
#define K(NUMBER) k[NUMBER][i]
#define STAGE(NUMBER, C, SUM)                            \
  do {                                                   \
    for (int i = 0; i < N; i++) w[i] = y[i] + h * (SUM); \
    RHS(t + ((C)*h + rest), w, k[NUMBER]);               \
  } while (0)

static bool NAME(double t_end, double tolerance, double* y)
{
  double k[13][N], w[N], next[N], carry[N] = {0}, carried[N], t = 0, rest = 0, h;
  const double absolute = 0.1 * tolerance;
  RHS(t, y, k[0]);
  double d0 = 0, d1 = 0;
  for (int i = 0; i < N; i++) {
    const double unit = absolute + tolerance * fabs(y[i]);
    d0 += y[i] / unit * (y[i] / unit);
    d1 += K(0) / unit * (K(0) / unit);
  }
  h = d0 > 1e-10 && d1 > 1e-10 ? 0.01 * sqrt(d0 / d1) : 1e-6;
  for (int i = 0; i < N; i++) w[i] = y[i] + h * K(0);
  RHS(t + h, w, k[1]);
  double d2 = 0;
  for (int i = 0; i < N; i++) {
    const double unit = absolute + tolerance * fabs(y[i]), x = (K(1) - K(0)) / (unit * h);
    d2 += x * x;
  }
  h = fmin(100 * h, pow(0.01 / sqrt(fmax(fmax(d1, d2), 1e-30)), 1.0 / 8));
  bool rejected = false;
  for (int turns = 0; t < t_end; turns++) {
    if (turns > 1000000 || !(h > 1e-14 * t_end)) return false;
    const bool last = t + 1.01 * h >= t_end;
    if (last) h = t_end - t - rest;
    STAGE(1, c1, a1_0 * K(0));
    STAGE(2, c2, a2_0 * K(0) + a2_1 * K(1));
    STAGE(3, c3, a3_0 * K(0) + a3_2 * K(2));
    STAGE(4, c4, a4_0 * K(0) + a4_2 * K(2) + a4_3 * K(3));
    STAGE(5, c5, a5_0 * K(0) + a5_3 * K(3) + a5_4 * K(4));
    STAGE(6, c6, a6_0 * K(0) + a6_3 * K(3) + a6_4 * K(4) + a6_5 * K(5));
    STAGE(7, c7, a7_0 * K(0) + a7_3 * K(3) + a7_4 * K(4) + a7_5 * K(5) + a7_6 * K(6));
    STAGE(8, c8, a8_0 * K(0) + a8_3 * K(3) + a8_4 * K(4) + a8_5 * K(5) + a8_6 * K(6) + a8_7 * K(7));
    STAGE(9, c9,
          a9_0 * K(0) + a9_3 * K(3) + a9_4 * K(4) + a9_5 * K(5) + a9_6 * K(6) + a9_7 * K(7) +
              a9_8 * K(8));
    STAGE(10, c10,
          a10_0 * K(0) + a10_3 * K(3) + a10_4 * K(4) + a10_5 * K(5) + a10_6 * K(6) + a10_7 * K(7) +
              a10_8 * K(8) + a10_9 * K(9));
    STAGE(11, 1,
          a11_0 * K(0) + a11_3 * K(3) + a11_4 * K(4) + a11_5 * K(5) + a11_6 * K(6) + a11_7 * K(7) +
              a11_8 * K(8) + a11_9 * K(9) + a11_10 * K(10));
    double sum5 = 0, sum3 = 0;
    for (int i = 0; i < N; i++) {
      // the weights sum to one: on differences their rounding cannot pile up to a drift
      const double k0 = K(0);
      const double slope =
          k0 + (b_5 * (K(5) - k0) + b_6 * (K(6) - k0) + b_7 * (K(7) - k0) + b_8 * (K(8) - k0) +
                b_9 * (K(9) - k0) + b_10 * (K(10) - k0) + b_11 * (K(11) - k0));
      const double e5 = e_0 * K(0) + e_5 * K(5) + e_6 * K(6) + e_7 * K(7) + e_8 * K(8) +
                        e_9 * K(9) + e_10 * K(10) + e_11 * K(11);
      const double e3 = slope - w_0 * K(0) - w_8 * K(8) - w_11 * K(11);
      const double add = h * slope + carry[i];
      next[i] = y[i] + add;
      carried[i] = add - (next[i] - y[i]);
      const double unit = 1 / (absolute + tolerance * fmax(fabs(y[i]), fabs(next[i])));
      sum5 += e5 * unit * (e5 * unit);
      sum3 += e3 * unit * (e3 * unit);
    }
    const double below = sum5 + 0.01 * sum3;
    const double error = below > 0 ? h * sum5 / sqrt(N * below) : 0;
    if (!(error < INFINITY)) return false;
    const double factor = fmin(fmax(0.9 * pow(fmax(error, 1e-10), -1.0 / 8), 1.0 / 3), 6);
    if (error > 1) {
      h *= factor;
      rejected = true;
      continue;
    }
    const double from = t, by = h + rest;
    t = last ? t_end : t + by;
    rest = by - (t - from);
    for (int i = 0; i < N; i++) {
      y[i] = next[i];
      carry[i] = carried[i];
    }
    PROJECT(y);
    if (t < t_end) RHS(t, y, k[0]);
    h *= rejected ? fmin(factor, 1) : factor;
    rejected = false;
  }
  return true;
}
#undef K
#undef STAGE
#undef N
#undef RHS
#undef PROJECT
#undef NAME
