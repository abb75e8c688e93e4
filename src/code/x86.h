// The few instructions of x86-64 that tapes need, as bytes: vector arithmetic in its VEX and EVEX
// forms, and what enters, calls and leaves. Private to the room.
#pragma once

#include "base/base.h"

// general registers by their number; X86_POOL addresses the constants before the code
enum {
  X86_RAX = 0,
  X86_RCX = 1,
  X86_RDX = 2,
  X86_RBX = 3,
  X86_RBP = 5,
  X86_RSI = 6,
  X86_RDI = 7,
  X86_R8 = 8,
  X86_R9 = 9,
  X86_R10 = 10,
  X86_R11 = 11,
  X86_R12 = 12,
  X86_R13 = 13,
  X86_R14 = 14,
  X86_R15 = 15,
  X86_POOL = 16
};

// A vector register (reg >= 0), or memory at base + offset, one double of it for all lanes when
// `all` is set (AVX-512 only). With X86_POOL the offset counts from the start of the bytes.
typedef struct x86_operand
{
  int reg, base;
  int32_t offset;
  bool all;
} x86_operand;

// A register that holds base + offset: what lies around there has a short address.
typedef struct x86_anchor
{
  int reg, base;
  int32_t offset;
} x86_anchor;

enum { X86_ANCHORS = 6 };

// How wide instructions are: one double, or vectors of 128 << length bits.
typedef struct x86_code
{
  BASE_LIST(uint8_t) bytes;
  bool single, avx512;
  int length;
  int anchors;
  x86_anchor anchor[X86_ANCHORS];
} x86_code;

// opcode map, prefix and opcode
typedef struct x86_instruction
{
  uint8_t map, prefix, opcode;
  bool wide; // W in a VEX form; EVEX forms of doubles always have it
} x86_instruction;

// arithmetic of doubles: d = s op rm
typedef enum x86_arithmetic {
  X86_SQRT = 0x51,
  X86_ADD = 0x58,
  X86_MUL = 0x59,
  X86_SUB = 0x5c,
  X86_MIN = 0x5d,
  X86_DIV = 0x5e,
  X86_MAX = 0x5f
} x86_arithmetic;

// on bits
typedef enum x86_logic { X86_AND = 0x54, X86_OR = 0x56, X86_XOR = 0x57 } x86_logic;

// d = +-(d*rm) +- s, +-(s*d) +- rm, +-(s*rm) +- d
typedef enum x86_fused { X86_132 = 0x98, X86_213 = 0xa8, X86_231 = 0xb8 } x86_fused;

// predicates of comparisons; quiet ones are false for nan except UNORDERED
typedef enum x86_predicate {
  X86_EQUAL = 0,
  X86_LESS = 0x11,
  X86_LESS_EQUAL = 0x12,
  X86_UNORDERED = 3,
  X86_NOT_EQUAL = 0x0c,
  X86_GREATER = 0x1e
} x86_predicate;

static inline x86_operand x86_reg(int reg)
{
  return (x86_operand){.reg = reg};
}

static inline x86_operand x86_mem(int base, int32_t offset, bool all)
{
  return (x86_operand){.reg = -1, .base = base, .offset = offset, .all = all};
}

// loops: a count in memory; register += by; back to the byte `top` while the count is not down
void x86_count_start(x86_code* x, x86_operand count, int32_t times);
void x86_step(x86_code* x, int reg, int32_t by);
void x86_count_down(x86_code* x, x86_operand count, int top);

// the longest instruction
enum { X86_LONGEST = 16 };

void x86_reserve(x86_code* x, int n); // room for n more bytes
void x86_bytes(x86_code* x, const void* from, int n);
int x86_vector_bytes(const x86_code* x); // of one register's values

void x86_load(x86_code* x, int d, x86_operand from); // a register, or memory
void x86_store(x86_code* x, int s, x86_operand to);
void x86_arithmetic_do(x86_code* x, x86_arithmetic op, int d, int s, x86_operand rm);
void x86_logic_do(x86_code* x, x86_logic op, int d, int s, x86_operand rm);
// negations: 0 for a*b + c, 2 for a*b - c, 4 for c - a*b, 6 for -a*b - c
void x86_fused_do(x86_code* x, x86_fused form, int negations, int d, int s, x86_operand rm);
// A mask of s against rm, held in register m without AVX-512 and in a mask register with it;
// then d = mask ? yes : no.
void x86_compare(x86_code* x, x86_predicate p, int m, int s, x86_operand rm);
void x86_blend(x86_code* x, int d, int no, x86_operand yes, int m);

// d = (s, rm) of two doubles, of two pairs; one double in all lanes
void x86_join_two(x86_code* x, int d, int s, x86_operand rm);
void x86_join_pairs(x86_code* x, int d, int s, x86_operand rm);
void x86_spread(x86_code* x, int d, x86_operand rm);
// of a pack: its upper pair; the second double of its lower pair to memory
void x86_upper_pair(x86_code* x, int d, int s);
void x86_store_second(x86_code* x, int s, x86_operand to);
void x86_clear_uppers(x86_code* x);
void x86_address(x86_code* x, int to, int base, int32_t offset); // to = base + offset
void x86_anchor_set(x86_code* x, x86_anchor a);                  // from now on
void x86_call(x86_code* x, const void* function);
