// Building: numbers, sums, products, powers and functions in their cheap normal form.
#include "check.h"
#include "expr/expr.h"

#include <stdlib.h>

static char* text_of(const expr_pool* p, expr e)
{
  base_text t = {0};
  expr_print(p, &t, e);
  return base_text_take(&t);
}

#define CHECK_EXPR(P, E, WANT)      \
  do {                              \
    char* got_ = text_of((P), (E)); \
    CHECK_TEXT(got_, (WANT));       \
    free(got_);                     \
  } while (0)

TEST(like_terms_are_merged)
{
  expr_pool* p = expr_pool_new(0);
  expr x = expr_symbol(p, "x"), y = expr_symbol(p, "y");
  expr e = expr_add(p, expr_add(p, x, y), expr_sub(p, x, y));
  CHECK(e == expr_mul(p, expr_int(p, 2), x));
  CHECK_EXPR(p, e, "2*x");
  CHECK(expr_mul(p, x, expr_mul(p, y, x)) == expr_mul(p, y, expr_pow(p, x, expr_int(p, 2))));
  expr_pool_free(p);
}
