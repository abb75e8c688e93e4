// Bytes of instructions. VEX and EVEX prefixes after Intel's Software Developer's Manual, volume 2,
// sections 2.3 and 2.7; an EVEX form only where the shorter VEX form cannot say it.
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
  memcpy(x->bytes.at + x->bytes.n, from, (size_t)n);
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
  const bool near = m.offset % unit == 0 && m.offset / unit >= -128 && m.offset / unit <= 127;
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

static void put(x86_code* x, x86_instruction i, shape h)
{
  const bool memory = h.rm.reg < 0;
  const bool all = memory && h.rm.all;
  h.evex |= x->length == 2 || h.d > 15 || h.s > 15 || h.rm.reg > 15 || all || h.mask;
  assert(!h.evex || x->avx512);
  x86_reserve(x, X86_LONGEST);
  (h.evex ? evex : vex)(x, i, &h);
  byte(x, i.opcode);
  if (memory)
    address(x, h.d, h.rm, !h.evex ? 1 : all ? 8 : h.bytes, h.tail);
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
