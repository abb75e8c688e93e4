// Machine code of a kernel: what this processor can do, and the pages the code lies in. Private to
// the room.
#pragma once

#include "code/pack.h"

// what code may use; each has all of those before it
typedef enum code_level { CODE_INTERPRETED, CODE_WASM, CODE_AVX2, CODE_AVX512 } code_level;

// the best this processor and its system offer, and no more than ZWANG_CODE allows
code_level code_level_here(void);

// pages that hold code, and where it begins
typedef struct code_pages
{
  void* at;
  size_t bytes;
  size_t entry;
  int slots; // blocks of scratch the code uses
} code_pages;

// Written, then made executable, never both; false where the system refuses.
bool code_pages_new(code_pages* p, size_t n, const void* bytes, size_t entry);
void code_pages_free(code_pages* p);

// Code that goes into the same pages, piece behind piece: to get pages, protect them and give them
// back takes longer than to write a short kernel.
typedef struct code_sheaf
{
  int n, room;
  uint8_t* at;
} code_sheaf;
// one piece more, which is to be bound
void code_sheaf_add(code_sheaf* s, code_pages* p, int n, const void* bytes, size_t entry);
// The pieces in pages of the first, with which the others' code goes; false where the system
// refuses.
bool code_sheaf_bind(const code_sheaf* s, int count, code_pages* const* piece);

// The same for a module of WebAssembly: it has a place in the table of functions, at which `at`
// points. False where there is no browser around, or it refuses.
bool code_module_new(code_pages* p, const code_tape* t, int width);
void code_module_free(code_pages* p);
// whether there is a browser that multiplies and adds in one rounding
bool code_module_fuses(void);

// Code that evaluates a block of `width` states, or CODE_BLOCKS of them behind one another, a
// code_runner; false where that cannot be had.
enum { CODE_BLOCKS = 2 };
bool code_emit(code_pages* p, const code_tape* t, int width, int blocks, code_level level);
// the same as a piece of a sheaf, which has to be bound first
bool code_emit_piece(code_sheaf* s, code_pages* p, const code_tape* t, int width, code_level level);
// Blocks of scratch such code may use; of more than one state it aligns them to CODE_ALIGNMENT
// doubles.
int code_emit_slots(const code_tape* t);
// of one state, what is alike side by side
bool code_emit_packed(code_pages* p, const code_packed* packed, code_level level);
enum { CODE_ALIGNMENT = 8 };
