// Numbers from their digits.
#include "expr/pool.h"

#include <math.h>

// digits, with at most one point among them, into `digits`; returns how many follow the point, or
// -1 when the text is no number; *used is what was read
static long read_digits(const char* text, size_t length, base_text* digits, size_t* used)
{
  long after = 0;
  bool point = false;
  size_t i = 0;
  for (; i < length; i++) {
    if (text[i] == '.' && !point) {
      point = true;
    } else if (text[i] >= '0' && text[i] <= '9') {
      base_text_addn(digits, text + i, 1);
      after += point;
    } else {
      break;
    }
  }
  *used = i;
  return digits->n ? after : -1;
}

// the exponent after "e"; false when it is malformed or beyond +-400
static bool read_exponent(const char* text, size_t length, long* exponent)
{
  size_t i = 0;
  *exponent = 0;
  if (length == 0) return true;
  if (text[i] != 'e' && text[i] != 'E') return false;
  i++;
  bool minus = i < length && text[i] == '-';
  if (i < length && (text[i] == '-' || text[i] == '+')) i++;
  if (i == length) return false;
  for (; i < length; i++) {
    if (text[i] < '0' || text[i] > '9') return false;
    *exponent = 10 * *exponent + (text[i] - '0');
    if (*exponent > 400) return false;
  }
  if (minus) *exponent = -*exponent;
  return true;
}

// few digits without an exponent, as most are; EXPR_NONE otherwise
static expr short_decimal(expr_pool* p, const char* text, size_t length)
{
  enum { most = sizeof(long) > 4 ? 15 : 9 };
  long above = 0, below = 1;
  bool point = false;
  size_t digits = 0;
  const bool minus = length && text[0] == '-';
  for (size_t i = minus; i < length; i++) {
    if (text[i] == '.' && !point) {
      point = true;
    } else if (text[i] >= '0' && text[i] <= '9' && digits < most) {
      above = 10 * above + (text[i] - '0');
      if (point) below *= 10;
      digits++;
    } else {
      return EXPR_NONE;
    }
  }
  return digits ? expr_ratio(p, minus ? -above : above, below) : EXPR_NONE;
}

expr expr_decimal(expr_pool* p, const char* text, size_t length)
{
  const expr known = short_decimal(p, text, length);
  if (known) return known;
  base_text digits = {0};
  size_t used, sign = length && text[0] == '-';
  long exponent, after = read_digits(text + sign, length - sign, &digits, &used);
  expr r = EXPR_NONE;
  used += sign;
  // a text of 10,000 digits is taken; what is longer is no number anyone means
  if (after >= 0 && digits.n <= 10000 && read_exponent(text + used, length - used, &exponent)) {
    mpq_t q;
    mpz_t scale;
    mpq_init(q);
    mpz_init(scale);
    mpz_set_str(mpq_numref(q), digits.at, 10);
    long shift = exponent - after;
    mpz_ui_pow_ui(scale, 10, (unsigned long)labs(shift));
    if (shift >= 0)
      mpz_mul(mpq_numref(q), mpq_numref(q), scale);
    else
      mpz_set(mpq_denref(q), scale);
    if (sign) mpq_neg(q, q);
    mpq_canonicalize(q);
    r = expr_q_put(p, q);
    mpq_clear(q);
    mpz_clear(scale);
  }
  base_text_free(&digits);
  return r;
}

expr expr_double(expr_pool* p, double value)
{
  if (!isfinite(value)) return EXPR_NONE;
  base_text t = {0};
  base_text_double(&t, value);
  expr r = expr_decimal(p, t.at, t.n);
  base_text_free(&t);
  return r;
}
