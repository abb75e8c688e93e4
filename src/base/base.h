// base: memory, growing lists and texts, places in a text, notes to the user.
// Takes nothing from other rooms; gives every room its tools.
// Knows nothing of mechanics.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

#define BASE_PRINTF(FORMAT, ARGS) __attribute__((format(printf, FORMAT, ARGS)))

// ---- memory -------------------------------------------------------------------------------------

// Zeroed block; never null: where memory runs out the call under way is given up (see below).
// base_free() gives it back. Where this header is seen the functions of the C library are these, so
// that no block is given back to the wrong one.
void* base_alloc(size_t n);
void* base_alloc_many(size_t count, size_t n);
void* base_realloc(void* p, size_t n);
void base_free(void* p);
char* base_strdup(const char* text);
char* base_strndup(const char* text, size_t n);
char* base_vprintf(const char* format, va_list args);
#define malloc(N)        base_alloc(N)
#define calloc(COUNT, N) base_alloc_many(COUNT, N)
#define realloc(P, N)    base_realloc(P, N)
#define free(P)          base_free(P)

// ---- calls that can be given up -----------------------------------------------------------------

// Between its beginning and its end a call of the library keeps a ledger of all blocks that it
// takes. Where memory runs out everything below its beginning on the stack is forgotten, its blocks
// are freed, and what else it holds is released; blocks that were there before stay. Without a call
// lack of memory ends the program with status 3: programs of our own may work so, the library never
// does.
//
//   base_call c;
//   if (!base_call_begin(&c)) return no_room;
//   if (setjmp(c.point)) { base_call_give_up(&c); return no_room; }
//   ...
//   base_call_end(&c);
typedef struct base_ledger base_ledger;
typedef struct base_call base_call;
typedef struct base_stock base_stock;
struct base_call
{
  jmp_buf point;
  base_ledger* ledger;
  base_stock* stock; // its blocks come from; null: from the system
  base_call* outer;  // of this thread
  int locks;         // held when it began
};

bool base_call_begin(base_call* c); // false: not even room for its ledger
// Blocks are taken from the stock where it has any, and those given back go to it.
void base_call_begin_with(base_call* c, base_stock* stock);
void base_call_end(base_call* c); // its blocks stay
void base_call_give_up(base_call* c);
_Noreturn void base_no_room(void);
// Outside of the call for a while, as functions of the user are.
base_call* base_call_leave(void);
void base_call_return(base_call* c);

// What must be put in order before a call is given up: f is run; false where memory ran out in it,
// to be followed by base_no_room() when all is in order.
bool base_try(void (*f)(void*), void* context);
// The same in a further thread of the call; share it before the threads begin, and wait for them
// before it ends.
base_call* base_call_share(void);
bool base_try_thread(base_call* of, void (*f)(void*), void* context);

// Something else that is to be released where the call is given up; null outside of calls.
typedef void* base_hold;
base_hold base_hold_begin(void (*release)(void*), void* thing);
// of an owner who may be older than the call, and then keeps it
base_hold base_hold_begin_with(const void* owner, void (*release)(void*), void* thing);
void base_hold_end(base_hold h); // it was released, or lives longer than the call

// Blocks for things that are older than the call belong to their owner and stay with it.
void* base_alloc_with(const void* owner, size_t n);
void* base_realloc_with(const void* owner, void* p, size_t n);
void base_keep_with(const void* owner, void* p); // owner null: nobody gives it up
// All blocks that this thread took since the age was asked for live longer than the call.
uint64_t base_call_age(void);
void base_call_settle(uint64_t age);

// Blocks that were given back, for the calls of one thread at a time that do the same again and
// again: from the second one on they take nothing from the system.
base_stock* base_stock_new(void);
void base_stock_free(base_stock* s);

// Memory of other libraries while a call is under way; such blocks are malloc's.
bool base_call_is_open(void);
void* base_foreign_alloc(size_t n);
void* base_foreign_realloc(void* p, size_t n);
void base_foreign_free(void* p);

