// Tapes as WebAssembly modules. Private to the room.
#pragma once

#include "code/tape.h"

typedef BASE_LIST(uint8_t) code_wasm_bytes;

void code_wasm_byte(code_wasm_bytes* b, int x);
void code_wasm_unsigned(code_wasm_bytes* b, uint32_t x); // LEB128, as the next
void code_wasm_signed(code_wasm_bytes* b, int32_t x);
void code_wasm_raw(code_wasm_bytes* b, const void* at, size_t n);
void code_wasm_name(code_wasm_bytes* b, const char* text);
// what was written from `start` on becomes a section, or the body of a function, of that length
void code_wasm_enclose(code_wasm_bytes* b, int start);

// It imports the memory as "z"."memory" and functions as "z"."A", "z"."B" and so on, in the order
// of these operations; it exports the function as "r".
typedef struct code_wasm_module
{
  code_wasm_bytes bytes;
  int width; // states side by side: 1, or a block of 4 or 8
  int functions;
  uint32_t function[CODE_END];
} code_wasm_module;

// types of functions: number -> number, two numbers -> number, (kernel, in, out, scratch), and
// (out, a, b) of blocks
enum { WASM_ONE, WASM_TWO, WASM_RUNNER, WASM_BLOCKS };
void code_wasm_types(code_wasm_bytes* b);
void code_wasm_imports(code_wasm_bytes* b, const code_wasm_module* m);
void code_wasm_section(code_wasm_bytes* b, int id, int n, const int* content);

// false where a browser would not take it; the bytes are then to be freed all the same
bool code_wasm_write(code_wasm_module* m, const code_tape* t, int width, bool fused);

// The function of the C library for an operation, as its type is; null where it needs none. That of
// a sine-cosine pair returns the sine and leaves the cosine where code_wasm_cosine_at() says.
typedef void code_wasm_any(void);
code_wasm_any* code_wasm_function(uint32_t op);
int code_wasm_cosine_at(void);
// where functions of blocks find operands that are not in memory by themselves
int code_wasm_block_at(int i);
// blocks of scratch that a module of this tape uses
int code_wasm_slots(const code_tape* t);
