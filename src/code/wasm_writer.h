// A WebAssembly function while it is written: its instructions and where its values are. Private to
// the room.
#pragma once

#include "code/target_wasm.h"

enum { F64 = 0x7c, V128 = 0x7b };
enum {
  LOCAL_GET = 0x20,
  LOCAL_SET = 0x21,
  LOCAL_TEE = 0x22,
  CALL = 0x10,
  SELECT = 0x1b,
  END = 0x0b,
  F64_LOAD = 0x2b,
  F64_STORE = 0x39,
  I32_CONST = 0x41,
  F64_CONST = 0x44,
  F64_EQ = 0x61,
  F64_LT = 0x63,
  F64_GT = 0x64,
  F64_LE = 0x65,
  F64_GE = 0x66,
  I32_ADD = 0x6a,
  F64_ABS = 0x99,
  F64_NEG = 0x9a,
  F64_SQRT = 0x9f,
  F64_ADD = 0xa0,
  F64_SUB = 0xa1,
  F64_MUL = 0xa2,
  F64_DIV = 0xa3,
  VECTOR = 0xfd,
  V_LOAD = 0x00, // behind VECTOR, as all that follow
  V_LOAD_SPLAT = 0x0a,
  V_STORE = 0x0b,
  V_SPLAT = 0x14,
  V_LANE = 0x21,
  V_WITH_LANE = 0x22,
  V_ABS = 0xec,
  V_NEG = 0xed,
  V_SQRT = 0xef,
  V_ADD = 0xf0,
  V_SUB = 0xf1,
  V_MUL = 0xf2,
  V_DIV = 0xf3,
  V_MADD = 0x107,
  V_NMADD = 0x108
};
enum { KERNEL, IN, OUT, SCRATCH, PARAMS };

typedef struct code_wasm_writer
{
  const code_tape* t;
  code_wasm_bytes bytes;
  bool fused;              // values are vectors
  int width, pairs;        // states side by side; vectors that a value has
  int pair, lane;          // those that are being written
  int imports;             // so far
  int import_of[CODE_END]; // by operation, + 1
  int* local;              // by value
  int* last;               // by value: where it is needed last
  int locals;
  BASE_LIST(int) free;
  int *place, places;        // by value: what a function of blocks left in the scratch, + 1
  int *loaded, stretch;      // by value: the part of the code in which a vector of it was loaded
  int *output, *next_output; // by value the first output that it is, by output the next, + 1
} code_wasm_writer;

void code_wasm_vector(code_wasm_writer* w, int op); // an instruction on vectors
void code_wasm_push_number(code_wasm_writer* w, double x);
void code_wasm_push_address(code_wasm_writer* w, int address);
// a value of the tape onto the stack, as values are kept
void code_wasm_push(code_wasm_writer* w, uint32_t value);
// and as a number
void code_wasm_push_scalar(code_wasm_writer* w, uint32_t value);
// the instruction for numbers, or that for vectors
void code_wasm_plain(code_wasm_writer* w, int scalar, int vectors);
// from and to memory at a place behind the address on the stack: one number, or a vector of a block
void code_wasm_load(code_wasm_writer* w, int place);
void code_wasm_store(code_wasm_writer* w, uint32_t value, int place);
int code_wasm_take_local(code_wasm_writer* w);
// what is on the stack is a vector of a value
void code_wasm_keep(code_wasm_writer* w, uint32_t value);
