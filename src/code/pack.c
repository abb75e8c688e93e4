// From a tape and the classes of its values to one with packs: a class becomes one operation of
// vectors, what it takes from single values is spread over the lanes, what single values take from
// it is picked out of it again.
#include "code/pack.h"

#include "code/emit.h"

#include <stdlib.h>
#include <string.h>

#define NOT_YET UINT32_MAX

// a pack must save this part of all operations
static const double worth_packing = 0.2;

// a pack of numbers by their values on the old tape
typedef struct numbers
{
  uint32_t of[CODE_TWINS], made; // its value + 1, 0 for none
} numbers;

// things to be made: values, packs of classes, single values spread over all lanes
typedef struct packing
{
  numbers* listed; // by hash
  uint32_t mask;
  const code_tape* from;
  const code_classes* c;
  code_packed to;
  uint32_t* number; // by thing: its value on the new tape
  int* depth;       // by value, by class
  BASE_LIST(uint32_t) open;
} packing;

static uint32_t pack_thing(const packing* w, uint32_t class)
{
  return (uint32_t)w->from->ins.n + class;
}

static uint32_t spread_thing(const packing* w, uint32_t v)
{
  return (uint32_t)(w->from->ins.n + w->c->count) + v;
}

static uint32_t add(packing* w, uint32_t op, uint32_t a, uint32_t b, uint32_t c, int lanes)
{
  base_push(&w->to.tape.ins, (code_ins){op, a, b, c});
  const uint32_t made = (uint32_t)w->to.tape.ins.n - 1;
  w->to.lanes[made] = (uint8_t)lanes;
  return made;
}

// ---- what a thing waits for ---------------------------------------------------------------------

static const code_ins* first_of(const packing* w, uint32_t class)
{
  return &w->from->ins.at[w->c->member[class][0]];
}

// operand k of a value of a class, in the order all its lanes have
static uint32_t operand(const packing* w, uint32_t v, int k)
{
  const code_ins* x = &w->from->ins.at[v];
  const uint32_t of[3] = {x->a, x->b, x->c};
  return of[k < 2 && w->c->swapped[v] ? 1 - k : k];
}

// a cosine is made by its pair
static uint32_t maker_of(const packing* w, uint32_t v)
{
  const code_ins* x = &w->from->ins.at[v];
  return x->op == CODE_COSINE ? x->a : v;
}

static bool is_number(const packing* w, uint32_t v)
{
  return w->from->ins.at[v].op == CODE_CONST;
}

// are the sines of a class with their cosines one, too?
static bool is_paired(const packing* w, uint32_t class)
{
  const uint32_t cosines = w->c->of[first_of(w, class)->b];
  if (!w->from->own_pairs || cosines == CODE_ALONE) return false;
  for (int l = 0; l < CODE_TWINS; l++)
    if (w->from->ins.at[w->c->member[class][l]].b != w->c->member[cosines][l]) return false;
  return true;
}

// are the values of a class made one by one, and joined to a pack after that?
static bool is_joined(const packing* w, uint32_t class)
{
  const code_ins* x = first_of(w, class);
  if (x->op == CODE_SINCOS) return !is_paired(w, class);
  if (x->op == CODE_COSINE) return w->c->of[x->a] == CODE_ALONE || !is_paired(w, w->c->of[x->a]);
  return x->op == CODE_IN || emit_is_call(x->op);
}

// is a value picked out of a pack? Else it is made alone, as are those joined afterwards
static bool is_picked(const packing* w, uint32_t v)
{
  return w->c->of[v] != CODE_ALONE && !is_joined(w, w->c->of[v]);
}

static int needs_of_value(const packing* w, uint32_t v, uint32_t* out)
{
  const code_ins* x = &w->from->ins.at[v];
  const uint32_t of[3] = {x->a, x->b, x->c};
  int n = 0;
  if (is_picked(w, v)) {
    out[n++] = pack_thing(w, w->c->of[v]);
    return n;
  }
  for (int k = 0; k < code_op_args(x->op); k++) out[n++] = maker_of(w, of[k]);
  return n;
}

