// Repetitions are found by the operations alone (the next place where a window of them occurs
// again), then followed instruction by instruction as far as operands move evenly.
//
// Straight code of a long chain comes from far caches in every evaluation, a thousand bytes for
// each body. Where it comes from a near one it is as fast as loops, which go through memory between
// rounds.
#include "code/roll.h"

#include <stdlib.h>
#include <string.h>

enum {
  WINDOW = 24,    // operations that tell a place
  LONGEST = 4096, // instructions of a round
  PLACES = 16384, // a power of two, some times the longest round
  LEAST = 4,      // rounds
  WORTH = 500,    // instructions of a loop: its end is guessed wrong, its registers begin empty
  LONG = 6000     // instructions whose code outgrows the cache nearest to the processor by far
};

typedef struct search
{
  const code_tape* t;
  code_rolled r;
  int32_t* output;   // by instruction: the output it is, -1 for none, -2 for several
  int32_t* distance; // by number: to the next place with the same window, 0 for none
} search;

static bool is_made(uint32_t op)
{
  return op != CODE_IN && op != CODE_CONST && op != CODE_NUMBERS;
}

// a cosine is made by its sine
static int operands_of(const code_ins* x, uint32_t v[3])
{
  v[0] = x->a;
  v[1] = x->b;
  v[2] = x->c;
  return code_op_args(x->op);
}

// places for all, of no repetition and not kept
static code_rolled number(const code_tape* t)
{
  const size_t n = (size_t)t->ins.n;
  code_rolled r = {.made = base_alloc(n * sizeof *r.made + 1),
                   .number = base_alloc(n * sizeof *r.number + 1)};
  for (int i = 0; i < t->ins.n; i++) {
    const bool made = is_made(t->ins.at[i].op);
    r.number[i] = made ? r.instructions : -1;
    if (made) r.made[r.instructions++] = (uint32_t)i;
  }
  const size_t made = (size_t)r.instructions;
  r.within = base_alloc(made * sizeof *r.within + 1);
  r.kept = base_alloc(made * sizeof *r.kept + 1);
  memset(r.within, 0xff, made * sizeof *r.within);
  memset(r.kept, 0xff, made * sizeof *r.kept);
  return r;
}

static void find_outputs(search* s)
{
  const code_tape* t = s->t;
  s->output = base_alloc((size_t)t->ins.n * sizeof *s->output + 1);
  memset(s->output, 0xff, (size_t)t->ins.n * sizeof *s->output);
  for (int k = 0; k < t->outputs; k++) {
    int32_t* const at = &s->output[t->out[k]];
    *at = *at == -1 ? k : -2;
  }
}

static const code_ins* made(const search* s, int i)
{
  return &s->t->ins.at[s->r.made[i]];
}

// A place is forgotten where another one has its entry: some window of a round will be found.
static void find_distances(search* s)
{
  typedef struct place
  {
    uint32_t hash;
    int32_t at;
  } place;
  const int n = s->r.instructions;
  place* seen = base_alloc(PLACES * sizeof *seen);
  s->distance = base_alloc((size_t)n * sizeof *s->distance + 1);
  uint64_t out = 1, hash = 0;
  const uint64_t by = 0x9e3779b97f4a7c15;
  for (int k = 0; k < WINDOW; k++) out *= by;
  // from the back, so that the place ahead is known
  for (int i = n - 1; i >= 0; i--) {
    hash = hash * by + made(s, i)->op + 1;
    if (i + WINDOW < n) hash -= out * (made(s, i + WINDOW)->op + 1);
    if (i + WINDOW > n) continue;
    place* const p = &seen[hash >> 32 & (PLACES - 1)];
    if (p->at && p->hash == (uint32_t)hash && p->at - i <= LONGEST) s->distance[i] = p->at - i;
    *p = (place){(uint32_t)hash, i};
  }
  free(seen);
}

// does an operand move evenly over three rounds?
static bool moves(const search* s, uint32_t x, uint32_t y, uint32_t z)
{
  const code_ins *a = &s->t->ins.at[x], *b = &s->t->ins.at[y], *c = &s->t->ins.at[z];
  if (is_made(a->op) && is_made(b->op) && is_made(c->op))
    return s->r.number[y] - s->r.number[x] == s->r.number[z] - s->r.number[y];
  if (a->op != b->op || b->op != c->op) return false;
  return a->op == CODE_IN ? b->a - a->a == c->a - b->a : x == y && y == z;
}

