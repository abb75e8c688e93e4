// Blocks from the heap that are never null, and what happens where memory runs
// out.
//
// A call that can be given up keeps a ledger of all blocks taken since it
// began. Where memory runs out the stack is cut back to the call's beginning,
// its blocks are freed, and what else it holds (files, locks, objects of other
// libraries) is released. What was there before and what has been settled
// stays: an owner that lives longer lends its age to blocks that are taken for
// it.
#include "base/base.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#undef malloc
#undef calloc
#undef realloc
#undef free

// in front of every block
typedef struct block
{
  struct block *before, *after; // in the ledger, in order of age
  base_ledger* ledger;          // null: settled
  uint64_t age;                 // number in the ledger, thread, hold: see age_of()
} block;
_Static_assert(sizeof(block) % _Alignof(max_align_t) == 0, "blocks are aligned for any type");

typedef struct hold
{
  void (*release)(void*);
  void* thing;
} hold;

struct base_ledger
{
  block first; // its `before` is the youngest
  uint64_t next;
  bool shared; // other threads may free its blocks
  pthread_mutex_t lock;
  // blocks of other libraries, by their addresses; `room` is a power of two
  void** foreign;
  size_t foreign_count, foreign_room;
};

static _Thread_local base_call* current;
static _Thread_local const void* releasing; // the hold whose thing is being released

// Threads of a call share its ledger; what one of them settles is its own.
enum { hold_bit = 1, thread_bits = 16, number_shift = 1 + thread_bits };

static uint64_t age_of(uint64_t number, unsigned thread, bool is_hold)
{
  return number << number_shift | (uint64_t)(thread & ((1u << thread_bits) - 1)) << 1 | is_hold;
}

static bool is_of(const block* b, unsigned thread)
{
  return (b->age >> 1 & ((1u << thread_bits) - 1)) == thread;
}

static block* block_of(const void* p)
{
  return (block*)(uintptr_t)p - 1;
}

// ---- ledgers
// ------------------------------------------------------------------------------------

static void lock(base_ledger* l)
{
  if (l->shared) pthread_mutex_lock(&l->lock);
}

static void unlock(base_ledger* l)
{
  if (l->shared) pthread_mutex_unlock(&l->lock);
}

static void link_behind(block* elder, block* b)
{
  b->before = elder;
  b->after = elder->after;
  elder->after->before = b;
  elder->after = b;
}

static void enter(block* b, bool is_hold)
{
  base_ledger* l = current->ledger;
  lock(l);
  b->ledger = l;
  b->age = age_of(l->next++, current->thread, is_hold);
  link_behind(l->first.before, b);
  unlock(l);
}

static void unlink_block(block* b)
{
  b->before->after = b->after;
  b->after->before = b->before;
  b->ledger = NULL;
}

static void strike(block* b)
{
  base_ledger* l = b->ledger;
  if (!l) return;
  lock(l);
  unlink_block(b);
  unlock(l);
}

static base_ledger* ledger_new(void)
{
  base_ledger* l = base_fault(BASE_FAULT_MEMORY) ? NULL : calloc(1, sizeof *l);
  if (!l) return NULL;
  l->first.before = l->first.after = &l->first;
  pthread_mutex_init(&l->lock, NULL);
  return l;
}

static void ledger_free(base_ledger* l)
{
  if (!l) return;
  pthread_mutex_destroy(&l->lock);
  free(l->foreign);
  free(l);
}

// ---- blocks
// -------------------------------------------------------------------------------------

_Noreturn void base_no_room(void)
{
  if (!current) {
    fprintf(stderr, "zwang: out of memory\n");
    exit(3);
  }
  longjmp(current->point, 1);
}

// malloc keeps small blocks at hand, calloc does not; large ones come from the
// system as zeros
enum { large = 1 << 16 };

static block* take(size_t n, bool zeroed)
{
  block* b = NULL;
  if (n < SIZE_MAX / 2 && !base_fault(BASE_FAULT_MEMORY))
    b = zeroed && n >= large ? calloc(1, sizeof *b + n) : malloc(sizeof *b + (n ? n : 1));
  if (!b) base_no_room();
  if (zeroed && n < large)
    memset(b, 0, sizeof *b + n);
  else
    *b = (block){0};
  return b;
}