// from where the operands k of a class are: a class, numbers, one value for all lanes, several
typedef enum givers { A_CLASS, NUMBERS, ONE_VALUE, VALUES } givers;

static givers givers_of(const packing* w, const uint32_t* member, int k)
{
  const uint32_t v = operand(w, member[0], k);
  bool constant = true, same = true;
  if (w->c->of[v] != CODE_ALONE) return A_CLASS;
  for (int l = 0; l < CODE_TWINS; l++) {
    const uint32_t other = operand(w, member[l], k);
    constant = constant && is_number(w, other);
    same = same && other == v;
  }
  return constant ? NUMBERS : same ? ONE_VALUE : VALUES;
}

static int needs_of_pack(const packing* w, uint32_t class, uint32_t* out)
{
  const uint32_t* member = w->c->member[class];
  int n = 0;
  if (is_joined(w, class)) {
    for (int l = 0; l < CODE_TWINS; l++) out[n++] = maker_of(w, member[l]);
    return n;
  }
  if (first_of(w, class)->op == CODE_COSINE) {
    out[n++] = pack_thing(w, w->c->of[first_of(w, class)->a]);
    return n;
  }
  for (int k = 0; k < code_op_args(first_of(w, class)->op); k++) {
    const uint32_t v = operand(w, member[0], k);
    const givers from = givers_of(w, member, k);
    if (from == A_CLASS) out[n++] = pack_thing(w, w->c->of[v]);
    if (from == ONE_VALUE) out[n++] = spread_thing(w, v);
    for (int l = 0; l < CODE_TWINS && from == VALUES; l++)
      out[n++] = maker_of(w, operand(w, member[l], k));
  }
  return n;
}

static int needs(const packing* w, uint32_t thing, uint32_t* out)
{
  const uint32_t values = (uint32_t)w->from->ins.n, packs = values + (uint32_t)w->c->count;
  if (thing < values) return needs_of_value(w, thing, out);
  if (thing < packs) return needs_of_pack(w, thing - values, out);
  out[0] = maker_of(w, thing - packs);
  return 1;
}

// ---- making -------------------------------------------------------------------------------------

static uint32_t pick(packing* w, uint32_t v)
{
  return add(w, CODE_PICK, w->number[pack_thing(w, w->c->of[v])], w->c->lane[v], 0, 1);
}

static void place_value(packing* w, uint32_t v)
{
  const code_ins* x = &w->from->ins.at[v];
  const uint32_t* number = w->number;
  if (is_picked(w, v)) {
    w->number[v] = pick(w, v);
    if (x->op == CODE_SINCOS) w->number[x->b] = pick(w, x->b);
  } else if (x->op == CODE_SINCOS) {
    const uint32_t sine = add(w, CODE_SINCOS, number[x->a], 0, 0, 1);
    const uint32_t cosine = add(w, CODE_COSINE, sine, number[x->a], 0, 1);
    w->to.tape.ins.at[sine].b = cosine;
    w->number[v] = sine;
    w->number[x->b] = cosine;
  } else {
    uint32_t of[3] = {x->a, x->b, x->c};
    for (int k = 0; k < code_op_args(x->op); k++) of[k] = number[of[k]];
    w->number[v] = add(w, x->op, of[0], of[1], of[2], 1);
  }
}

static uint32_t join(packing* w, const uint32_t of[CODE_TWINS])
{
  const uint32_t* number = w->number;
  const uint32_t low = add(w, CODE_PAIR, number[of[0]], number[of[1]], 0, 2);
  const uint32_t high = add(w, CODE_PAIR, number[of[2]], number[of[3]], 0, 2);
  return add(w, CODE_QUAD, low, high, 0, CODE_TWINS);
}

