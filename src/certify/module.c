// What the module exports, and whose memory it takes.
//
// FLINT keeps numbers that are not in use in lists of its own. Where a call is given up its blocks
// are freed, so these lists are emptied first; they are at the end of every run, too.
#include "certify/certify.h"

#include <flint/flint.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local struct
{
  certify_memory memory; // of the call under way, null outside
  base_notes* notes;
  base_hold hold;
} now;

static void empty_lists(void* nothing)
{
  (void)nothing;
  flint_cleanup();
  now.memory = (certify_memory){0};
}

// Outside of our calls FLINT belongs to the program, as GMP does (src/expr/gmp.c).
static void* (*usual_alloc)(size_t n);
static void* (*usual_zeros)(size_t count, size_t n);
static void* (*usual_realloc)(void* p, size_t n);
static void (*usual_free)(void* p);

static void* take(size_t n)
{
  return now.memory.take ? now.memory.take(n) : usual_alloc(n);
}

static void* take_zeros(size_t count, size_t n)
{
  if (!now.memory.take) return usual_zeros(count, n);
  if (n && count > SIZE_MAX / n) base_no_room();
  return memset(now.memory.take(count * n), 0, count * n);
}

static void* resize(void* p, size_t n)
{
  return now.memory.resize ? now.memory.resize(p, n) : usual_realloc(p, n);
}

static void give_back(void* p)
{
  if (now.memory.give_back)
    now.memory.give_back(p);
  else
    usual_free(p);
}

// in the place of abort()
static FLINT_NORETURN void give_up(void)
{
  if (!now.memory.take) abort();
  base_error(now.notes, BASE_NOWHERE, "in long arithmetic: FLINT met what it cannot go on from");
  base_no_room();
}

static void set(void)
{
  // a GMP that the program does not share
  expr_gmp_guard();
  __flint_get_memory_functions(&usual_alloc, &usual_zeros, &usual_realloc, &usual_free);
  __flint_set_memory_functions(take, take_zeros, resize, give_back);
  flint_set_abort(give_up);
}

static void begin(base_call* call, const certify_memory* memory, base_notes* notes)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set);
  base_call_return(call);
  now.memory = *memory;
  now.notes = notes;
  now.hold = base_hold_begin(empty_lists, NULL);
}

static void end(void)
{
  base_hold_end(now.hold);
  base_call_leave();
  now.memory = (certify_memory){0};
}

extern const certify_module certify_module_table;
__attribute__((visibility("default"))) const certify_module certify_module_table = {
    ZWANG_VERSION, begin,           end, certify_system_new, certify_system_free,
    certify_run,   certify_end_free};