// Faults on purpose, for tests: of those of a kind the one with this number fails, then every
// `every`th; 0: none. The count begins anew.
typedef enum base_fault_kind { BASE_FAULT_MEMORY, BASE_FAULT_WRITE, BASE_FAULTS } base_fault_kind;
void base_fault_plan(base_fault_kind kind, long first, long every);
long base_fault_count(base_fault_kind kind); // asked for since then; counted only under a plan
bool base_fault(base_fault_kind kind);       // is this one to fail?

// An arena owns every block taken from it; blocks live until the arena is cut back or freed.
typedef struct base_arena base_arena;

base_arena* base_arena_new(void);
void base_arena_free(base_arena* a);
void* base_arena_take(base_arena* a, size_t n); // zeroed, aligned for any type
char* base_arena_strdup(base_arena* a, const char* text);
char* base_arena_strndup(base_arena* a, const char* text, size_t n);
char* base_arena_printf(base_arena* a, const char* format, ...) BASE_PRINTF(2, 3);
size_t base_arena_mark(const base_arena* a);
void base_arena_cut(base_arena* a, size_t mark);

// ---- lists --------------------------------------------------------------------------------------

// A growing list of any type: BASE_LIST(double) xs = {0}; base_push(&xs, 1.0); xs.at[0]; xs.n
#define BASE_LIST(T) \
  struct             \
  {                  \
    T* at;           \
    int n;           \
    int room;        \
  }
#define base_push_by(LARGER, LIST, ...)                        \
  do {                                                         \
    if ((LIST)->n == (LIST)->room) {                           \
      const int room_ = (LIST)->room ? 2 * (LIST)->room : 8;   \
      const size_t size_ = (size_t)room_ * sizeof *(LIST)->at; \
      (LIST)->at = LARGER;                                     \
      (LIST)->room = room_;                                    \
    }                                                          \
    (LIST)->at[(LIST)->n++] = (__VA_ARGS__);                   \
  } while (0)
#define base_push(LIST, ...) base_push_by(base_realloc((LIST)->at, size_), LIST, __VA_ARGS__)
// a list that belongs to an owner who may be older than the call
#define base_push_with(OWNER, LIST, ...) \
  base_push_by(base_realloc_with(OWNER, (LIST)->at, size_), LIST, __VA_ARGS__)
#define base_list_free(LIST) \
  do {                       \
    free((LIST)->at);        \
    (LIST)->at = NULL;       \
    (LIST)->n = 0;           \
    (LIST)->room = 0;        \
  } while (0)

// ---- things kept --------------------------------------------------------------------------------

// What is made once and kept under a key, by whoever asks first, for all threads that share its
// owner. Who looks for a thing and makes it where there is none holds the lock meanwhile; a thread
// that has it may take it again.
typedef struct base_kept base_kept;
typedef struct base_key
{
  const char* what; // a name for things of one kind
  const void* bytes;
  size_t n;
} base_key;

base_kept* base_kept_new(void);
void base_kept_free(base_kept* k); // and what is kept, the last first
void base_kept_lock(base_kept* k);
// the same for who begins by looking for a thing: the lock is taken where it is not found
void base_kept_open(base_kept* k);
void base_kept_unlock(base_kept* k);
// behind one of both; a thing may be null: it is known that there is none
bool base_kept_find(base_kept* k, base_key key, void** thing);
// it lives longer than the call, with everything taken since the lock was
void base_kept_add(base_kept* k, base_key key, void* thing, void (*release)(void*));
// locks that this thread has; all but the first `count` given back
int base_kept_held(void);
void base_kept_release(int count);
// how many of a kind
int base_kept_count(base_kept* k, const char* what);

// ---- texts --------------------------------------------------------------------------------------

// A growing text, always ended by a zero byte once anything was added. Start from {0}.
typedef struct base_text
{
  char* at;
  size_t n;
  size_t room;
} base_text;

void base_text_add(base_text* t, const char* text);
void base_text_addn(base_text* t, const char* text, size_t n);
void base_text_printf(base_text* t, const char* format, ...) BASE_PRINTF(2, 3);
void base_text_free(base_text* t);
char* base_text_take(base_text* t); // hand the characters over (never null), leave {0}

// shortest decimal that reads back as the same double ("0.1", "1e+22", "-3")
void base_text_double(base_text* t, double x);

