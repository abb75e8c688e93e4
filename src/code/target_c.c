// The kernel as C99. Each statement is one operation of the tape, written as the table has it.
#include "code/kernel.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void literal(double x, base_text* out)
{
  const char* close = signbit(x) ? ")" : "";
  if (signbit(x)) base_text_add(out, "(-");
  if (!isfinite(x))
    base_text_add(out, isnan(x) ? "NAN" : "INFINITY");
  else {
    base_text digits = {0};
    base_text_double(&digits, fabs(x));
    base_text_add(out, digits.at);
    // 3 is an int in C
    if (!strpbrk(digits.at, ".e")) base_text_add(out, ".0");
    base_text_free(&digits);
  }
  base_text_add(out, close);
}

static void operand(const code_tape* t, const int* name, uint32_t value, base_text* out)
{
  const code_ins* x = &t->ins.at[value];
  if (x->op == CODE_IN)
    base_text_printf(out, "in[%u]", x->a);
  else if (x->op == CODE_CONST)
    literal(code_ins_const(x), out);
  else
    base_text_printf(out, "t%d", name[value]);
}

// the table's text with the operands put in for A, B, C
static void value(const code_tape* t, const int* name, const code_ins* x, base_text* out)
{
  const uint32_t v[3] = {x->a, x->b, x->c};
  for (const char* c = code_op_text(x->op); *c; c++)
    if (*c >= 'A' && *c <= 'C')
      operand(t, name, v[*c - 'A'], out);
    else if (*c == '*')
      base_text_add(out, " *");
    else
      base_text_addn(out, c, 1);
}

static void statement(const code_tape* t, const int* name, uint32_t i, base_text* out)
{
  const code_ins* x = &t->ins.at[i];
  base_text_printf(out, "  const double t%d = ", name[i]);
  if (x->op == CODE_SINCOS || x->op == CODE_COSINE) {
    base_text_add(out, x->op == CODE_SINCOS ? "sin(" : "cos(");
    operand(t, name, x->op == CODE_SINCOS ? x->a : x->b, out);
    base_text_add(out, ")");
  } else
    value(t, name, x, out);
  base_text_add(out, ";\n");
}

// All operations of the tape, then the outputs. Pairs, for a GPU: sine and cosine at once, and
// quotients by reciprocals, which quotients by the same share.
static void body(const code_tape* t, bool pairs, base_text* out)
{
  int* number = base_alloc((size_t)t->ins.n * sizeof *number + 1);
  base_text_add(out, "  (void)in;\n  (void)out;\n");
  for (int i = 0, made = 0; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    if (x->op == CODE_IN || x->op == CODE_CONST) continue;
    number[i] = ++made;
    if (pairs && x->op == CODE_SINCOS) {
      base_text_printf(out, "  double t%d, c%d;\n  both(", made, made);
      operand(t, number, x->a, out);
      base_text_printf(out, ", &t%d, &c%d);\n", made, made);
    } else if (pairs && (x->op == CODE_DIV || x->op == CODE_NDIV)) {
      base_text_printf(out, "  const double t%d = %s", made, x->op == CODE_NDIV ? "-" : "");
      operand(t, number, x->a, out);
      base_text_add(out, " * (1.0 / ");
      operand(t, number, x->b, out);
      base_text_add(out, ");\n");
    } else if (pairs && x->op == CODE_COSINE) {
      base_text_printf(out, "  const double t%d = c%d;\n", made, number[x->a]);
    } else {
      statement(t, number, (uint32_t)i, out);
    }
  }
  for (int i = 0; i < t->outputs; i++) {
    base_text_printf(out, "  out[%d] = ", i);
    operand(t, number, t->out[i], out);
    base_text_add(out, ";\n");
  }
  base_text_add(out, "}\n");
  free(number);
}

void code_print_c(const code_kernel* k, const char* name, base_text* out)
{
  const code_tape* t = &k->tape;
  base_text_printf(out,
                   "// %d inputs, %d outputs, %d operations.\n"
                   "// Compile with -ffp-contract=off to get the bits of the interpreter.\n"
                   "#include <math.h>\n\n"
                   "void %s(const double* in, double* out);\n\n"
                   "void %s(const double* in, double* out)\n{\n",
                   t->inputs, t->outputs, k->steps, name, name);
  body(t, false, out);
}

void code_print_cuda(const code_kernel* k, const char* name, base_text* out)
{
  const code_tape* t = &k->tape;
  base_text_printf(out,
                   "// %d inputs, %d outputs, %d operations\n"
                   "static __device__ void %s(const double* in, double* out)\n{\n",
                   t->inputs, t->outputs, k->steps, name);
  body(t, true, out);
  base_text_add(out, "\n");
}
