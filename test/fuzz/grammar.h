// A model under way. Private to fuzz.
#pragma once

#include "fuzz.h"

// what may stand in a value
typedef enum fuzz_kind { FUZZ_CONSTANT, FUZZ_PLACE, FUZZ_STATE, FUZZ_ALL } fuzz_kind;

typedef struct fuzz_grammar
{
  fuzz_choices* c;
  base_text* out;
  bool wild;  // names of anything anywhere, numbers beyond all bounds
  bool parts; // bodies, joints, springs, shapes
  bool later; // what came into the language later, every second time
  int params, coords, frames, points, bodies, constraints, events, quasis, lets, turns, contacts;
  int surfaces, outputs, joints, springs, functions;
  int inside; // repetitions around this place
} fuzz_grammar;

void fuzz_put(fuzz_grammar* g, const char* format, ...) BASE_PRINTF(2, 3);
// a number, a scalar, a vector
void fuzz_put_number(fuzz_grammar* g);
void fuzz_put_value(fuzz_grammar* g, int depth, fuzz_kind kind);
void fuzz_put_vector(fuzz_grammar* g, int depth, fuzz_kind kind);
void fuzz_put_unit(fuzz_grammar* g);
// names: of a frame, of what has a place, of a body or frame
void fuzz_put_name(fuzz_grammar* g, const char* letter, int count);
void fuzz_put_frame(fuzz_grammar* g);
void fuzz_put_point(fuzz_grammar* g);
void fuzz_put_body(fuzz_grammar* g);
void fuzz_put_speed(fuzz_grammar* g); // a coordinate or quasi-velocity
// grammar_parts.c: bodies and joints to begin with; a statement about them, false: none, any other
void fuzz_put_parts(fuzz_grammar* g);
bool fuzz_put_part(fuzz_grammar* g);
// grammar_later.c: a statement that came later
void fuzz_put_later(fuzz_grammar* g);