// the same numbers once
static uint32_t place_numbers(packing* w, const uint32_t of[CODE_TWINS])
{
  uint32_t h = 0;
  for (int l = 0; l < CODE_TWINS; l++) {
    h = (h ^ of[l]) * 0x9e3779b1u;
    h ^= h >> 15;
  }
  for (h &= w->mask; w->listed[h].made; h = (h + 1) & w->mask)
    if (memcmp(w->listed[h].of, of, sizeof w->listed[h].of) == 0) return w->listed[h].made - 1;
  const uint32_t at = (uint32_t)w->to.number.n;
  for (int l = 0; l < CODE_TWINS; l++)
    base_push(&w->to.number, code_ins_const(&w->from->ins.at[of[l]]));
  const uint32_t made = add(w, CODE_NUMBERS, at, 0, 0, CODE_TWINS);
  memcpy(w->listed[h].of, of, sizeof w->listed[h].of);
  w->listed[h].made = made + 1;
  return made;
}

static uint32_t place_pack(packing* w, uint32_t class)
{
  const uint32_t *member = w->c->member[class], *number = w->number;
  const uint32_t op = first_of(w, class)->op;
  if (is_joined(w, class)) return join(w, member);
  uint32_t of[3] = {0}, value[CODE_TWINS];
  for (int k = 0; k < code_op_args(op); k++) {
    const uint32_t v = operand(w, member[0], k);
    const givers from = givers_of(w, member, k);
    for (int l = 0; l < CODE_TWINS; l++) value[l] = operand(w, member[l], k);
    of[k] = from == A_CLASS   ? number[pack_thing(w, w->c->of[v])]
            : from == NUMBERS ? place_numbers(w, value)
            : from == VALUES  ? join(w, value)
                              : number[spread_thing(w, v)];
  }
  const uint32_t made = add(w, op, of[0], of[1], of[2], CODE_TWINS);
  if (op != CODE_SINCOS) return made;
  const uint32_t cosines = add(w, CODE_COSINE, made, of[0], 0, CODE_TWINS);
  w->to.tape.ins.at[made].b = cosines;
  w->number[pack_thing(w, w->c->of[first_of(w, class)->b])] = cosines;
  return made;
}

static void place(packing* w, uint32_t thing)
{
  const uint32_t values = (uint32_t)w->from->ins.n, packs = values + (uint32_t)w->c->count;
  if (thing < values)
    place_value(w, thing);
  else if (thing < packs)
    w->number[thing] = place_pack(w, thing - values);
  else
    w->number[thing] = add(w, CODE_SPREAD, w->number[thing - packs], 0, 0, CODE_TWINS);
}

// ---- in an order that keeps few alive, as order.c has it ----------------------------------------

static void measure(packing* w)
{
  for (int i = 0; i < w->from->ins.n; i++) {
    const code_ins* x = &w->from->ins.at[i];
    const uint32_t v[3] = {x->op == CODE_COSINE ? x->b : x->a, x->b, x->c};
    int deepest = -1;
    for (int k = 0; k < code_op_args(x->op) + (x->op == CODE_COSINE); k++)
      if (w->depth[v[k]] > deepest) deepest = w->depth[v[k]];
    w->depth[i] = deepest + 1;
  }
}

static int depth_of(const packing* w, uint32_t thing)
{
  const uint32_t values = (uint32_t)w->from->ins.n, packs = values + (uint32_t)w->c->count;
  return w->depth[thing < values  ? thing
                  : thing < packs ? w->c->member[thing - values][0]
                                  : thing - packs];
}

// the deepest last, so that it is made first
static bool push_needs(packing* w, uint32_t thing)
{
  uint32_t v[3 * CODE_TWINS];
  int n = 0;
  const int all = needs(w, thing, v);
  for (int k = 0; k < all; k++)
    if (w->number[v[k]] == NOT_YET) v[n++] = v[k];
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && depth_of(w, v[k]) < depth_of(w, v[k - 1]); k--) {
      const uint32_t swap = v[k];
      v[k] = v[k - 1];
      v[k - 1] = swap;
    }
  for (int k = 0; k < n; k++) base_push(&w->open, v[k]);
  return n > 0;
}

static void reach(packing* w, uint32_t thing)
{
  base_push(&w->open, thing);
  while (w->open.n > 0) {
    const uint32_t top = w->open.at[w->open.n - 1];
    if (w->number[top] == NOT_YET) {
      if (push_needs(w, top)) continue;
      place(w, top);
    }
    w->open.n--;
  }
}

