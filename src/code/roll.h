// What repeats in a tape: stretches of instructions that do the same again and again to values a
// constant distance further on. Private to the room.
#pragma once

#include "code/tape.h"

// Among the instructions that are made (all but inputs and constants, which are numbered on their
// own: `made`), `count` rounds of `period` from `first` on. Rounds `from` .. `to` - 1 are alike:
// every operand is the same one in each, or moves by the same distance from round to round within
// one repetition, as inputs and outputs do. The others differ at their ends: a chain begins and
// ends somewhere.
typedef struct code_repetition
{
  int first, period, count, from, to;
  // values of a round that are read outside of it, and are no outputs: each in a place of its own
  // in every round, or no later than in the next round of the loop, one place for all rounds
  int width, carried;
  int frame; // where those of the first round lie among all of all repetitions; carried ones behind
} code_repetition;

// what is known of the repetitions of a tape: it is looked for once, and kept with the tape
struct code_loops
{
  BASE_LIST(code_repetition) at;
  int32_t* kept; // as below, of one round of each repetition, one after another
  int frames;
};

typedef struct code_rolled
{
  int instructions;
  uint32_t* made;  // the instruction by number
  int32_t* number; // by instruction, or -1
  int32_t* within; // by number: its repetition, or -1
  int32_t* kept;   // by number: which of a round's values that are kept, or -1; if it is carried,
                   // -2 less which of those
  int frames;      // values that are kept, of all repetitions
  BASE_LIST(code_repetition) at;
} code_rolled;

void code_roll_find(code_tape* t); // look for what repeats, in a long tape
void code_loops_free(code_loops* l);
code_rolled code_roll(const code_tape* t); // what was found there, by instruction
void code_rolled_free(code_rolled* r);
// which round of its repetition a value made belongs to
int code_rolled_round(const code_rolled* r, int number);
