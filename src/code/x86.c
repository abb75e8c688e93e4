// Bytes of instructions. VEX and EVEX prefixes after Intel's Software Developer's Manual, volume 2,
// sections 2.3 and 2.7; an EVEX form where the VEX form cannot say it or is longer.
#include "code/x86.h"

#include <assert.h>
#include <string.h>

// opcode maps and prefixes
enum { MAP_0F = 1, MAP_0F38 = 2, MAP_0F3A = 3, NONE = 0, P66 = 1, PF2 = 3 };
// the mask register comparisons write
enum { MASK = 1 };

typedef struct shape
{
  int d, s;
  x86_operand rm;
  int mask;  // EVEX mask register, 0 for none
  bool evex; // only the EVEX form means what is meant
  int bytes; // of the memory operand, for the compressed offset
  int tail;  // bytes after the address
} shape;

void x86_reserve(x86_code* x, int n)
{
  if (x->bytes.n + n <= x->bytes.room) return;
  x->bytes.room = 2 * (x->bytes.room + n);
  x->bytes.at = base_realloc(x->bytes.at, (size_t)x->bytes.room);
}

void x86_bytes(x86_code* x, const void* from, int n)
{
  x86_reserve(x, n);
  if (n) memcpy(x->bytes.at + x->bytes.n, from, (size_t)n);
  x->bytes.n += n;
}

// where room is reserved
static void byte(x86_code* x, int value)
{
  x->bytes.at[x->bytes.n++] = (uint8_t)value;
}

static void four(x86_code* x, int32_t value)
{
  memcpy(x->bytes.at + x->bytes.n, &value, 4);
  x->bytes.n += 4;
}

int x86_vector_bytes(const x86_code* x)
{
  return x->single ? 8 : 16 << x->length;
}

// in units, a power of two, from -128 to 127
static bool is_near(int32_t offset, int unit)
{
  return (offset & (unit - 1)) == 0 && offset >= -128 * unit && offset <= 127 * unit;
}

// ModRM, SIB and offset; EVEX forms count a short offset in units
static void address(x86_code* x, int reg, x86_operand m, int unit, int tail)
{
  reg = (reg & 7) << 3;
  if (m.base == X86_POOL) {
    byte(x, reg | 5);
    four(x, m.offset - (x->bytes.n + 4 + tail));
    return;
  }
  const int base = m.base & 7;
  const bool near = is_near(m.offset, unit);
  // base 5 has no form without offset, base 4 needs a SIB byte
  const int mode = m.offset == 0 && base != 5 ? 0 : near ? 0x40 : 0x80;
  byte(x, mode | reg | base);
  if (base == 4) byte(x, 0x24);
  if (mode == 0x40) byte(x, m.offset / unit);
  if (mode == 0x80) four(x, m.offset);
}

static void vex(x86_code* x, x86_instruction i, const shape* h)
{
  const bool memory = h->rm.reg < 0;
  const int low = memory ? (h->rm.base == X86_POOL ? 0 : h->rm.base) : h->rm.reg;
  const int r = !(h->d & 8) << 7, b = !(low & 8) << 5;
  const int rest = (~h->s & 15) << 3 | x->length << 2 | i.prefix;
  if (b && i.map == MAP_0F) {
    byte(x, 0xc5);
    byte(x, r | rest);
  } else {
    byte(x, 0xc4);
    byte(x, r | 1 << 6 | b | i.map);
    byte(x, i.wide << 7 | rest);
  }
}

static void evex(x86_code* x, x86_instruction i, const shape* h)
{
  const bool memory = h->rm.reg < 0;
  const int low = memory ? (h->rm.base == X86_POOL ? 0 : h->rm.base) : h->rm.reg;
  const int far = memory ? 0 : h->rm.reg & 16;
  byte(x, 0x62);
  byte(x, !(h->d & 8) << 7 | !far << 6 | !(low & 8) << 5 | !(h->d & 16) << 4 | i.map);
  byte(x, 1 << 7 | (~h->s & 15) << 3 | 1 << 2 | i.prefix);
  byte(x, x->length << 5 | (memory && h->rm.all) << 4 | !(h->s & 16) << 3 | h->mask);
}

static int unit_of(const shape* h, bool evex)
{
  return !evex ? 1 : h->rm.all ? 8 : h->bytes;
}

