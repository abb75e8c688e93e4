// From a tape to machine code: where each value lives while the code is written. Private to the
// room.
//
// A value is made in a register. It has a home in memory when it is an input, a constant or an
// output, or once it was spilled; then it may leave its register at no cost. Of several values, the
// one whose next use is furthest away leaves first (Belady 1966), which straight-line code knows
// exactly.
#pragma once

#include "code/native.h"
#include "code/pack.h"
#include "code/roll.h"
#include "code/x86.h"

enum { EMIT_NEVER = INT32_MAX, EMIT_NOWHERE = -1, EMIT_REGISTERS = 32 };

typedef struct emit_value
{
  int32_t next; // the instruction that uses it next, or EMIT_NEVER
  int32_t reg;  // or EMIT_NOWHERE
  int32_t base; // of its home, or EMIT_NOWHERE
  int32_t offset;
  int32_t slot;   // of the scratch block, or EMIT_NOWHERE
  int32_t output; // the first output it is, or EMIT_NOWHERE
  int32_t via;    // in a loop, where its home moves: the pointer there, from 1 on
} emit_value;

// a register that holds base + offset in the first round of a loop, and moves on with every round
typedef struct emit_pointer
{
  int reg, base;
  int32_t offset, stride;
} emit_pointer;

enum { EMIT_POINTERS = 6 };

// bit patterns every kernel may need, at the start of the pool, EMIT_PATTERN bytes each
typedef enum emit_pattern { EMIT_SIGN, EMIT_MAGNITUDE, EMIT_ONE, EMIT_NAN, EMIT_ZERO } emit_pattern;
enum { EMIT_PATTERNS = 5, EMIT_PATTERN = 32 };
enum { EMIT_PACK = 32 }; // bytes of a pack

typedef struct emitter
{
  const code_tape* t;
  const code_packed* packed; // null, or t with packs
  const code_rolled* rolled; // null, or what repeats in t
  x86_code* x;
  int lanes;            // of a register
  int row;              // doubles from one input or output to the next
  int in_at, out_at;    // doubles in front of the first input and output
  int last_call;        // the instruction behind which there are none, or -1
  int beside, blocks;   // which of so many that are worked at in turns
  int in, out, scratch; // base registers
  emit_value* value;
  int32_t (*after)[3];       // by instruction: the use of each operand after this one
  int32_t* next_output;      // by output: another one with the same value, or EMIT_NOWHERE
  uint32_t own;              // registers that may be used
  int holds[EMIT_REGISTERS]; // the value in each register, or EMIT_NOWHERE
  uint32_t empty;            // registers without a value
  uint32_t locked;           // registers the instruction at hand reads or writes
  int at;                    // that instruction
  int slots;
  const code_repetition* loop; // at hand, or null
  int pointers;                // that move in it
  emit_pointer pointer[EMIT_POINTERS];
  BASE_LIST(int32_t) free_slots, free_wide; // for a value, for a pack
} emitter;

// ---- emit_place.c: registers and homes ----------------------------------------------------------

bool emit_is_fixed(uint32_t op); // at home from the start
void emit_place_start(emitter* e);
// Instructions from now on are of as many lanes. Returns how many they were of; all are alike
// where nothing is packed.
int emit_lanes(emitter* e, int lanes);
int emit_lanes_of(const emitter* e, uint32_t v);
x86_operand emit_home(const emitter* e, uint32_t v);
x86_operand emit_output_at(const emitter* e, int k);
x86_operand emit_pattern_at(const emitter* e, emit_pattern p);
int emit_slot_take(emitter* e);
int32_t emit_slot_offset(const emitter* e, int slot);
void emit_settle(emitter* e, uint32_t v); // a home
void emit_spill(emitter* e, uint32_t v);  // a home, and the value in it
int emit_register_take(emitter* e);       // locked
bool emit_in_register(const emitter* e, uint32_t v);
bool emit_dies(const emitter* e, uint32_t v); // is this its last use?
// the value for reading: in a register, or wherever it is; locked until emit_done
int emit_read_register(emitter* e, uint32_t v);
x86_operand emit_read(emitter* e, uint32_t v);
// a register with the value that may be overwritten
int emit_own(emitter* e, uint32_t v);
// a register for the result, one of an operand's that is used here last where possible; nothing
// but the one instruction that writes it may follow before emit_done
int emit_result(emitter* e, const code_ins* ins);
// operands used up are forgotten, and value i is in register d (d < 0: it already has its home)
void emit_done(emitter* e, const code_ins* ins, int d);
void emit_forget_registers(emitter* e);
// registers and slot of a value no longer needed
void emit_release(emitter* e, uint32_t v);

// ---- emit_frame.c: entry and return -------------------------------------------------------------

void emit_enter(emitter* e, bool calls); // calls: whether there are any inside
void emit_leave(emitter* e, bool calls);
void emit_set_anchors(emitter* e, int at); // for the instructions from `at` on

// ---- emit.c: one instruction --------------------------------------------------------------------

void emit_instruction(emitter* e, int at);

// ---- emit_roll.c: loops -------------------------------------------------------------------------

// homes of the values that are read outside of their rounds
void emit_pin_rounds(emitter* e);
// value v was just made: what has to be kept of it
void emit_keep(emitter* e, uint32_t v);
// The rounds of a repetition that are alike as a loop; false, and nothing is written, where too
// many things move.
bool emit_loop(emitter* e, const code_repetition* p);

// ---- emit_call.c: functions ---------------------------------------------------------------------

bool emit_is_call(uint32_t op);
// all that is needed by the call and later is at home; before the call of any block
void emit_call_prepare(emitter* e, const code_ins* ins);
void emit_call(emitter* e, const code_ins* ins);

// ---- emit_pack.c: packs -------------------------------------------------------------------------

bool emit_pack(emitter* e, const code_ins* ins); // false where it is another operation