// is instruction i the same as those one and two rounds later?
static bool goes_on(const search* s, int i, int period)
{
  if (i + 2 * period >= s->r.instructions) return false;
  const code_ins *x = made(s, i), *y = made(s, i + period), *z = made(s, i + 2 * period);
  if (x->op != y->op || y->op != z->op) return false;
  uint32_t a[3], b[3], c[3];
  const int count = operands_of(x, a);
  operands_of(y, b);
  operands_of(z, c);
  for (int k = 0; k < count; k++)
    if (!moves(s, a[k], b[k], c[k])) return false;
  const int p = s->output[s->r.made[i]], q = s->output[s->r.made[i + period]],
            r = s->output[s->r.made[i + 2 * period]];
  if (p < 0 || q < 0 || r < 0) return p == -1 && q == -1 && r == -1;
  return q - p == r - q;
}

// lowest and highest round in which x + r by lies within [low, high)
static void narrow(code_repetition* p, int x, int by, int low, int high)
{
  while (p->from < p->to && (x + p->from * by < low || x + p->from * by >= high)) p->from++;
  while (p->from < p->to && (x + (p->to - 1) * by < low || x + (p->to - 1) * by >= high)) p->to--;
}

// rounds in which what is number x in the first one, and `by` further on in each, has its place
static void narrow_by(const search* s, code_repetition* p, int x, int by)
{
  const int middle = x + p->count / 2 * by;
  if (by == p->period && middle >= p->first) {
    narrow(p, x, by, p->first, INT32_MAX);
    return;
  }
  if (by == 0) {
    if (x >= p->first && p->from <= (x - p->first) / p->period)
      p->from = (x - p->first) / p->period + 1;
    return;
  }
  const int32_t other = s->r.within[middle];
  if (other < 0 || by % s->r.at.at[other].period) {
    p->to = p->from;
    return;
  }
  const code_repetition* q = &s->r.at.at[other];
  narrow(p, x, by, q->first, q->first + q->count * q->period);
}

static void find_rounds(const search* s, code_repetition* p)
{
  p->to = p->count;
  for (int j = 0; j < p->period; j++) {
    uint32_t v[3], w[3];
    const int count = operands_of(made(s, p->first + j), v);
    operands_of(made(s, p->first + p->period + j), w);
    for (int k = 0; k < count; k++)
      if (s->r.number[v[k]] >= 0)
        narrow_by(s, p, s->r.number[v[k]], s->r.number[w[k]] - s->r.number[v[k]]);
  }
}

static void enter(code_rolled* r, code_repetition p)
{
  for (int k = 0; k < p.count * p.period; k++) r->within[p.first + k] = r->at.n;
  base_push(&r->at, p);
}

static void find_repetitions(search* s)
{
  const int n = s->r.instructions;
  int failed = 0, failed_to = 0; // a period, and how far it goes
  for (int i = 0; i < n; i++) {
    const int period = s->distance[i];
    // no cosine without its sine
    if (!period || made(s, i)->op == CODE_COSINE) continue;
    if (period == failed && i < failed_to) continue;
    int to = i;
    while (goes_on(s, to, period)) to++;
    code_repetition p = {.first = i, .period = period, .count = (to - i) / period + 2};
    failed = period;
    failed_to = to;
    if (p.count < LEAST || to == i) continue;
    find_rounds(s, &p);
    if (p.to - p.from < LEAST || (p.to - p.from) * period < WORTH) continue;
    enter(&s->r, p);
    i += p.count * period - 1;
  }
}

int code_rolled_round(const code_rolled* r, int number)
{
  const code_repetition* p = &r->at.at[r->within[number]];
  return (number - p->first) / p->period;
}

typedef enum keeping { KEPT_NOT = -1, KEPT = 0, KEPT_CARRIED = -2 } keeping;