// bytes of prefix, SIB and offset where the memory is at `m`
static int length_at(x86_instruction i, const shape* h, x86_operand m, bool evex)
{
  if (m.base == X86_POOL) return (evex ? 4 : i.map == MAP_0F ? 2 : 3) + 4;
  const int prefix = evex ? 4 : i.map == MAP_0F && !(m.base & 8) ? 2 : 3;
  const int offset = is_near(m.offset, unit_of(h, evex)) ? 1 : 4;
  return prefix + ((m.base & 7) == 4) + (m.offset == 0 && (m.base & 7) != 5 ? 0 : offset);
}

// Straight code that outgrows the caches takes as long as its bytes: from its base or an anchor, in
// either form, as is shortest.
static void shorten(const x86_code* x, x86_instruction i, shape* h)
{
  const x86_operand from = h->rm;
  const bool only_evex = h->evex;
  int least = length_at(i, h, from, only_evex);
  for (int k = -1; k < x->anchors; k++) {
    const x86_anchor* a = k < 0 ? NULL : &x->anchor[k];
    if (a && a->base != from.base) continue;
    const x86_operand m = a ? (x86_operand){.reg = -1,
                                            .base = a->reg,
                                            .offset = from.offset - a->offset,
                                            .all = from.all}
                            : from;
    for (int form = only_evex; form <= x->avx512; form++) {
      const int length = length_at(i, h, m, form);
      if (length >= least) continue;
      least = length;
      h->rm = m;
      h->evex = form;
    }
  }
}

static void put(x86_code* x, x86_instruction i, shape h)
{
  const bool memory = h.rm.reg < 0;
  const bool all = memory && h.rm.all;
  h.evex |= x->length == 2 || h.d > 15 || h.s > 15 || h.rm.reg > 15 || all || h.mask;
  assert(!h.evex || x->avx512);
  if (memory) shorten(x, i, &h);
  x86_reserve(x, X86_LONGEST);
  (h.evex ? evex : vex)(x, i, &h);
  byte(x, i.opcode);
  if (memory)
    address(x, h.d, h.rm, unit_of(&h, h.evex), h.tail);
  else
    byte(x, 0xc0 | (h.d & 7) << 3 | (h.rm.reg & 7));
}

static x86_instruction of_doubles(const x86_code* x, int opcode)
{
  return (x86_instruction){MAP_0F, x->single ? PF2 : P66, (uint8_t)opcode, false};
}

void x86_load(x86_code* x, int d, x86_operand from)
{
  const int bytes = x86_vector_bytes(x);
  if (from.reg >= 0) {
    const x86_instruction move = {MAP_0F, P66, 0x28, false};
    if (from.reg != d) put(x, move, (shape){.d = d, .rm = from});
  } else if (from.all && !x->single) {
    // one double to all lanes is an instruction of its own here
    const x86_instruction broadcast = {MAP_0F38, P66, 0x19, false};
    from.all = false;
    put(x, broadcast, (shape){.d = d, .rm = from, .bytes = 8, .evex = true});
  } else
    put(x, of_doubles(x, 0x10), (shape){.d = d, .rm = from, .bytes = bytes});
}

void x86_store(x86_code* x, int s, x86_operand to)
{
  put(x, of_doubles(x, 0x11), (shape){.d = s, .rm = to, .bytes = x86_vector_bytes(x)});
}

void x86_arithmetic_do(x86_code* x, x86_arithmetic op, int d, int s, x86_operand rm)
{
  put(x, of_doubles(x, op), (shape){.d = d, .s = s, .rm = rm, .bytes = x86_vector_bytes(x)});
}

void x86_logic_do(x86_code* x, x86_logic op, int d, int s, x86_operand rm)
{
  const x86_instruction i = {MAP_0F, P66, (uint8_t)op, false};
  put(x, i, (shape){.d = d, .s = s, .rm = rm, .bytes = 16 << x->length});
}

void x86_fused_do(x86_code* x, x86_fused form, int negations, int d, int s, x86_operand rm)
{
  const x86_instruction i = {MAP_0F38, P66, (uint8_t)(form + negations + x->single), true};
  put(x, i, (shape){.d = d, .s = s, .rm = rm, .bytes = x86_vector_bytes(x)});
}

void x86_compare(x86_code* x, x86_predicate p, int m, int s, x86_operand rm)
{
  // of one double there is nothing to spread
  if (x->single) rm.all = false;
  put(x, of_doubles(x, 0xc2),
      (shape){.d = x->avx512 ? MASK : m,
              .s = s,
              .rm = rm,
              .bytes = x86_vector_bytes(x),
              .evex = x->avx512,
              .tail = 1});
  byte(x, p);
}

