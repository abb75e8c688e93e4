// Values of limbs that are alike, side by side in vector registers: the interpreter's bits.
#include "check.h"
#include "code/tapes.h"

#include <math.h>
#include <stdlib.h>

enum { OWN = 3, COMMON = 2, INPUTS = CODE_TWINS * OWN + COMMON, OUTPUTS = 4 * CODE_TWINS + 3 };
enum { MOST = 400 };

// the values of each limb in the order of their making, and those of all limbs together
typedef struct body
{
  code_maker m;
  graph_random r;
  uint32_t own[CODE_TWINS][MOST], common[MOST];
  int owns, commons, limbs;
} body;

static void start(body* b, uint64_t seed, int limbs)
{
  *b = (body){.r = {seed}, .limbs = limbs};
  code_maker_start(&b->m, INPUTS, OUTPUTS);
  for (int l = 0; l < b->limbs; l++)
    for (int i = 0; i < OWN; i++) b->own[l][i] = code_make_in(&b->m, CODE_TWINS * i + l);
  for (int i = 0; i < COMMON; i++) b->common[i] = code_make_in(&b->m, CODE_TWINS * OWN + i);
  b->owns = OWN;
  b->commons = COMMON;
}

// an operand for every limb: a value of its own, one of all, a number of its own
static void pick(body* b, uint32_t of[CODE_TWINS])
{
  const uint32_t kind = graph_below(&b->r, 12);
  const bool near = graph_below(&b->r, 2);
  const int reach = near && b->owns > 10 ? 10 : b->owns;
  const int k = b->owns - 1 - (int)graph_below(&b->r, (uint32_t)reach);
  const uint32_t common = b->common[graph_below(&b->r, (uint32_t)b->commons)];
  for (int l = 0; l < b->limbs; l++)
    of[l] = kind == 0   ? code_make_const(&b->m, graph_between(&b->r, -2, 2))
            : kind == 1 ? code_make_const(&b->m, 0.75)
            : kind == 2 ? common
                        : b->own[l][k];
}

static uint32_t pick_op(body* b)
{
  static const uint32_t often[] = {CODE_ADD, CODE_SUB, CODE_MUL, CODE_MUL, CODE_ADD, CODE_NEG};
  return graph_below(&b->r, 5) ? often[graph_below(&b->r, 6)] : graph_below(&b->r, CODE_CONST);
}

static void grow_limbs(body* b, int steps)
{
  for (int i = 0; i < steps; i++) {
    const uint32_t op = pick_op(b);
    const int args = code_op_args(op);
    uint32_t of[3][CODE_TWINS];
    for (int k = 0; k < 3; k++) pick(b, of[k]);
    for (int l = 0; l < b->limbs; l++)
      b->own[l][b->owns] =
          code_make(&b->m, op, of[0][l], args > 1 ? of[1][l] : 0, args > 2 ? of[2][l] : 0);
    b->owns++;
    if (graph_below(&b->r, 20)) continue;
    for (int l = 0; l < b->limbs; l++) {
      b->own[l][b->owns] = code_make(&b->m, CODE_SIN, of[0][l], 0, 0);
      b->own[l][b->owns + 1] = code_make(&b->m, CODE_COS, of[0][l], 0, 0);
    }
    b->owns += 2;
  }
}

// sums over the limbs, one after the other
static void join_limbs(body* b, int sums)
{
  for (int i = 0; i < sums; i++) {
    const int k = b->owns - 1 - (int)graph_below(&b->r, OWN);
    uint32_t sum = b->common[graph_below(&b->r, (uint32_t)b->commons)];
    for (int l = 0; l < b->limbs; l++) sum = code_make(&b->m, CODE_ADD, sum, b->own[l][k], 0);
    b->common[b->commons++] = code_make(&b->m, CODE_MUL, sum, b->common[0], 0);
  }
}

static void name_inputs(code_twin twin[INPUTS], int limbs)
{
  for (int i = 0; i < INPUTS; i++) {
    const int l = i % CODE_TWINS;
    twin[i] = (code_twin){0};
    if (i < CODE_TWINS * OWN && l < limbs)
      twin[i] = (code_twin){1 + (uint32_t)i / CODE_TWINS, 0, (uint8_t)l, (uint8_t)limbs};
  }
}

