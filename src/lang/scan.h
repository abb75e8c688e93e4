// scan: the next token of a text. Tokens are pieces of the text.
#pragma once

#include "base/base.h"

typedef enum lang_token_kind {
  TOKEN_END,
  TOKEN_NEWLINE,
  TOKEN_NAME,
  TOKEN_NUMBER,
  TOKEN_STRING, // with its quotes
  TOKEN_UNIT,   // with its brackets
  TOKEN_OPEN,
  TOKEN_CLOSE,
  TOKEN_BRACE,
  TOKEN_UNBRACE,
  TOKEN_SEMICOLON,
  TOKEN_DOT,
  TOKEN_PRIME,  // ' or ″: one or two primes
  TOKEN_SQUARE, // ²
  TOKEN_CUBE,   // ³
  // a line that ends in one of these goes on
  TOKEN_COMMA,
  TOKEN_COLON,
  TOKEN_DOTS, // ..
  TOKEN_EQUAL,
  TOKEN_TILDE,
  TOKEN_PLUS,
  TOKEN_MINUS,
  TOKEN_TIMES,
  TOKEN_OVER,
  TOKEN_POWER,
  TOKEN_LT,
  TOKEN_LE,
  TOKEN_GT,
  TOKEN_GE,
  // what is wrong in itself
  TOKEN_FAULT,
  // nothing more of this statement: an error was reported
  TOKEN_FAILED,
} lang_token_kind;

typedef enum lang_fault {
  FAULT_NONE,
  FAULT_BYTES,      // not UTF-8
  FAULT_ZERO,       // a zero byte
  FAULT_RETURN,     // a carriage return alone
  FAULT_STRING,     // quotes not closed
  FAULT_UNIT,       // unit not closed
  FAULT_UNIT_EMPTY, // []
  FAULT_UNIT_LONG,
  FAULT_NUMBER, // letters right after a number
  FAULT_POINTS, // 9.8.1
  FAULT_RANGE,  // a number beyond all doubles
  FAULT_LONG,   // a name too long
  FAULT_EQUALS, // ==
  FAULT_DOTS,   // ...
  FAULT_BLANK,  // a blank that is not plain
  FAULT_STRAY,  // any other sign
} lang_fault;

typedef struct lang_token
{
  lang_token_kind kind;
  lang_fault fault;
  uint32_t from, to;
} lang_token;

typedef struct lang_source
{
  const char* text;
  uint32_t length;
  int file;
  // of a piece that is read again and again, the tokens found so far by the byte they were looked
  // for at: nowhere a token ends before it begins
  uint32_t kept_from, kept_to;
  lang_token* kept;
} lang_source;

// the token at or after byte `at`; blanks and comments are skipped
lang_token lang_scan(const lang_source* s, uint32_t at);

// say what is wrong with a token of kind TOKEN_FAULT, and the way out
void lang_scan_report(const lang_source* s, lang_token t, base_notes* notes);
// habits.c: how many bytes from here on are a unit as kg or m/s^2; 0: none
size_t lang_habits_unit(const char* text);
