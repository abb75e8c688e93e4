// clause: the parts of a statement that begin with a word, in any order, each at most once.
#pragma once

#include "lang/parser.h"

typedef enum lang_clause {
  CLAUSE_MASS = 1 << 0,
  CLAUSE_RADIUS = 1 << 1,
  CLAUSE_NORMAL = 1 << 2,
  CLAUSE_INERTIA = 1 << 3,
  CLAUSE_CORNERS = 1 << 4,
  CLAUSE_FROM = 1 << 5,
  CLAUSE_TO = 1 << 6,
  CLAUSE_AT = 1 << 7,
  CLAUSE_IN = 1 << 8,
  CLAUSE_ON = 1 << 9,
  CLAUSE_ROTATED = 1 << 10,
  CLAUSE_EQUAL = 1 << 11, // = value
  CLAUSE_STIFFNESS = 1 << 12,
  CLAUSE_LENGTH = 1 << 13,
  CLAUSE_DAMPING = 1 << 14,
  CLAUSE_PRELOAD = 1 << 15,
  CLAUSE_ANGLE = 1 << 16,
  CLAUSE_DENSITY = 1 << 17, // in the place of a mass
  CLAUSE_SIZE = 1 << 18,
  CLAUSE_AXIS = 1 << 19,
  CLAUSE_MESH = 1 << 20,
  CLAUSE_SCALE = 1 << 21,
  CLAUSE_ABOUT = 1 << 22,
} lang_clause;

// read clauses until none fits; those needed must be there
void lang_clause_read(lang_parser* p, lang_statement* s, unsigned needs, unsigned may);

// z(0.1) x(pi/2) ... or nothing
void lang_clause_rotations(lang_parser* p, lang_statement* s);

// did you mean one of the clause words?
void lang_clause_suggest(lang_parser* p, lang_token t);