static code_kernel* body_kernel(uint64_t seed, int limbs, int steps)
{
  static body b;
  start(&b, seed, limbs);
  for (int turn = 0; turn < 3; turn++) {
    grow_limbs(&b, steps / 3);
    join_limbs(&b, 3);
  }
  for (int i = 0; i < OUTPUTS; i++)
    b.m.tape.out[i] = i < 4 * CODE_TWINS ? b.own[i % limbs][b.owns - 1 - i / CODE_TWINS]
                                         : b.common[b.commons - 1 - i % 3];
  code_maker_end(&b.m);
  code_twin twin[INPUTS];
  name_inputs(twin, limbs);
  return code_kernel_with_twins(&b.m.tape, twin);
}

static bool same_bits(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

// outputs that are not those of the interpreter
static int differences(const code_kernel* k, const code_pages* p, graph_random* r, int* numbers)
{
  double in[INPUTS], want[OUTPUTS], got[OUTPUTS];
  double* scratch = malloc((code_scratch(k) + 1) * sizeof *scratch);
  int bad = 0;
  code_runner* run;
  const void* entry = (const char*)p->at + p->entry;
  memcpy(&run, &entry, sizeof run);
  for (int again = 0; again < 4; again++) {
    for (int i = 0; i < INPUTS; i++) in[i] = again < 2 ? graph_between(r, -2, 2) : tape_input(r);
    code_interpreter(1)(k, in, want, scratch);
    run(k, in, got, scratch);
    for (int i = 0; i < OUTPUTS; i++) {
      bad += !same_bits(want[i], got[i]);
      *numbers += isfinite(want[i]) && want[i] != 0;
    }
  }
  free(scratch);
  return bad;
}

TEST(limbs_that_are_alike_have_the_interpreters_bits)
{
  const code_level here = code_level_here();
  if (here < CODE_AVX2) SKIP("no machine code on this processor");
  int packed = 0, numbers = 0;
  for (int i = 0; i < 3000; i++) {
    code_kernel* k = body_kernel((uint64_t)i * 7919, 2 + i % 3, 9 + i % 300);
    graph_random r = {(uint64_t)i};
    packed += k->packed.tape.ins.n > 0;
    for (code_level level = CODE_AVX2; level <= here && k->packed.tape.ins.n; level++) {
      code_pages p;
      CHECK(code_emit_packed(&p, &k->packed, level));
      CHECK(p.slots <= k->native_slots);
      const int bad = differences(k, &p, &r, &numbers);
      if (bad) check_fail(__FILE__, __LINE__, "seed %d, level %d: %d differ", i, (int)level, bad);
      code_pages_free(&p);
    }
    code_free(k);
  }
  printf("# %d of 3000 packed, %d numbers compared\n", packed, numbers);
  CHECK(packed > 1500);
  CHECK(numbers > 50000);
}

// of 90 operations of each limb hardly more than 90 are left
TEST(what_is_alike_is_computed_once)
{
  if (code_level_here() < CODE_AVX2) SKIP("no machine code on this processor");
  body b;
  start(&b, 1, CODE_TWINS);
  for (int l = 0; l < CODE_TWINS; l++) {
    uint32_t x = b.own[l][0];
    for (int i = 0; i < 45; i++) {
      x = code_make(&b.m, CODE_MUL, x, b.own[l][1], 0);
      x = code_make(&b.m, i % 2 ? CODE_ADD : CODE_SUB, b.own[l][2], x, 0);
    }
    b.own[l][3] = x;
  }
  for (int i = 0; i < OUTPUTS; i++) b.m.tape.out[i] = b.own[i % CODE_TWINS][3];
  code_maker_end(&b.m);
  code_twin twin[INPUTS];
  name_inputs(twin, CODE_TWINS);
  code_kernel* k = code_kernel_with_twins(&b.m.tape, twin);
  CHECK(k->tape.ins.n > 4 * 45);
  CHECK(k->packed.tape.ins.n > 45);
  CHECK(k->packed.tape.ins.n < 45 + 40);
  code_free(k);
}
