// A jet with twice the digits from expressions: an exact tape, its numbers, two blocks of scratch.
#include "code/wide.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// the tape of a maker that is done, in its order; sums of angles are left as they are: a sine of
// twice the digits is made once a step, its parts would cost more in every order
static code_tape ordered(code_tape* t)
{
  code_fuse(t);
  code_pair(t);
  code_tape made = code_order(t);
  code_tape_free(t);
  return made;
}

code_wide* code_wide_new(const expr_pool* p, int outputs, const expr* out, int inputs,
                         const expr* in, int order, int extra, expr* missing)
{
  expr unknown = EXPR_NONE;
  code_maker m;
  code_maker_start(&m, inputs, outputs);
  m.exact = true;
  const bool whole = code_lower(&m, p, out, in, &unknown);
  code_maker_end(&m);
  if (missing) *missing = unknown;
  code_wide* w = NULL;
  if (whole) {
    code_tape t = ordered(&m.tape);
    int* all = base_alloc((size_t)(outputs + 1) * sizeof *all);
    for (int i = 0; i < outputs; i++) all[i] = i;
    jet_numbers numbers = {.own = inputs, .value = m.numbers.at};
    w = base_alloc(sizeof *w);
    w->jet = code_jet_build(&t, outputs, all, order, extra, &numbers);
    w->constant_low = numbers.low;
    w->block = code_jet_scratch(w->jet);
    code_wide_choose(w);
    code_tape_free(&t);
    free(all);
  } else {
    code_tape_free(&m.tape);
  }
  base_list_free(&m.numbers);
  return w;
}

void code_wide_free(code_wide* w)
{
  if (!w) return;
  code_jet_free(w->jet);
  free(w->constant_low);
  free(w);
}

size_t code_wide_scratch(const code_wide* w)
{
  return 2 * w->block;
}

const code_jet* code_wide_jet(const code_wide* w)
{
  return w->jet;
}

void code_wide_clear(const code_wide* w, double* scratch)
{
  const code_jet* j = w->jet;
  double* low = scratch + w->block;
  code_jet_clear(j, scratch);
  memset(low, 0, w->block * sizeof *low);
  for (int i = 0; i < j->constants; i++) {
    low[j->const_at[i]] = w->constant_low[i];
    low[j->const_at[i] + j->mirror + (uint32_t)j->order] = w->constant_low[i];
  }
}

// as code_jet_set_all, in both blocks
void code_wide_set(const code_wide* w, double* scratch, int first, int count, int k,
                   const base_wide* value)
{
  const code_jet* j = w->jet;
  assert(first >= 0 && first + count <= j->inputs && k >= 0 && k <= j->order);
  double* low = scratch + w->block;
  const uint32_t up = (uint32_t)k, down = j->mirror + (uint32_t)(j->order - k);
  for (int i = 0; i < count; i++) {
    const uint32_t at = j->in[first + i];
    if (k > 0 && first < j->own) {
      scratch[at + j->now] = value[i].hi;
      low[at + j->now] = value[i].lo;
      continue;
    }
    scratch[at + up] = scratch[at + down] = value[i].hi;
    low[at + up] = low[at + down] = value[i].lo;
  }
}

void code_wide_run(const code_wide* w, int k, double* scratch)
{
  if (k > 0)
    w->run(w->jet, k, scratch, scratch + w->block);
  else
    code_wide_start(w->jet, scratch, scratch + w->block);
}

base_wide code_wide_out(const code_wide* w, const double* scratch, int output, int k)
{
  const uint32_t at = w->jet->out[output] + (uint32_t)k;
  return (base_wide){scratch[at], scratch[w->block + at]};
}

void code_wide_products(const code_wide* w, const double* scratch, int k, int count,
                        const code_jet_product* list, base_wide* sum)
{
  if (k > 0) w->products(w->jet, scratch, scratch + w->block, k, count, list, sum);
}
