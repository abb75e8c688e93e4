// Which values of a tape are alike: made by the same operation from values that are alike lane by
// lane, from the same single value, or from numbers. Inputs are alike as they are told to be.
//
// What depends on some limbs of a group and not on all is of none: sums over the limbs, one after
// the other, are no part of the last.
//
// A class is the operation with the classes of its operands, and is of use if it has a value in
// every lane. Where some of its values are missing the others stand alone, and classes are formed
// anew. Numbers are told apart at first, and so are single values; where that leaves lanes without
// partners (limbs hung at other places) any number, then any value, is as good as another. All
// values of a class are equally far from the inputs, and further than what they are made from: so
// none waits for another, through whatever single values, and packs can be made one after another.
#include "code/pack.h"

#include <stdlib.h>
#include <string.h>

// rounds in which only what is incomplete by itself is set aside, and not what follows from it
enum { GENTLE_ROUNDS = 6, MOST_ROUNDS = 40 };

// what is told apart where an operand has no class
typedef enum telling { EVERY_VALUE, NO_NUMBERS, NOTHING } telling;
#define ANY_NUMBER (UINT32_MAX - 1)
#define ANY_VALUE  (UINT32_MAX - 2)

typedef struct class_key
{
  uint32_t op, part[3], depth, nth;
} class_key;

typedef struct classing
{
  const code_tape* t;
  const code_twin* twin;
  code_classes* c;
  bool* alone;     // by value: of no class
  uint8_t* tell;   // by value: of its operands
  uint64_t* lanes; // by value: on which lanes of which groups it depends, CODE_TWINS bits each
  uint64_t every;  // all lanes there are
  uint32_t* depth; // by value: the longest way to an input
  class_key* key;  // by class
  uint32_t *table, mask;
} classing;

static uint32_t hash_of(const class_key* k)
{
  uint32_t h = k->op * 0x9e3779b1u;
  const uint32_t v[5] = {k->part[0], k->part[1], k->part[2], k->depth, k->nth};
  for (int i = 0; i < 5; i++) h = (h ^ v[i]) * 0x85ebca6bu, h ^= h >> 15;
  return h;
}

static uint32_t class_of(classing* w, const class_key* k)
{
  uint32_t at = hash_of(k) & w->mask;
  for (; w->table[at]; at = (at + 1) & w->mask)
    if (memcmp(&w->key[w->table[at] - 1], k, sizeof *k) == 0) return w->table[at] - 1;
  const uint32_t made = (uint32_t)w->c->count++;
  w->key[made] = *k;
  for (int l = 0; l < CODE_TWINS; l++) w->c->member[made][l] = CODE_ALONE;
  w->table[at] = made + 1;
  return made;
}

// one lane of several; none yet while there are none
typedef struct one_lane
{
  int lane, lanes;
} one_lane;

// several values of one lane may be alike but for their numbers: first comes to first
static void enter(classing* w, uint32_t v, one_lane of, class_key k)
{
  uint32_t class = class_of(w, &k);
  while (w->c->member[class][of.lane] != CODE_ALONE) {
    k.nth++;
    class = class_of(w, &k);
  }
  w->c->member[class][of.lane] = v;
  w->c->of[v] = class;
  w->c->lane[v] = (uint8_t)of.lane;
  w->c->lanes[class] = (uint8_t)of.lanes;
}

static bool commutes(uint32_t op)
{
  return op == CODE_ADD || op == CODE_MUL || op == CODE_NMUL || (op >= CODE_FMA && op <= CODE_FNMS);
}

static bool is_number(const code_tape* t, uint32_t v)
{
  return t->ins.at[v].op == CODE_CONST;
}

// on which lanes values depend, and how far they are from the inputs; a pair as far as its sine
static void measure(classing* w)
{
  for (int v = 0; v < w->t->ins.n; v++) {
    const code_ins* x = &w->t->ins.at[v];
    const uint32_t of[3] = {x->op == CODE_COSINE ? x->b : x->a, x->b, x->c};
    const int args = x->op == CODE_COSINE ? 1 : code_op_args(x->op);
    for (int i = 0; i < args; i++) {
      w->lanes[v] |= w->lanes[of[i]];
      if (w->depth[v] <= w->depth[of[i]]) w->depth[v] = w->depth[of[i]] + 1;
    }
    if (x->op != CODE_IN || !w->twin[x->a].class) continue;
    const int group = w->twin[x->a].group % (64 / CODE_TWINS);
    w->lanes[v] = 1ull << (CODE_TWINS * group + w->twin[x->a].lane);
    w->every |= w->lanes[v];
  }
}

static bool is_of_some_lanes(const classing* w, uint32_t v)
{
  const uint64_t all = (1u << CODE_TWINS) - 1;
  for (int i = 0; i < 64; i += CODE_TWINS) {
    const uint64_t own = w->lanes[v] >> i & all;
    if (own && own != (w->every >> i & all)) return true;
  }
  return false;
}

// what an operand adds to the key; false where it is of another lane
static bool part_of(const classing* w, uint32_t user, uint32_t v, one_lane* of, uint32_t* part)
{
  const code_classes* c = w->c;
  *part = is_number(w->t, v) && w->tell[user] != EVERY_VALUE ? ANY_NUMBER
          : w->tell[user] == NOTHING                         ? ANY_VALUE
                                                             : 2 * v + 1;
  if (c->of[v] == CODE_ALONE) return !is_of_some_lanes(w, v);
  *part = 2 * c->of[v];
  const one_lane own = {c->lane[v], c->lanes[c->of[v]]};
  if (of->lanes && (of->lane != own.lane || of->lanes != own.lanes)) return false;
  *of = own;
  return true;
}