static void* take_for_call(size_t n, bool zeroed)
{
  block* b = take(n, zeroed);
  if (current) enter(b, false);
  return b + 1;
}

void* base_alloc(size_t n)
{
  return take_for_call(n, true);
}

void* base_alloc_many(size_t count, size_t n)
{
  return base_alloc(n && count > SIZE_MAX / n ? SIZE_MAX : count * n);
}

void* base_alloc_with(const void* owner, size_t n)
{
  void* p = take(n, true) + 1;
  base_keep_with(owner, p);
  return p;
}

void base_keep_with(const void* owner, void* p)
{
  if (!p) return;
  block *b = block_of(p), *o = owner ? block_of(owner) : NULL;
  strike(b);
  base_ledger* l = o ? o->ledger : NULL;
  if (!l) return;
  lock(l);
  b->ledger = l;
  b->age = (o->age & ~(uint64_t)hold_bit) | (b->age & hold_bit);
  link_behind(o, b);
  unlock(l);
}

void* base_realloc(void* p, size_t n)
{
  if (!p) return take_for_call(n, false);
  block* b = block_of(p);
  base_ledger* l = b->ledger;
  if (l) lock(l);
  block* moved = n < SIZE_MAX / 2 && !base_fault(BASE_FAULT_MEMORY)
                     ? realloc(b, sizeof *b + (n ? n : 1))
                     : NULL;
  if (moved && l) moved->before->after = moved->after->before = moved;
  if (l) unlock(l);
  if (!moved) base_no_room();
  return moved + 1;
}

void* base_realloc_with(const void* owner, void* p, size_t n)
{
  if (p) return base_realloc(p, n);
  p = take(n, false) + 1;
  base_keep_with(owner, p);
  return p;
}

void base_free(void* p)
{
  if (!p) return;
  block* b = block_of(p);
  strike(b);
  free(b);
}

char* base_strdup(const char* text)
{
  return base_strndup(text, strlen(text));
}

char* base_strndup(const char* text, size_t n)
{
  size_t length = strnlen(text, n);
  char* copy = base_alloc(length + 1);
  memcpy(copy, text, length);
  return copy;
}

// ---- what else a call holds
// ---------------------------------------------------------------------

base_hold base_hold_begin_with(const void* owner, void (*release)(void*), void* thing)
{
  base_hold h = base_hold_begin(release, thing);
  base_keep_with(owner, h);
  return h;
}

base_hold base_hold_begin(void (*release)(void*), void* thing)
{
  if (!current) return NULL;
  block* b = take(sizeof(hold), false);
  *(hold*)(b + 1) = (hold){release, thing};
  enter(b, true);
  return b + 1;
}

void base_hold_end(base_hold h)
{
  if (h != releasing) base_free(h);
}

static size_t place_of(const base_ledger* l, const void* p)
{
  const uint64_t hash = (uint64_t)(uintptr_t)p * 0x9e3779b97f4a7c15u;
  size_t i = (size_t)(hash >> 32) & (l->foreign_room - 1);
  while (l->foreign[i] && l->foreign[i] != p) i = (i + 1) & (l->foreign_room - 1);
  return i;
}

// room for one more; false without memory
static bool foreign_grow(base_ledger* l)
{
  if (l->foreign_room && 2 * (l->foreign_count + 1) <= l->foreign_room) return true;
  const size_t before = l->foreign_room, room = before ? 2 * before : 256;
  void **old = l->foreign, **larger = calloc(room, sizeof *larger);
  if (!larger) return false;
  l->foreign = larger;
  l->foreign_room = room;
  for (size_t i = 0; i < before; i++)
    if (old[i]) l->foreign[place_of(l, old[i])] = old[i];
  free(old);
  return true;
}

static void foreign_add(base_ledger* l, void* p)
{
  l->foreign[place_of(l, p)] = p;
  l->foreign_count++;
}