void x86_blend(x86_code* x, int d, int no, x86_operand yes, int m)
{
  const int bytes = 16 << x->length;
  if (x->avx512) {
    const x86_instruction blend = {MAP_0F38, P66, 0x65, true};
    put(x, blend, (shape){.d = d, .s = no, .rm = yes, .mask = MASK, .bytes = bytes});
    return;
  }
  const x86_instruction blend = {MAP_0F3A, P66, 0x4b, false};
  put(x, blend, (shape){.d = d, .s = no, .rm = yes, .bytes = bytes, .tail = 1});
  byte(x, m << 4);
}

void x86_join_two(x86_code* x, int d, int s, x86_operand rm)
{
  const x86_instruction low = {MAP_0F, P66, 0x14, false}, high = {MAP_0F, P66, 0x16, false};
  put(x, rm.reg >= 0 ? low : high, (shape){.d = d, .s = s, .rm = rm, .bytes = 8});
}

void x86_join_pairs(x86_code* x, int d, int s, x86_operand rm)
{
  const x86_instruction insert = {MAP_0F3A, P66, 0x18, false};
  put(x, insert, (shape){.d = d, .s = s, .rm = rm, .bytes = 16, .tail = 1});
  byte(x, 1);
}

void x86_spread(x86_code* x, int d, x86_operand rm)
{
  const x86_instruction broadcast = {MAP_0F38, P66, 0x19, false};
  put(x, broadcast, (shape){.d = d, .rm = rm, .bytes = 8});
}

void x86_upper_pair(x86_code* x, int d, int s)
{
  const x86_instruction extract = {MAP_0F3A, P66, 0x19, false};
  const int length = x->length;
  const bool single = x->single;
  x->length = 1;
  x->single = false;
  put(x, extract, (shape){.d = s, .rm = x86_reg(d)});
  byte(x, 1);
  x->length = length;
  x->single = single;
}

void x86_store_second(x86_code* x, int s, x86_operand to)
{
  put(x, (x86_instruction){MAP_0F, P66, 0x17, false}, (shape){.d = s, .rm = to, .bytes = 8});
}

void x86_clear_uppers(x86_code* x)
{
  x86_bytes(x, (const uint8_t[]){0xc5, 0xf8, 0x77}, 3);
}

void x86_address(x86_code* x, int to, int base, int32_t offset)
{
  const int b = base == X86_POOL ? 0 : base & 8;
  x86_reserve(x, X86_LONGEST);
  byte(x, 0x48 | (to & 8) >> 1 | b >> 3);
  byte(x, 0x8d);
  address(x, to, x86_mem(base, offset, false), 1, 0);
}

void x86_call(x86_code* x, const void* function)
{
  x86_bytes(x, (const uint8_t[]){0x48, 0xb8}, 2);
  x86_bytes(x, &function, 8);
  x86_bytes(x, (const uint8_t[]){0xff, 0xd0}, 2);
}

void x86_anchor_set(x86_code* x, x86_anchor a)
{
  assert(x->anchors < X86_ANCHORS);
  x86_address(x, a.reg, a.base, a.offset);
  x->anchor[x->anchors++] = a;
}

// REX.W for an address from a base
static int long_at(x86_operand m)
{
  return 0x48 | (m.base & 8) >> 3;
}

void x86_count_start(x86_code* x, x86_operand count, int32_t times)
{
  x86_reserve(x, X86_LONGEST);
  byte(x, long_at(count));
  byte(x, 0xc7);
  address(x, 0, count, 1, 4);
  four(x, times);
}

void x86_step(x86_code* x, int reg, int32_t by)
{
  x86_reserve(x, X86_LONGEST);
  byte(x, 0x48 | (reg & 8) >> 3);
  byte(x, 0x81);
  byte(x, 0xc0 | (reg & 7));
  four(x, by);
}

void x86_count_down(x86_code* x, x86_operand count, int top)
{
  x86_reserve(x, 2 * X86_LONGEST);
  byte(x, long_at(count));
  byte(x, 0x83);
  address(x, 5, count, 1, 1);
  byte(x, 1);
  byte(x, 0x0f);
  byte(x, 0x85);
  four(x, top - (x->bytes.n + 4));
}
