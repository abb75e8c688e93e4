// Tapes that repeat themselves: as loops they have the interpreter's bits, and their code is as
// long as a round of them.
#include "check.h"
#include "code/roll.h"
#include "code/tapes.h"

#include <math.h>
#include <stdlib.h>

enum { PARTS = 3, LARGEST = 90, WIDEST = 8, OPERANDS = 3 };

// where an operand of a round comes from
typedef enum source { MOVING, FIXED, NUMBER, HERE, BEFORE, LONG_BEFORE, OTHER, OTHER_BACK } source;

typedef struct operand
{
  source from;
  int which;
} operand;

typedef struct recipe_line
{
  uint32_t op;
  bool clamped, put_out;
  operand operand[OPERANDS];
} recipe_line;

// rounds of one kind
typedef struct recipe
{
  int lines, stride;
  recipe_line line[LARGEST];
} recipe;

typedef struct program
{
  int parts, rounds;
  recipe part[PARTS];
} program;

static operand some_operand(graph_random* r, int part, int line, bool calls)
{
  static const source any[] = {MOVING, HERE,  HERE,   HERE,        HERE,  BEFORE,
                               BEFORE, FIXED, NUMBER, LONG_BEFORE, OTHER, OTHER_BACK};
  operand x = {any[graph_below(r, sizeof any / sizeof *any)], (int)graph_below(r, LARGEST)};
  if (x.from == HERE) x.which = line ? (int)graph_below(r, (uint32_t)line) : 0;
  if ((x.from == HERE && !line) || (x.from >= OTHER && !part)) x.from = MOVING;
  if (calls && graph_below(r, 2)) x.from = MOVING;
  return x;
}

static program some_program(graph_random* r, bool tame)
{
  static const uint32_t common[] = {CODE_ADD, CODE_SUB, CODE_MUL, CODE_MUL, CODE_ADD, CODE_NEG};
  program p = {.parts = 1 + (int)graph_below(r, PARTS)};
  p.rounds = 0;
  for (int i = 0; i < p.parts; i++) {
    recipe* q = &p.part[i];
    q->lines = 12 + (int)graph_below(r, LARGEST - 12);
    q->stride = (int)graph_below(r, 3);
    for (int j = 0; j < q->lines; j++) {
      recipe_line* l = &q->line[j];
      l->op = common[graph_below(r, 6)];
      if (!graph_below(r, 4)) do
          l->op = graph_below(r, CODE_CONST);
        while (l->op == CODE_SINCOS || (tame && l->op >= CODE_POW && l->op <= CODE_TANH));
      l->clamped = graph_below(r, 2);
      l->put_out = !graph_below(r, 12);
      const bool calls = l->op >= CODE_POW && l->op <= CODE_TANH;
      for (int k = 0; k < OPERANDS; k++) l->operand[k] = some_operand(r, i, j, calls);
    }
  }
  return p;
}

// ---- the tape of so many rounds -----------------------------------------------------------------

typedef struct maker
{
  code_maker m;
  const program* p;
  int rounds, fixed; // inputs that do not move
  uint32_t* made[PARTS];
  BASE_LIST(uint32_t) out;
} maker;

static uint32_t value_of(maker* s, int part, int round, operand x)
{
  static const double number[] = {0.75, -0.5, 1.25};
  const program* p = s->p;
  const int lines = p->part[part].lines;
  const uint32_t* own = s->made[part];
  switch (x.from) {
  case NUMBER:
    return code_make_const(&s->m, number[x.which % 3]);
  case MOVING:
    return code_make_in(&s->m, s->fixed + x.which % 4 * (s->rounds * 2 + 2) +
                                   round * p->part[part].stride);
  case HERE:
    return own[round * lines + x.which];
  case BEFORE:
    if (round) return own[(round - 1) * lines + x.which % lines];
    break;
  case LONG_BEFORE:
    if (round > 1) return own[(round - 2) * lines + x.which % lines];
    break;
  case OTHER:
  case OTHER_BACK: {
    const int other = x.which % part, at = x.from == OTHER ? round : s->rounds - 1 - round;
    return s->made[other][at * p->part[other].lines + x.which % p->part[other].lines];
  }
  default:
    break;
  }
  return code_make_in(&s->m, x.which % s->fixed);
}

static uint32_t between_ones(maker* s, uint32_t a)
{
  const uint32_t one = code_make_const(&s->m, 1), minus = code_make_const(&s->m, -1);
  a = code_make(&s->m, CODE_MAX, a, minus, 0);
  base_push(&s->m.tape.way, a);
  a = code_make(&s->m, CODE_MIN, a, one, 0);
  base_push(&s->m.tape.way, a);
  return a;
}

static void make_round(maker* s, int part, int round)
{
  const int lines = s->p->part[part].lines;
  for (int j = 0; j < lines; j++) {
    const recipe_line* l = &s->p->part[part].line[j];
    uint32_t v[OPERANDS];
    for (int k = 0; k < OPERANDS; k++) v[k] = value_of(s, part, round, l->operand[k]);
    if (l->clamped) v[0] = between_ones(s, v[0]);
    const int n = code_op_args(l->op);
    const uint32_t x = code_make(&s->m, l->op, v[0], n > 1 ? v[1] : 0, n > 2 ? v[2] : 0);
    base_push(&s->m.tape.way, x);
    s->made[part][round * lines + j] = x;
    if (l->put_out || (j == lines - 1 && round == s->rounds - 1)) base_push(&s->out, x);
  }
}