// value i is read by instruction j, maybe in another round or outside
static keeping keeping_for(const search* s, int i, int j)
{
  const code_repetition* p = &s->r.at.at[s->r.within[i]];
  const bool same = s->r.within[i] == s->r.within[j];
  const int round = code_rolled_round(&s->r, i),
            ahead = same ? code_rolled_round(&s->r, j) - round : 2;
  if (ahead == 0) return KEPT_NOT;
  // the last one of the loop stays until another loop begins
  if (round == p->to - 1) return KEPT_CARRIED;
  if (ahead == 1) return round < p->from - 1 || round >= p->to ? KEPT_NOT : KEPT_CARRIED;
  return KEPT;
}

static void keep(search* s, uint32_t v, int reader)
{
  const int32_t i = s->r.number[v];
  if (i < 0 || s->r.within[i] < 0 || s->output[v] != -1) return;
  const code_repetition* p = &s->r.at.at[s->r.within[i]];
  int32_t* const now = &s->r.kept[p->first + (i - p->first) % p->period];
  const keeping how = keeping_for(s, i, reader);
  if (how == KEPT || (how == KEPT_CARRIED && *now == KEPT_NOT)) *now = how;
}

// Most is read in the round in which it is made.
static void keep_read(search* s)
{
  int start = 0, end = 0; // of the round at hand
  for (int i = 0; i < s->r.instructions; i++) {
    const code_repetition* p = s->r.within[i] < 0 ? NULL : &s->r.at.at[s->r.within[i]];
    if (!p)
      start = i;
    else if (i >= end || i == p->first)
      start = i, end = i + p->period;
    uint32_t v[3];
    const int count = operands_of(made(s, i), v);
    for (int k = 0; k < count; k++)
      if (s->r.number[v[k]] < start) keep(s, v[k], i);
  }
  for (int l = 0; l < s->r.at.n; l++) {
    code_repetition* p = &s->r.at.at[l];
    int32_t* kept = s->r.kept + p->first;
    for (int j = 0; j < p->period; j++) {
      if (kept[j] == KEPT)
        kept[j] = p->width++;
      else if (kept[j] == KEPT_CARRIED)
        kept[j] -= p->carried++;
    }
    p->frame = s->r.frames;
    s->r.frames += p->count * p->width + p->carried;
  }
}

// ---- what is found stays with the tape ----------------------------------------------------------

static code_loops* loops_of(const code_rolled* r)
{
  code_loops* l = base_alloc(sizeof *l);
  size_t periods = 0;
  for (int i = 0; i < r->at.n; i++) periods += (size_t)r->at.at[i].period;
  l->frames = r->frames;
  l->kept = base_alloc(periods * sizeof *l->kept + 1);
  int32_t* kept = l->kept;
  for (int i = 0; i < r->at.n; i++) {
    const code_repetition* p = &r->at.at[i];
    memcpy(kept, r->kept + p->first, (size_t)p->period * sizeof *kept);
    kept += p->period;
    base_push(&l->at, *p);
  }
  return l;
}

void code_roll_find(code_tape* t)
{
  if (t->ins.n < LONG) return;
  search s = {.t = t, .r = number(t)};
  find_outputs(&s);
  find_distances(&s);
  find_repetitions(&s);
  keep_read(&s);
  if (s.r.at.n) t->loops = loops_of(&s.r);
  free(s.output);
  free(s.distance);
  code_rolled_free(&s.r);
}

code_rolled code_roll(const code_tape* t)
{
  const code_loops* l = t->loops;
  if (!l) return (code_rolled){0};
  code_rolled r = number(t);
  r.frames = l->frames;
  const int32_t* kept = l->kept;
  for (int i = 0; i < l->at.n; i++) {
    const code_repetition* p = &l->at.at[i];
    enter(&r, *p);
    for (int round = 0; round < p->count; round++)
      memcpy(r.kept + p->first + round * p->period, kept, (size_t)p->period * sizeof *kept);
    kept += p->period;
  }
  return r;
}

void code_loops_free(code_loops* l)
{
  if (!l) return;
  base_list_free(&l->at);
  free(l->kept);
  free(l);
}

void code_rolled_free(code_rolled* r)
{
  free(r->made);
  free(r->number);
  free(r->within);
  free(r->kept);
  base_list_free(&r->at);
}