static void foreign_remove(base_ledger* l, const void* p)
{
  size_t i = l->foreign_room ? place_of(l, p) : 0;
  if (!l->foreign_room || !l->foreign[i]) return;
  l->foreign[i] = NULL;
  l->foreign_count--;
  // those behind the gap that a search would pass by move up
  for (i = (i + 1) & (l->foreign_room - 1); l->foreign[i]; i = (i + 1) & (l->foreign_room - 1)) {
    void* q = l->foreign[i];
    l->foreign[i] = NULL;
    l->foreign[place_of(l, q)] = q;
  }
}

bool base_call_is_open(void)
{
  return current != NULL;
}

void* base_foreign_alloc(size_t n)
{
  return base_foreign_realloc(NULL, n);
}

void* base_foreign_realloc(void* p, size_t n)
{
  base_ledger* l = current ? current->ledger : NULL;
  if (l) lock(l);
  const bool fits = !base_fault(BASE_FAULT_MEMORY) && (!l || foreign_grow(l));
  if (l && p && fits) foreign_remove(l, p);
  void* q = fits ? realloc(p, n ? n : 1) : NULL;
  if (l && q) foreign_add(l, q);
  if (l && p && fits && !q) foreign_add(l, p);
  if (l) unlock(l);
  if (!q) base_no_room();
  return q;
}

void base_foreign_free(void* p)
{
  base_ledger* l = current ? current->ledger : NULL;
  if (l) lock(l);
  if (l && p) foreign_remove(l, p);
  if (l) unlock(l);
  free(p);
}

// ---- calls
// --------------------------------------------------------------------------------------

bool base_call_begin(base_call* c)
{
  c->ledger = ledger_new();
  c->outer = current;
  c->locks = base_kept_held();
  c->thread = 0;
  if (c->ledger) current = c;
  return c->ledger != NULL;
}

// youngest first: a thing is released before the blocks it is made of
static void release_all(base_ledger* l)
{
  while (l->first.before != &l->first) {
    block* b = l->first.before;
    const hold h = b->age & hold_bit ? *(hold*)(b + 1) : (hold){0};
    unlink_block(b);
    releasing = b + 1;
    if (h.release) h.release(h.thing);
    releasing = NULL;
    free(b);
  }
  for (size_t i = 0; i < l->foreign_room; i++) free(l->foreign[i]);
}

void base_call_give_up(base_call* c)
{
  base_kept_release(c->locks);
  // what is released may free blocks, and takes none
  current = c;
  base_ledger* l = c->ledger;
  l->shared = false;
  release_all(l);
  ledger_free(l);
  current = c->outer;
}

void base_call_end(base_call* c)
{
  base_ledger* l = c->ledger;
  while (l->first.before != &l->first) unlink_block(l->first.before);
  ledger_free(l);
  current = c->outer;
}

base_call* base_call_leave(void)
{
  base_call* c = current;
  current = NULL;
  return c;
}

void base_call_return(base_call* c)
{
  current = c;
}

uint64_t base_call_age(void)
{
  return current ? current->ledger->next : 0;
}

void base_call_settle(uint64_t age)
{
  if (!current) return;
  base_ledger* l = current->ledger;
  lock(l);
  for (block *b = l->first.before, *elder; b != &l->first && b->age >> number_shift >= age;
       b = elder) {
    elder = b->before;
    if (is_of(b, current->thread)) unlink_block(b);
  }
  unlock(l);
}

// ---- parts of a call
// ----------------------------------------------------------------------------

static bool run_inside(base_call* c, void (*f)(void*), void* context)
{
  base_call* const before = current;
  c->locks = base_kept_held();
  if (setjmp(c->point) == 0) {
    current = c;
    f(context);
    current = before;
    return true;
  }
  base_kept_release(c->locks);
  current = before;
  return false;
}

bool base_try(void (*f)(void*), void* context)
{
  if (current) {
    base_call inner = {.ledger = current->ledger, .thread = current->thread};
    return run_inside(&inner, f, context);
  }
  f(context);
  return true;
}

base_call* base_call_share(void)
{
  if (current) current->ledger->shared = true;
  return current;
}

bool base_try_thread(base_call* of, unsigned thread, void (*f)(void*), void* context)
{
  if (of) {
    base_call own = {.ledger = of->ledger, .thread = thread};
    return run_inside(&own, f, context);
  }
  f(context);
  return true;
}
