// Numbers as text: whole numbers and fractions, decimals where a person would have written one.
#include "expr/print.h"

#define MOST_DIGITS 15

// z as digits without its sign
static void digits(base_text* out, mpz_srcptr z)
{
  char* text = base_alloc(mpz_sizeinbase(z, 10) + 2);
  mpz_get_str(text, 10, z);
  base_text_add(out, text[0] == '-' ? text + 1 : text);
  free(text);
}

// |q| = mantissa * 10^exponent, mantissa without trailing zeros; false when no such form is short
static bool decimal_form(mpq_srcptr q, base_text* mantissa, long* exponent)
{
  mpz_t below, above;
  unsigned long twos = 0, fives = 0;
  mpz_init_set(below, mpq_denref(q));
  mpz_init_set(above, mpq_numref(q));
  mpz_abs(above, above);
  while (mpz_divisible_ui_p(below, 2)) {
    mpz_divexact_ui(below, below, 2);
    twos++;
  }
  while (mpz_divisible_ui_p(below, 5)) {
    mpz_divexact_ui(below, below, 5);
    fives++;
  }
  bool fits = mpz_cmp_ui(below, 1) == 0 && twos < 400 && fives < 400;
  // halves, quarters and their like read better as fractions
  if (fives == 0 && twos > 0) fits = fits && twos > 6;
  if (fits) {
    unsigned long places = twos > fives ? twos : fives;
    mpz_t f;
    mpz_init(f);
    mpz_ui_pow_ui(f, 2, places - twos);
    mpz_mul(above, above, f);
    mpz_ui_pow_ui(f, 5, places - fives);
    mpz_mul(above, above, f);
    mpz_clear(f);
    *exponent = -(long)places;
    while (mpz_sgn(above) && mpz_divisible_ui_p(above, 10)) {
      mpz_divexact_ui(above, above, 10);
      ++*exponent;
    }
    digits(mantissa, above);
    fits = mantissa->n <= MOST_DIGITS;
  }
  mpz_clears(below, above, NULL);
  return fits;
}

// mantissa * 10^exponent: 0.6, 9.81, 6.674e-11, 2e11
static void decimal_text(base_text* out, const base_text* m, long exponent)
{
  long n = (long)m->n, point = n + exponent; // digits before the point
  if (exponent >= 0 && exponent <= 8) {
    base_text_add(out, m->at);
    for (long i = 0; i < exponent; i++) base_text_add(out, "0");
  } else if (exponent < 0 && point > 0) {
    base_text_printf(out, "%.*s.%s", (int)point, m->at, m->at + point);
  } else if (exponent < 0 && point > -5) {
    base_text_add(out, "0.");
    for (long i = point; i < 0; i++) base_text_add(out, "0");
    base_text_add(out, m->at);
  } else {
    base_text_addn(out, m->at, 1);
    if (n > 1) base_text_printf(out, ".%s", m->at + 1);
    base_text_printf(out, "e%ld", point - 1);
  }
}

bool expr_number_is_decimal(const expr_pool* p, expr e)
{
  if (expr_q_is_whole(p, e)) return true;
  mpq_t q;
  mpq_init(q);
  expr_q_get(p, e, q);
  base_text m = {0};
  long exponent;
  bool fits = decimal_form(q, &m, &exponent);
  base_text_free(&m);
  mpq_clear(q);
  return fits;
}

void expr_number_text(const expr_pool* p, base_text* out, expr e)
{
  mpq_t q;
  mpq_init(q);
  expr_q_get(p, e, q);
  base_text m = {0};
  long exponent;
  if (decimal_form(q, &m, &exponent)) {
    decimal_text(out, &m, exponent);
  } else {
    digits(out, mpq_numref(q));
    if (!expr_q_is_whole(p, e)) {
      base_text_add(out, "/");
      digits(out, mpq_denref(q));
    }
  }
  base_text_free(&m);
  mpq_clear(q);
}

void expr_number_above(const expr_pool* p, base_text* out, expr e)
{
  mpq_t q;
  mpq_init(q);
  expr_q_get(p, e, q);
  digits(out, mpq_numref(q));
  mpq_clear(q);
}

void expr_number_below(const expr_pool* p, base_text* out, expr e)
{
  mpq_t q;
  mpq_init(q);
  expr_q_get(p, e, q);
  digits(out, mpq_denref(q));
  mpq_clear(q);
}
