// Friction over a small round patch of radius a, after Contensou (1963) and Zhuravlev, Journal of
// Applied Mathematics and Mechanics 62 (1998) 705: every element of the patch rubs against its own
// velocity, so that the force depends on the pivoting and the moment on the slip. With the speed of
// slip V, of pivoting U = a |w|, d = V/U, and the pressure over the patch,
//   hertz     p(r) = 3 N sqrt(1 - r^2/a^2)/(2 pi a^2)
//     d <= 1: F = 3 pi/8 d (1 - d^2/4),  M = 3 pi/16 (1 - d^2 + 3/8 d^4)
//     d >= 1: F = 3/4 [(d - d^3/4) asin 1/d + sqrt(d^2 - 1) (d/4 + 1/(2 d))]
//             M = 3/8 [(1 - d^2 + 3/8 d^4) asin 1/d + sqrt(d^2 - 1) (3/4 - 3/8 d^2)]
//   uniform   p(r) = N/(pi a^2), k = min(d, 1/d), B, D, C the elliptic integrals of Jahnke and Emde
//     F = 4/(3 pi) (2 B + (1 - k^2) D) min(d, 1)
//     d <= 1: M = 4/(9 pi) ((3 - k^2) B + (1 - k^2)(3 - 2 k^2) D)
//     d >= 1: M = 4/(9 pi) (3 B - D + C) k,  C = (D - B)/k^2
// in units of mu N and mu N a. For large d, where Hertz's terms cancel, F = sum b_n d^-2n is used:
// F = 3/2 int_0^1 (1 - t^2) sqrt(1 - t^2/d^2) dt, and dM = -d dF. Zhuravlev's quotients have the
// same values and first derivatives at d = 0 and 1/d = 0:
//   F = d/(d + 1/F'(0)),  M = M(0)/(1 + d M(0)/M_1),  M -> M_1/d
// What is given is F/V and M/U, both divided by mu N and finite wherever V or U is not zero.

#include "model/roll.h"

enum { series_terms = 12, mean_steps = 10 };

static expr root(expr_pool* p, expr x)
{
  return expr_fn1(p, EXPR_SQRT, x);
}

static expr times(expr_pool* p, long up, long down, expr x)
{
  return expr_mul(p, expr_ratio(p, up, down), x);
}

// |x| without a corner: next to x = 0, where the laws are singular but flat, it matters to nothing
static expr size_of(expr_pool* p, expr x)
{
  const expr steep = expr_pow(p, expr_int(p, 10), expr_int(p, 20));
  return expr_mul(p, x, expr_fn1(p, EXPR_TANH, expr_mul(p, steep, x)));
}

// sum c_n x^n
static expr polynomial(expr_pool* p, int n, const expr* c, expr x)
{
  expr sum = c[n - 1];
  for (int k = n - 2; k >= 0; k--) sum = expr_add(p, c[k], expr_mul(p, x, sum));
  return sum;
}

// the larger of two, none negative, without a corner
static expr larger(expr_pool* p, expr a, expr b)
{
  const expr both = expr_add(p, a, b);
  const expr apart = expr_mul(p, both, size_of(p, expr_div(p, expr_sub(p, a, b), both)));
  return times(p, 1, 2, expr_add(p, both, apart));
}

// d >= 4: by the powers of m = 1/d^2, which a step that tries less does not find beyond 1/4
static model_patch_factors hertz_far(expr_pool* p, expr V2, expr U2)
{
  const expr most = larger(p, V2, times(p, 4, 1, U2)), m = expr_div(p, U2, most);
  const expr over = expr_div(p, expr_int(p, 1), root(p, most));
  expr F[series_terms], M[series_terms], binomial = expr_int(p, 1);
  for (int n = 0; n < series_terms; n++) {
    // (-1)^n (1/2 over n)
    if (n) binomial = times(p, 2 * n - 3, 2 * n, binomial);
    F[n] = times(p, 3, (2 * n + 1) * (2 * n + 3), binomial);
    if (n) M[n - 1] = times(p, -2 * n, 2 * n - 1, F[n]);
  }
  return (model_patch_factors){expr_mul(p, over, polynomial(p, series_terms, F, m)),
                               expr_mul(p, over, polynomial(p, series_terms - 1, M, m))};
}

// d <= 4, closed, and not asked for more than 6: asin 1/d = atan 1/s, s^2 = d^2 - 1 or zero
static model_patch_factors hertz_near(expr_pool* p, expr V2, expr U2)
{
  const expr most = larger(p, U2, times(p, 1, 36, V2)), d2 = expr_div(p, V2, most);
  const expr one = expr_int(p, 1), rest = expr_sub(p, d2, one);
  const expr s = root(p, times(p, 1, 2, expr_add(p, rest, size_of(p, rest))));
  const expr angle = expr_fn1(p, EXPR_ATAN, expr_div(p, one, s));
  const expr c[3] = {one, expr_int(p, -1), expr_ratio(p, 3, 8)};
  // without slip s is zero as well
  const expr slips = expr_add(p, d2, expr_pow(p, expr_int(p, 10), expr_int(p, -30)));
  const expr F[2] = {
      expr_mul(p, angle, expr_sub(p, one, times(p, 1, 4, d2))),
      expr_mul(p, s, expr_add(p, expr_ratio(p, 1, 4), expr_div(p, expr_ratio(p, 1, 2), slips)))};
  const expr M[2] = {expr_mul(p, angle, polynomial(p, 3, c, d2)),
                     expr_mul(p, s, expr_sub(p, expr_ratio(p, 3, 4), times(p, 3, 8, d2)))};
  const expr over = expr_div(p, one, root(p, most));
  return (model_patch_factors){expr_mul(p, times(p, 3, 4, over), expr_sum(p, 2, F)),
                               expr_mul(p, times(p, 3, 8, over), expr_sum(p, 2, M))};
}