static void classify(classing* w, uint32_t v)
{
  const code_ins* x = &w->t->ins.at[v];
  const uint32_t of[3] = {x->op == CODE_COSINE ? x->b : x->a, x->b, x->c};
  const int args = x->op == CODE_COSINE ? 1 : code_op_args(x->op);
  class_key k = {.op = x->op, .depth = w->depth[v]};
  one_lane lane = {0};
  w->c->of[v] = CODE_ALONE;
  if (w->alone[v] || x->op == CODE_CONST) return;
  if (x->op == CODE_IN) {
    if (!w->twin[x->a].class) return;
    lane = (one_lane){w->twin[x->a].lane, w->twin[x->a].lanes};
    k.part[0] = w->twin[x->a].class;
  }
  for (int i = 0; i < args; i++)
    if (!part_of(w, v, of[i], &lane, &k.part[i])) return;
  if (!lane.lanes) return;
  w->c->swapped[v] = commutes(x->op) && k.part[0] > k.part[1];
  if (w->c->swapped[v]) {
    const uint32_t first = k.part[0];
    k.part[0] = k.part[1];
    k.part[1] = first;
  }
  enter(w, v, lane, k);
}

static void classify_all(classing* w)
{
  w->c->count = 0;
  memset(w->table, 0, ((size_t)w->mask + 1) * sizeof *w->table);
  memset(w->c->swapped, 0, (size_t)w->t->ins.n * sizeof *w->c->swapped);
  for (int v = 0; v < w->t->ins.n; v++) classify(w, (uint32_t)v);
}

static bool is_whole(const classing* w, uint32_t v)
{
  const uint32_t class = w->c->of[v];
  if (class == CODE_ALONE) return true;
  for (int l = 0; l < w->c->lanes[class]; l++)
    if (w->c->member[class][l] == CODE_ALONE) return false;
  return true;
}

static bool has_whole_operands(const classing* w, const code_ins* x)
{
  const uint32_t of[3] = {x->a, x->b, x->c};
  for (int i = 0; i < code_op_args(x->op); i++)
    if (!is_whole(w, of[i])) return false;
  return x->op != CODE_COSINE || is_whole(w, x->b);
}

// is there an operand without class, a number or not?
static bool has_single(const classing* w, const code_ins* x, bool number)
{
  const uint32_t of[3] = {x->a, x->b, x->c};
  for (int i = 0; i < code_op_args(x->op); i++)
    if (w->c->of[of[i]] == CODE_ALONE && is_number(w->t, of[i]) == number) return true;
  return false;
}

// incomplete classes tell less apart; false if none can
static bool loosen(classing* w, telling to)
{
  bool some = false;
  for (int v = 0; v < w->t->ins.n; v++) {
    if (is_whole(w, (uint32_t)v) || w->tell[v] >= to ||
        !has_single(w, &w->t->ins.at[v], to == NO_NUMBERS))
      continue;
    w->tell[v] = (uint8_t)to;
    some = true;
  }
  return some;
}

// a pair of sine and cosine goes as one
static void set_aside(classing* w, uint32_t v)
{
  const code_ins* x = &w->t->ins.at[v];
  w->alone[v] = true;
  if (x->op == CODE_SINCOS) w->alone[x->b] = true;
  if (x->op == CODE_COSINE) w->alone[x->a] = true;
}

// Returns whether something changed: numbers no longer told apart, or what stays incomplete alone.
static bool revise(classing* w, int round)
{
  bool changed = false;
  if (loosen(w, NO_NUMBERS) || loosen(w, NOTHING)) return true;
  for (int v = 0; v < w->t->ins.n; v++) {
    if (is_whole(w, (uint32_t)v)) continue;
    if (round < GENTLE_ROUNDS && !has_whole_operands(w, &w->t->ins.at[v])) continue;
    set_aside(w, (uint32_t)v);
    changed = true;
  }
  return changed;
}

code_classes code_classes_of(const code_tape* t, const code_twin* twin)
{
  const size_t n = (size_t)t->ins.n + 1;
  code_classes c = {.of = base_alloc(n * sizeof *c.of),
                    .member = base_alloc(n * sizeof *c.member),
                    .lane = base_alloc(n),
                    .lanes = base_alloc(n),
                    .swapped = base_alloc(n * sizeof *c.swapped)};
  classing w = {.t = t, .twin = twin, .c = &c, .mask = 15};
  while (w.mask < 2 * n) w.mask = 2 * w.mask + 1;
  w.alone = base_alloc(n * sizeof *w.alone);
  w.tell = base_alloc(n * sizeof *w.tell);
  w.key = base_alloc(n * sizeof *w.key);
  w.table = base_alloc(((size_t)w.mask + 1) * sizeof *w.table);
  w.lanes = base_alloc(n * sizeof *w.lanes);
  w.depth = base_alloc(n * sizeof *w.depth);
  int round = 0;
  measure(&w);
  classify_all(&w);
  while (revise(&w, round) && round < MOST_ROUNDS) {
    classify_all(&w);
    round++;
  }
  for (int v = 0; v < t->ins.n; v++) // the rounds may have run out
    if (!is_whole(&w, (uint32_t)v)) c.count = 0;
  for (int i = 0; i < c.count; i++)
    for (int l = c.lanes[i]; l < CODE_TWINS; l++) c.member[i][l] = c.member[i][l % c.lanes[i]];
  free(w.alone);
  free(w.tell);
  free(w.lanes);
  free(w.depth);
  free(w.key);
  free(w.table);
  return c;
}

void code_classes_free(code_classes* c)
{
  free(c->of);
  free(c->member);
  free(c->lane);
  free(c->lanes);
  free(c->swapped);
}