// calls empty all registers: they come first where they can, as on the tape packed
static void reach_functions(packing* w)
{
  for (int i = 0; i < w->from->ins.n; i++) {
    const code_ins* x = &w->from->ins.at[i];
    if (x->op != CODE_SINCOS || w->from->ins.at[x->a].op != CODE_IN) continue;
    reach(w, is_picked(w, (uint32_t)i) ? pack_thing(w, w->c->of[i]) : (uint32_t)i);
  }
}

// ---- the door -----------------------------------------------------------------------------------

static long operations(const code_tape* t)
{
  long count = 0;
  for (int i = 0; i < t->ins.n; i++) {
    const uint32_t op = t->ins.at[i].op;
    count += op != CODE_IN && op != CODE_CONST && op != CODE_NUMBERS && op != CODE_PICK;
  }
  return count;
}

// false where it does not pay
static bool make(packing* w)
{
  const code_tape* t = w->from;
  measure(w);
  reach_functions(w);
  for (int i = 0; i < t->outputs; i++) {
    reach(w, maker_of(w, t->out[i]));
    w->to.tape.out[i] = w->number[t->out[i]];
  }
  return (double)operations(&w->to.tape) < (1 - worth_packing) * (double)operations(t);
}

bool code_pack(const code_tape* t, const code_twin* twin, code_packed* out)
{
  code_classes c = code_classes_of(t, twin);
  packing w = {.from = t,
               .c = &c,
               .to.tape = {.inputs = t->inputs, .outputs = t->outputs, .own_pairs = t->own_pairs}};
  const size_t n = (size_t)t->ins.n, things = 2 * n + (size_t)c.count;
  w.number = base_alloc((things + 1) * sizeof *w.number);
  w.depth = base_alloc((n + 1) * sizeof *w.depth);
  w.to.lanes = base_alloc(10 * things + 1); // a thing is an operation, and at most nine before it
  w.to.tape.out = base_alloc(((size_t)t->outputs + 1) * sizeof *w.to.tape.out);
  for (size_t i = 0; i < things; i++) w.number[i] = NOT_YET;
  for (w.mask = 15; w.mask < 6 * (size_t)c.count;) w.mask = 2 * w.mask + 1;
  w.listed = base_alloc(((size_t)w.mask + 1) * sizeof *w.listed);
  const bool pays = c.count > 0 && make(&w);
  base_list_free(&w.open);
  free(w.number);
  free(w.depth);
  free(w.listed);
  code_classes_free(&c);
  *out = w.to;
  if (!pays) code_packed_free(out);
  return pays;
}

void code_packed_free(code_packed* p)
{
  code_tape_free(&p->tape);
  free(p->lanes);
  base_list_free(&p->number);
  *p = (code_packed){0};
}

// what is picked stays until the end; of all others, single or not, as many as are alive at once
int code_packed_slots(const code_packed* p)
{
  const code_tape* t = &p->tape;
  int *last = base_alloc((size_t)t->ins.n * sizeof *last + 1), alive[2] = {0}, most[2] = {0};
  int kept = 0;
  bool* picked = base_alloc((size_t)t->ins.n + 1);
  for (int i = 0; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    const uint32_t v[3] = {x->a, x->b, x->c};
    for (int k = 0; k < code_op_args(x->op); k++) last[v[k]] = i;
    if (x->op != CODE_PICK || picked[x->a]) continue;
    picked[x->a] = true;
    kept++;
  }
  for (int i = 0; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    const uint32_t v[3] = {x->a, x->b, x->c};
    const int kind = p->lanes[i] > 1;
    if (++alive[kind] > most[kind]) most[kind] = alive[kind];
    for (int k = 0; k < code_op_args(x->op); k++) {
      const bool again = (k > 0 && v[k] == v[0]) || (k > 1 && v[k] == v[1]);
      if (!again && last[v[k]] == i) alive[p->lanes[v[k]] > 1]--;
    }
    if (last[i] == 0) alive[kind]--;
  }
  free(last);
  free(picked);
  return most[0] + CODE_TWINS * (most[1] + kept + 4);
}