static model_patch_factors hertz(expr_pool* p, expr V2, expr U2)
{
  const expr slips = expr_less(p, times(p, 16, 1, U2), V2);
  const model_patch_factors far = hertz_far(p, V2, U2), near = hertz_near(p, V2, U2);
  return (model_patch_factors){expr_if(p, slips, far.slip, near.slip),
                               expr_if(p, slips, far.pivot, near.pivot)};
}

// B, D and C of the square m of the modulus by the arithmetic-geometric mean of 1 and its
// complement: K = pi/(2 a), D - B = K S, S = sum_(n > 0) 2^n c_n^2/m, c_(n + 1) = c_n^2/(4 a_(n +
// 1))
typedef struct elliptic
{
  expr B, D, C;
} elliptic;

// a product becomes a sum: of products of products the powers would be gathered, and those are
// beyond all numbers after some steps of a mean
static expr gathered(expr_pool* p, expr x)
{
  return expr_add(p, x, expr_pow(p, expr_int(p, 10), expr_int(p, -300)));
}

static elliptic elliptic_of(expr_pool* p, expr m)
{
  const expr one = expr_int(p, 1), sixteenth = expr_ratio(p, 1, 16);
  // the mean of 1 and 0 is none: K is infinite there, and stands with what is zero
  const expr least = expr_pow(p, expr_int(p, 10), expr_int(p, -20));
  expr a = one, b = root(p, expr_add(p, least, size_of(p, expr_sub(p, one, m))));
  expr c = EXPR_NONE; // c_n^2/m^2
  expr term[mean_steps];
  for (int n = 0; n < mean_steps; n++) {
    const expr mean = times(p, 1, 2, expr_add(p, a, b));
    b = gathered(p, root(p, expr_mul(p, a, b)));
    a = mean;
    const expr grown = n ? expr_product(p, 4, (const expr[]){c, c, m, m}) : one;
    c = gathered(p, expr_div(p, expr_mul(p, sixteenth, grown), expr_mul(p, a, a)));
    term[n] = times(p, 2L << n, 1, c);
  }
  const expr K = expr_div(p, times(p, 1, 2, expr_pi(p)), a), S = expr_sum(p, mean_steps, term);
  const expr half = times(p, 1, 2, K), more = expr_mul(p, m, S);
  return (elliptic){.B = expr_mul(p, half, expr_sub(p, one, more)),
                    .D = expr_mul(p, half, expr_add(p, one, more)),
                    .C = expr_mul(p, K, S)};
}

static model_patch_factors uniform(expr_pool* p, expr V2, expr U2)
{
  const expr one = expr_int(p, 1), three = expr_int(p, 3), pivots = expr_less(p, V2, U2);
  const expr most = larger(p, V2, U2), least = expr_sub(p, expr_add(p, V2, U2), most);
  const expr m = expr_div(p, least, most), over = expr_div(p, one, root(p, most));
  const elliptic x = elliptic_of(p, m);
  const expr rest = expr_sub(p, one, m), unit = expr_div(p, over, expr_pi(p));
  const expr F = expr_add(p, times(p, 2, 1, x.B), expr_mul(p, rest, x.D));
  const expr inside[2] = {
      expr_mul(p, expr_sub(p, three, m), x.B),
      expr_product(p, 3, (const expr[]){rest, expr_sub(p, three, times(p, 2, 1, m)), x.D})};
  const expr outside[3] = {times(p, 3, 1, x.B), expr_neg(p, x.D), x.C};
  const expr M = expr_if(p, pivots, expr_sum(p, 2, inside), expr_sum(p, 3, outside));
  return (model_patch_factors){expr_mul(p, times(p, 4, 3, unit), F),
                               expr_mul(p, times(p, 4, 9, unit), M)};
}

static model_patch_factors quotients(expr_pool* p, bool hertzian, expr V2, expr U2)
{
  const expr one = expr_int(p, 1), pi = expr_pi(p), V = root(p, V2), U = root(p, U2);
  const expr slope = hertzian ? times(p, 3, 8, pi) : one;
  const expr still = hertzian ? times(p, 3, 16, pi) : expr_ratio(p, 2, 3);
  const expr far = hertzian ? expr_ratio(p, 1, 5) : expr_ratio(p, 1, 4);
  return (model_patch_factors){
      expr_div(p, one, expr_add(p, V, expr_div(p, U, slope))),
      expr_div(p, still, expr_add(p, U, expr_mul(p, V, expr_div(p, still, far))))};
}

model_patch_factors model_patch_law(expr_pool* p, model_patch patch, bool rational, expr V2,
                                    expr U2)
{
  if (rational) return quotients(p, patch == MODEL_PATCH_HERTZ, V2, U2);
  return patch == MODEL_PATCH_HERTZ ? hertz(p, V2, U2) : uniform(p, V2, U2);
}