static code_kernel* kernel_of(const program* p, int rounds)
{
  maker s = {.p = p, .rounds = rounds, .fixed = 5};
  code_maker_start(&s.m, s.fixed + 4 * (2 * rounds + 2), 0);
  for (int i = 0; i < p->parts; i++) {
    s.made[i] = base_alloc((size_t)(rounds * p->part[i].lines) * sizeof(uint32_t));
    for (int k = 0; k < rounds; k++) make_round(&s, i, k);
  }
  s.m.tape.outputs = s.out.n;
  free(s.m.tape.out);
  s.m.tape.out = s.out.at;
  code_maker_end(&s.m);
  for (int i = 0; i < p->parts; i++) free(s.made[i]);
  return code_kernel_new(&s.m.tape);
}

// ---- the comparison -----------------------------------------------------------------------------

static long all, numbers, loops;

static bool same_bits(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static int differences(const code_kernel* k, const code_pages* p, graph_random* r, int width)
{
  const size_t ins = (size_t)(k->tape.inputs * width), outs = (size_t)(k->tape.outputs * width);
  double *in = base_alloc(ins * sizeof *in), *want = base_alloc(outs * sizeof *want),
         *got = base_alloc(outs * sizeof *got),
         *scratch = base_alloc(code_scratch_lanes(k, width) * sizeof *scratch);
  code_runner* run;
  const void* entry = (const char*)p->at + p->entry;
  memcpy(&run, &entry, sizeof run);
  int bad = 0;
  for (int again = 0; again < 2; again++) {
    for (size_t i = 0; i < ins; i++) in[i] = again ? tape_input(r) : graph_between(r, -3, 3);
    code_interpreter(width)(k, in, want, scratch);
    run(k, in, got, scratch);
    for (size_t i = 0; i < outs; i++) {
      bad += !same_bits(got[i], want[i]);
      numbers += !isnan(want[i]);
      all++;
    }
  }
  free(in);
  free(want);
  free(got);
  free(scratch);
  return bad;
}

static void compare(const code_kernel* k, int seed)
{
  for (code_level level = CODE_AVX2; level <= code_level_here(); level++)
    for (int width = 1; width <= WIDEST; width = width == 1 ? 4 : 2 * width) {
      graph_random r = {(uint64_t)seed};
      code_pages p;
      CHECK(code_emit(&p, &k->tape, width, 1, level));
      CHECK(p.slots <= k->native_slots);
      const int bad = p.at ? differences(k, &p, &r, width) : 0;
      if (bad)
        check_fail(__FILE__, __LINE__, "seed %d, width %d, level %d: %d outputs differ", seed,
                   width, (int)level, bad);
      code_pages_free(&p);
    }
}

static void compare_programs(int count, bool tame)
{
  if (code_level_here() < CODE_AVX2) SKIP("no machine code on this processor");
  all = numbers = loops = 0;
  for (int i = 0; i < count; i++) {
    graph_random r = {(uint64_t)i * 104729 + 17};
    const program p = some_program(&r, tame);
    code_kernel* k = kernel_of(&p, 6400 / p.part[0].lines + (int)graph_below(&r, 20));
    code_rolled found = code_roll(&k->tape);
    loops += found.at.n;
    code_rolled_free(&found);
    compare(k, i);
    code_free(k);
  }
  // or the comparison would say little
  CHECK(numbers > all / 3);
  CHECK(loops > count / 2);
}

TEST(tapes_that_repeat_themselves_have_the_interpreters_bits)
{
  compare_programs(80, true);
}

TEST(so_they_have_with_functions)
{
  compare_programs(30, false);
}

// a sum of products along a chain, and back
static code_kernel* chain(int rounds)
{
  static program p = {.parts = 2, .part = {{.lines = 24, .stride = 1}, {.lines = 24, .stride = 2}}};
  for (int i = 0; i < p.parts; i++)
    for (int j = 0; j < p.part[i].lines; j++)
      p.part[i].line[j] = (recipe_line){j % 3 ? CODE_MUL : CODE_SUB,
                                        j % 5 == 0,
                                        j == 7,
                                        {{j % 7 ? HERE : BEFORE, j % 7 ? j - 1 : 23},
                                         {j % 4 ? MOVING
                                          : i   ? OTHER_BACK
                                                : FIXED,
                                          j}}};
  return kernel_of(&p, rounds);
}

static size_t length_of(int rounds, int width)
{
  code_kernel* k = chain(rounds);
  code_pages p;
  CHECK(code_emit(&p, &k->tape, width, 1, code_level_here()));
  const size_t bytes = p.bytes;
  compare(k, rounds);
  code_pages_free(&p);
  code_free(k);
  return bytes;
}

TEST(code_of_a_longer_chain_is_no_longer)
{
  if (code_level_here() < CODE_AVX2) SKIP("no machine code on this processor");
  for (int width = 1; width <= WIDEST; width *= 8) {
    const size_t length = length_of(800, width);
    CHECK(length < 4 * 800); // several operations a round
    CHECK(10 * length_of(1600, width) < 11 * length);
  }
}
