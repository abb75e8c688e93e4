// Values that are alike computed side by side in vector registers. Private to the room.
#pragma once

#include "code/tape.h"

// lanes of a pack: values computed side by side by the instructions of one
enum { CODE_TWINS = 4 };

// an input among those alike
typedef struct code_twin
{
  uint32_t class; // 0 for none
  uint16_t group;
  uint8_t lane, lanes; // of so many, two at least
} code_twin;

// A tape of one state with packs of CODE_TWINS values. Beside the operations of the table, each of
// packs or of single values, it has those that join and part them (CODE_PAIR to CODE_NUMBERS).
typedef struct code_packed
{
  code_tape tape;
  uint8_t* lanes;           // by value: 1, 2 or CODE_TWINS
  BASE_LIST(double) number; // of packs of constants, CODE_TWINS each
} code_packed;

// twin: by input, as code_twins() has it. False, and nothing made, where it does not pay.
bool code_pack(const code_tape* t, const code_twin* twin, code_packed* out);
// the same in an order in which less waits for what is not there yet
void code_schedule(code_packed* p);
void code_packed_free(code_packed* p);
// at most so many doubles of scratch does its machine code need
int code_packed_slots(const code_packed* p);

// ---- pack_class.c: which values are alike -------------------------------------------------------

// By value: its class, or CODE_ALONE; its lane. Of each class the values, lane by lane, those of
// the first again where there are fewer than CODE_TWINS. Operands of sums and products change
// places where `swapped`, so that those of all lanes correspond.
typedef struct code_classes
{
  int count;
  uint32_t *of, (*member)[CODE_TWINS];
  uint8_t *lane, *lanes; // by value, by class
  bool* swapped;
} code_classes;

#define CODE_ALONE UINT32_MAX

code_classes code_classes_of(const code_tape* t, const code_twin* twin);
void code_classes_free(code_classes* c);
