// fuzz: bytes become choices, choices become inputs, inputs are fed to one stage of the program.
// Takes a seed, or bytes kept from before; gives crashes, leaks and endless work, each with the
// bytes that made it. Knows the grammar of the language and the doors of the rooms.
#pragma once

#include "base/base.h"

// ---- choices ------------------------------------------------------------------------------------

// Bytes read as choices. Behind the last of them every choice is 0, and 0 is always the shortest
// way on, so that any bytes end.
typedef struct fuzz_choices
{
  const uint8_t* at;
  size_t n, next;
} fuzz_choices;

int fuzz_pick(fuzz_choices* c, int n);       // 0 .. n - 1
bool fuzz_rarely(fuzz_choices* c, int of_a); // once in so many, never behind the end
const char* fuzz_pick_word(fuzz_choices* c, const char* const* words, int n);
#define FUZZ_WORD(C, WORDS) fuzz_pick_word(C, WORDS, (int)(sizeof(WORDS) / sizeof *(WORDS)))

// A stream of random numbers, the same for the same seed.
uint64_t fuzz_random(uint64_t* state);
int fuzz_random_below(uint64_t* state, int n);
// fresh bytes, and bytes made from others; at most `room`, returns how many
size_t fuzz_bytes_fresh(uint64_t* state, uint8_t* to, size_t room);
size_t fuzz_bytes_change(uint64_t* state, uint8_t* bytes, size_t n, size_t room,
                         const uint8_t* other, size_t other_n);

// ---- texts --------------------------------------------------------------------------------------

// A model: what the first byte says comes from the grammar, tame (most of it has a meaning) or
// wild, is spoilt byte by byte, or is the rest of the bytes as they stand.
enum { FUZZ_LITERAL = 255 };
void fuzz_model(fuzz_choices* c, base_text* out);
// a value alone, equations such as those of --state
void fuzz_value(fuzz_choices* c, base_text* out);
void fuzz_equations(fuzz_choices* c, base_text* out);
// bytes left out, put in, doubled, words of the language among them
void fuzz_spoil(fuzz_choices* c, base_text* out);

// ---- stages -------------------------------------------------------------------------------------

typedef struct fuzz_stage
{
  const char* name;
  // what it may cost, in pieces of straight code (counted where the program was built to count
  // them): more is a finding, and what costs more than `cheap` is not gone on from
  uint64_t most, cheap;
  int draw;    // inputs in an ordinary test
  bool models; // takes texts of models
  void (*feed)(fuzz_choices* c);
} fuzz_stage;
extern const fuzz_stage fuzz_stages[]; // the last has no name

void fuzz_feed_parse(fuzz_choices* c);
void fuzz_feed_expression(fuzz_choices* c);
void fuzz_feed_model(fuzz_choices* c);
void fuzz_feed_algebra(fuzz_choices* c);
void fuzz_feed_derive(fuzz_choices* c);
void fuzz_feed_start(fuzz_choices* c);
void fuzz_feed_whole(fuzz_choices* c);
void fuzz_feed_sweep(fuzz_choices* c);
void fuzz_feed_journal(fuzz_choices* c);
void fuzz_feed_command(fuzz_choices* c);
void fuzz_feed_mesh(fuzz_choices* c);
void fuzz_feed_kept(fuzz_choices* c);
void fuzz_feed_format(fuzz_choices* c);
void fuzz_feed_editor(fuzz_choices* c);
void fuzz_feed_stability(fuzz_choices* c);
void fuzz_feed_geometry(fuzz_choices* c);
void fuzz_feed_continue(fuzz_choices* c);
void fuzz_feed_structure(fuzz_choices* c);
void fuzz_feed_chaos(fuzz_choices* c);
void fuzz_feed_linearise(fuzz_choices* c);
void fuzz_feed_inverse(fuzz_choices* c);
void fuzz_feed_move(fuzz_choices* c);
void fuzz_feed_view(fuzz_choices* c);

// what must hold; else the input is a finding
#define FUZZ_HOLDS(WHAT) ((WHAT) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #WHAT))
_Noreturn void fuzz_broken(const char* file, int line, const char* what);
// shows an input on the standard output before it is fed
extern bool fuzz_shown;
void fuzz_show(const char* text);

// ---- what is watched ----------------------------------------------------------------------------

enum { FUZZ_PLACES = 1 << 20 };
// before an input; `over` is called once work exceeds `most`
void fuzz_watch_begin(uint64_t most, void (*over)(void));
uint64_t fuzz_watch_work(void);
bool fuzz_watch_guides(void); // was the program built to say what inputs reach?
// marks what the input reached beside what was seen before; is there something new?
bool fuzz_watch_merge(uint8_t* seen);
size_t fuzz_memory_in_use(void); // blocks
// who called whom just now, on the standard error, and a number that tells findings apart
uint64_t fuzz_watch_place(void);
