// A bundle as text for a GPU: sizes as macros, kernels as functions.
#include "sweep/bundle.h"
#include "sweep/gpu.h"

#include <stdio.h>

static void add_list(base_text* out, const char* name, int count, const int* number, int other)
{
  base_text_printf(out, "#define %s(E) (", name);
  for (int i = 0; i < count; i++) base_text_printf(out, "(E) == %d ? %d : ", i, number[i]);
  base_text_printf(out, "%d)\n", other);
}

void sweep_bundle_print(const sweep_bundle* b, base_text* out)
{
  base_text_printf(
      out,
      "#define PLACES %d\n#define SPEEDS %d\n#define ROWS %d\n#define AXES %d\n"
      "#define COLUMNS %d\n#define BEFORE %d\n#define BY_TIME %d\n#define EVENTS %d\n"
      "#define NEAREST %d\n#define CHANGES %d\n#define BOUNDS %d\n#define TOLERANCE %.17g\n"
      "#define WORK %d\n#define ALLOWED %.17g\n",
      b->n, b->l, b->rows, b->axes, b->columns, b->before, b->by_time, b->events,
      b->nearest != NULL, b->free, b->bounds, b->tolerance, b->work >= 0, b->allowed);
  base_text_printf(out,
                   "#define INPUTS (1 + PLACES + SPEEDS + AXES)\n#define OUTPUTS %d\n"
                   "#define FIRST_WATCH %d\n#define WATCHES %d\n#define PUTS_PLACES %d\n"
                   "#define PUTS_SPEEDS %d\n#define STRAIGHT 1\n#define JUMPS %d\n",
                   code_outputs(b->rates), b->watch, b->watches, b->settle.places != NULL,
                   b->settle.speeds != NULL, b->jumps);
  base_text_add(out, "#define SLOPES (EVENTS ? 16 : 13)\n#define OWN double p[AXES], H, largest;\n"
                     "#define BEFORE_END 0\n#define FORGET(R) (void)0\n#define PASSED(R) 0\n");
  sweep_gpu_both(code_operations(b->rates), out);
  code_print_cuda(b->rates, "rates", out);
  if (b->settle.places) code_print_cuda(b->settle.places, "places", out);
  if (b->settle.speeds) code_print_cuda(b->settle.speeds, "speeds", out);
  code_print_cuda(b->start, "start", out);
  if (b->nearest) code_print_cuda(b->nearest, "nearest", out);
  code_print_cuda(b->results, "results", out);
  code_print_cuda(b->energy, "energy", out);
  if (!b->events) return;
  code_print_cuda(b->looks, "looks", out);
  if (b->changed) code_print_cuda(b->changed, "changed", out);
  add_list(out, "DIRECTION", b->events, b->direction, 0);
  add_list(out, "JUMP", b->events, b->jump, -1);
  base_text_add(out, "#define STOPS(E) (");
  for (int i = 0; i < b->events; i++) base_text_printf(out, "(E) == %d ? %d : ", i, b->stops[i]);
  base_text_add(out, "0)\n");
}

int sweep_bundle_operations(const sweep_bundle* b)
{
  return code_operations(b->rates);
}