// the first n bytes of a valid UTF-8 text take this many columns on a terminal
int base_utf8_columns(const char* text, size_t n);
// offset of the first byte that is not valid UTF-8, or -1
ptrdiff_t base_utf8_fault(const char* text, size_t n);
// length in bytes of the letter (any alphabet) or '_' at text, 0 when there is none;
// a name goes on with letters, marks and digits
size_t base_utf8_name_start(const char* text, size_t n);
size_t base_utf8_name_part(const char* text, size_t n);

// a copy with letters and their marks composed (NFC), so that names that look alike are the same
char* base_utf8_compose(base_arena* a, const char* text, size_t n);

// the word of the list nearest to `word` by typing distance, or null when none is near
const char* base_nearest(const char* word, const char* const* words, int count);

// Read a whole regular file of at most `limit` bytes into a fresh block ended by a zero byte.
// On failure null, and *why says the reason in words.
char* base_file_read(const char* path, size_t limit, size_t* length, const char** why);
// the path without links and dots; null with errno where there is nothing
char* base_file_real(const char* path);
// for base_hold_begin(): closes the file of this number
void base_file_shut(void* file);

// Writing as the system has it, failing with ENOSPC where a test says so.
ssize_t base_file_write(int file, const void* bytes, size_t n);
bool base_file_put(FILE* stream, const void* bytes, size_t n);
int base_file_close(FILE* stream);
int base_file_sync(int file); // of the bytes
int base_file_rename(const char* from, const char* to);

// ---- places and notes ---------------------------------------------------------------------------

// Bytes from .. to of one of the notes' sources; file -1 means nowhere.
typedef struct base_place
{
  int file;
  uint32_t from, to;
} base_place;

#define BASE_NOWHERE ((base_place){-1, 0, 0})
base_place base_place_join(base_place a, base_place b);

typedef enum base_level { BASE_INFO, BASE_WARNING, BASE_ERROR } base_level;

// Notes collect what the user is told. At most 100 errors are kept; the rest are counted.
typedef struct base_notes base_notes;

base_notes* base_notes_new(void);
void base_notes_free(base_notes* n);

// register a text that places point into (copied); returns its file number
int base_notes_source(base_notes* n, const char* name, const char* text, size_t length);
const char* base_notes_source_name(const base_notes* n, int file);
// the whole text of a source; null behind the last
const char* base_notes_source_text(const base_notes* n, int file, size_t* length);
int base_notes_sources(const base_notes* n);
// the same text once more, read for other values of an index: `when` ("i = 3") is told with each
// note on it; an error met at one value is not shown again for others
int base_notes_source_again(base_notes* n, int file, const char* when);
// the text of a place (a fresh copy from the arena)
char* base_notes_quote(const base_notes* n, base_place p, base_arena* a);

// "name:line:column: error: reason" with the line and a caret under it when the note is made
void base_error(base_notes* n, base_place p, const char* format, ...) BASE_PRINTF(3, 4);
void base_warning(base_notes* n, base_place p, const char* format, ...) BASE_PRINTF(3, 4);
void base_info(base_notes* n, base_place p, const char* format, ...) BASE_PRINTF(3, 4);
// the way out, shown below the last note: "help: did you mean `theta`?"
void base_help(base_notes* n, const char* format, ...) BASE_PRINTF(2, 3);
bool base_notes_helped(const base_notes* n); // does the last note have one?

// memory ran out; takes none
void base_notes_no_room(base_notes* n);

int base_notes_count(const base_notes* n);
// forget the notes from number `from` on; the sources stay
void base_notes_cut(base_notes* n, int from);
int base_notes_errors(const base_notes* n);
base_level base_notes_level(const base_notes* n, int i);
const char* base_notes_text(const base_notes* n, int i);   // as shown, several lines
const char* base_notes_reason(const base_notes* n, int i); // the reason alone
void base_notes_where(const base_notes* n, int i, int* line, int* column); // 0, 0 for nowhere
base_place base_notes_place(const base_notes* n, int i); // in the source as it was first read

// ---- numbers of twice the digits ----------------------------------------------------------------

#include "base/processor.h"
#include "base/wide.h"
