// Turns of an iteration on eight states side by side. Only components that others need take part in
// it: coordinates that nothing depends on, and the work, are sums that are known when it is over.
// So a turn evaluates what the rates of those alone are made of, and what depends on time and
// params alone is made once for all turns of a step.
#include "rate/lanes.h"

#include <stdlib.h>

enum { width = rate_lanes_width };

typedef struct parts
{
  code_kernel *stays, *moves;
  bool* uses; // by input of what moves
} parts;

static void release(void* thing)
{
  parts* p = thing;
  code_free(p->stays);
  code_free(p->moves);
  free(p->uses);
  free(p);
}

// the outputs that a turn wants, -1 in between; how many
static int outputs_of(int n, const bool* needed, const rate_lanes_choice* c, int* output)
{
  int count = c->guard + 1;
  for (int i = 0; i < n; i++)
    if (needed[i] && c->put_rate[i] >= count) count = c->put_rate[i] + 1;
  for (int k = 0; k < count; k++) output[k] = k <= c->guard ? k : -1;
  for (int i = 0; i < n; i++)
    if (needed[i] && c->put_rate[i] >= 0) output[c->put_rate[i]] = c->put_rate[i];
  return count;
}

static parts* split(const engine* e, const rate_lanes_choice* c)
{
  const int n = e->n;
  const bool* needed = rate_shared_equations(e->program)->needed;
  parts* p = base_alloc(sizeof *p);
  int* output = base_alloc(sizeof *output * (size_t)(2 * n + 2));
  bool* moving = base_alloc((size_t)e->program->inputs + 1);
  for (int i = 0; i < n; i++) {
    moving[1 + i] = needed[i];
    moving[1 + n + i] = !c->depends[i];
  }
  if (code_split(c->kernel, outputs_of(n, needed, c, output), output, moving, &p->stays,
                 &p->moves)) {
    p->uses = base_alloc((size_t)code_inputs(p->moves) + 1);
    code_uses(p->moves, p->uses);
  }
  free(output);
  free(moving);
  return p;
}

void rate_lanes_turn_make(engine* e, rate_lanes_choice* c)
{
  if (!c->kernel) return;
  const base_key key = {"turns", &c->kernel, sizeof(c->kernel)};
  void* found;
  base_kept_open(e->s->kept);
  if (!base_kept_find(e->s->kept, key, &found)) {
    found = split(e, c);
    engine_keep(e, key, found, release);
  }
  base_kept_unlock(e->s->kept);
  c->moves = ((parts*)found)->moves;
  c->stays = ((parts*)found)->stays;
  c->uses = ((parts*)found)->uses;
}

size_t rate_lanes_turn_rows(const rate_lanes* s)
{
  const code_kernel* moves = s->now ? s->now->moves : NULL;
  return (size_t)(moves ? code_inputs(moves) : s->e->program->inputs);
}

size_t rate_lanes_turn_scratch(const rate_lanes* s)
{
  const rate_lanes_choice* c = s->now;
  const size_t moves = c->moves ? code_scratch_lanes(c->moves, s->lanes) : 0,
               stays = c->stays ? code_scratch_lanes(c->stays, s->lanes) : 0;
  return moves > stays ? moves : stays;
}

void rate_lanes_turn_rebase(rate_lanes* s)
{
  const rate_lanes_choice* c = s->now;
  s->ode.turn = c->moves ? rate_lanes_evaluate_turn : NULL;
  if (!c->moves) return;
  s->ode.turning = c->uses + 1;
  code_native(c->moves, s->lanes);
  if (c->stays) code_native(c->stays, s->lanes);
}

// inputs `first` and `count` of them into the parts
static void fill(rate_lanes* s, int first, int count)
{
  const int lanes = s->lanes, inputs = code_inputs(s->now->moves);
  for (int from = 0; from < width; from += lanes)
    rate_lanes_copy(count, lanes, s->part_turn + from * inputs + first * lanes, lanes,
                    s->in + first * width + from, width);
}

// a part of the lanes at a time, where the processor has fewer
static void run_parts(rate_lanes* s, const code_kernel* k, double* out)
{
  const int lanes = s->lanes, inputs = code_inputs(s->now->moves);
  for (int from = 0; from < width; from += lanes) {
    code_run_lanes(k, lanes, s->part_turn + from * inputs, s->part_out, s->scratch);
    rate_lanes_copy(code_outputs(k), lanes, out + from, width, s->part_out, lanes);
  }
}

static void run(rate_lanes* s, const code_kernel* k, double* out)
{
  if (s->lanes == width)
    code_run_lanes(k, width, s->in, out, s->scratch);
  else
    run_parts(s, k, out);
}

int rate_lanes_evaluate_turn(void* flow)
{
  rate_lanes* s = ((rate_flow*)flow)->abreast;
  const rate_lanes_choice* c = s->now;
  const int inputs = s->e->program->inputs;
  const bool apart = s->lanes < width;
  s->e->evaluations++;
  if (apart) fill(s, s->stale ? 0 : 1, s->stale ? inputs : 2 * s->e->n);
  if (s->stale && c->stays) {
    run(s, c->stays, s->in + width * inputs);
    if (apart) fill(s, inputs, code_outputs(c->stays));
  }
  s->stale = false;
  run(s, c->moves, s->out);
  return rate_lanes_sure(s) ? 0 : rate_lanes_evaluate(flow);
}
