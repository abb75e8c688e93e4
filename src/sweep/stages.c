// The stages of a step written out, with the operations of the rates in them: nothing is called
// and little is stored between them, and what depends on params alone is made once.
#include "sweep/stages.h"

#include <stdlib.h>

// Operations of a step in one kernel: machine code of more than that does not stay in the nearest
// cache of the processor.
enum { most_operations = 4000, stages = 12 };

typedef struct writer
{
  code_draft* draft;
  const code_kernel* rates;
} writer;

static int number(void* context, double x)
{
  return code_draft_number(((writer*)context)->draft, x);
}

static int fused(void* context, int a, int b, int c)
{
  return code_draft_fma(((writer*)context)->draft, a, b, c);
}

static int product(void* context, int a, int b)
{
  return code_draft_mul(((writer*)context)->draft, a, b);
}

static int difference(void* context, int a, int b)
{
  return code_draft_sub(((writer*)context)->draft, a, b);
}

static int least(void* context, int a, int b)
{
  return code_draft_least(((writer*)context)->draft, a, b);
}

static void rates(void* context, const int* in, int* out)
{
  const writer* w = context;
  code_draft_put(w->draft, w->rates, in, out);
}

code_kernel* sweep_stages_new(code_kernel** kernel, const step_lanes_problem* p)
{
  if (stages * code_operations(*kernel) > most_operations) return NULL;
  code_kernel* by_products = code_by_reciprocals(*kernel, 1 + p->n);
  code_free(*kernel);
  *kernel = by_products;
  const int inputs = p->inputs + 1 + step_lanes_kept(p), outputs = step_lanes_made(p);
  writer w = {code_draft_new(inputs), by_products};
  int *given = base_alloc(sizeof(int) * (size_t)(inputs + outputs + 1)), *made = given + inputs;
  for (int i = 0; i < inputs; i++) given[i] = code_draft_input(w.draft, i);
  const step_lanes_pen pen = {.context = &w,
                              .number = number,
                              .fma = fused,
                              .mul = product,
                              .sub = difference,
                              .least = least,
                              .rates = rates};
  step_lanes_spell(p, &pen, given, made);
  code_kernel* k = code_draft_end(w.draft, outputs, made);
  free(given);
  return k;
}

// with code for two blocks there is no step of one
bool sweep_stages_pair(code_kernel* step, int width)
{
  if (!step) return false;
  if (2 * code_operations(step) <= most_operations && code_native_pair(step, width)) return true;
  code_native(step, width);
  return false;
}
