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
#include "base/ledger.h"
#include "base/stock.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

#undef malloc
#undef calloc
#undef realloc
#undef free

typedef struct hold
{
  void (*release)(void*);
  void* thing;
} hold;

_Thread_local base_call* base_call_current;
static _Thread_local const void* releasing; // the hold whose thing is being released

// Every thread of a call has a ledger of its own, so that they do not wait for each other; what one
// of them settles is its own.
enum { hold_bit = 1, number_shift = 1 };

static uint64_t age_of(uint64_t number, bool is_hold)
{
  return number << number_shift | is_hold;
}

// ---- ledgers ------------------------------------------------------------------------------------

static void link_behind(block* elder, block* b)
{
  b->before = elder;
  b->after = elder->after;
  elder->after->before = b;
  elder->after = b;
}

// outside of a call a block is nowhere: it has no neighbours
static inline void enter(block* b, bool is_hold)
{
  const base_call* call = base_call_current;
  b->ledger = NULL;
  b->age = 0;
  if (!call) return;
  base_ledger* l = call->ledger;
  lock(l);
  b->ledger = l;
  b->age = age_of(l->next++, is_hold);
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

void base_ledger_open(base_ledger* l)
{
  *l = (base_ledger){.common = l};
  l->first.before = l->first.after = &l->first;
  pthread_mutex_init(&l->lock, NULL);
}

static void close_one(base_ledger* l)
{
  pthread_mutex_destroy(&l->lock);
  free(l->foreign);
}

void base_ledger_close(base_ledger* l)
{
  while (l->further) {
    base_ledger* x = l->further;
    l->further = x->further;
    close_one(x);
    free(x);
  }
  close_one(l);
}

base_ledger* base_ledger_new(void)
{
  base_ledger* l = base_fault(BASE_FAULT_MEMORY) ? NULL : malloc(sizeof *l);
  if (l) base_ledger_open(l);
  return l;
}

// that of a stock waits for the next call
static void ledger_free(base_call* c)
{
  base_ledger* l = c->ledger;
  base_ledger_close(l);
  if (c->stock)
    base_ledger_open(l);
  else
    free(l);
}

// ---- blocks -------------------------------------------------------------------------------------

_Noreturn void base_no_room(void)
{
  if (!base_call_current) {
    fprintf(stderr, "zwang: out of memory\n");
    exit(3);
  }
  longjmp(base_call_current->point, 1);
}

// Malloc keeps small blocks at hand, calloc does not; of larger ones it knows whether the system
// gave them as zeros. The bound is that of the C library, and decides about speed only.
enum { large = 1024 };

static inline bool fails(size_t n)
{
  return n >= SIZE_MAX / 2 || (base_fault_planned() && base_fault(BASE_FAULT_MEMORY));
}

static inline base_stock* stock_now(void)
{
  return base_call_current ? base_call_current->stock : NULL;
}

static inline block* take_new(size_t n, size_t bytes, int list)
{
  block* b = fails(n) ? NULL : malloc(bytes);
  if (!b) base_no_room();
  b->list = (unsigned)list;
  return b;
}

static inline block* take(size_t n)
{
  base_stock* stock = stock_now();
  const size_t bytes = sizeof(block) + n;
  const int list = stock && n < SIZE_MAX / 2 ? stock_list_above(bytes) : stock_lists;
  if (list >= stock_lists) return take_new(n, bytes, 0);
  block* b = stock_take(stock, list);
  return b ? b : take_new(n, stock_size_of(list), list + 1);
}

static inline void give_back(block* b)
{
  base_stock* stock = stock_now();
  const size_t bytes = stock && !b->list ? malloc_usable_size(b) : 0;
  const int list = b->list                     ? b->list - 1
                   : bytes >= stock_size_of(0) ? stock_list_below(bytes)
                                               : stock_lists;
  if (!stock || list >= stock_lists) {
    free(b);
    return;
  }
  b->list = (unsigned)list + 1;
  stock_add(stock, b, list);
}

static inline block* take_zeroed(size_t n)
{
  if (n < large || stock_now()) {
    block* b = take(n);
    memset(b + 1, 0, n);
    return b;
  }
  block* b = fails(n) ? NULL : calloc(1, sizeof *b + n);
  if (!b) base_no_room();
  b->list = 0;
  return b;
}

void* base_alloc(size_t n)
{
  block* b = take_zeroed(n);
  enter(b, false);
  return b + 1;
}

void* base_alloc_many(size_t count, size_t n)
{
  return base_alloc(n && count > SIZE_MAX / n ? SIZE_MAX : count * n);
}

// a new block is its owner's from the beginning
static void* give(const void* owner, block* b)
{
  b->ledger = NULL;
  b->age = 0;
  base_keep_with(owner, b + 1);
  return b + 1;
}

void* base_alloc_with(const void* owner, size_t n)
{
  return give(owner, take_zeroed(n));
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

// a larger block from the stock in the place of this one, among its neighbours
static block* enlarge(block* b, size_t n)
{
  const size_t bytes = malloc_usable_size(b);
  if (bytes >= sizeof *b + n) return b;
  block* moved = take(n);
  base_ledger* l = b->ledger;
  if (l) lock(l);
  const unsigned list = moved->list;
  memcpy(moved, b, bytes);
  moved->list = list;
  if (l) moved->before->after = moved->after->before = moved;
  if (l) unlock(l);
  give_back(b);
  return moved;
}

void* base_realloc(void* p, size_t n)
{
  if (!p) {
    block* b = take(n);
    enter(b, false);
    return b + 1;
  }
  block* b = block_of(p);
  if (stock_now()) return enlarge(b, n) + 1;
  base_ledger* l = b->ledger;
  if (l) lock(l);
  block* moved = fails(n) ? NULL : realloc(b, sizeof *b + n);
  if (moved && l) moved->before->after = moved->after->before = moved;
  if (l) unlock(l);
  if (!moved) base_no_room();
  moved->list = 0; // it has another size
  return moved + 1;
}

void* base_realloc_with(const void* owner, void* p, size_t n)
{
  if (p) return base_realloc(p, n);
  return give(owner, take(n));
}

void base_free(void* p)
{
  if (!p) return;
  block* b = block_of(p);
  strike(b);
  give_back(b);
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

// ---- what else a call holds ---------------------------------------------------------------------

base_hold base_hold_begin_with(const void* owner, void (*release)(void*), void* thing)
{
  base_hold h = base_hold_begin(release, thing);
  base_keep_with(owner, h);
  return h;
}

base_hold base_hold_begin(void (*release)(void*), void* thing)
{
  if (!base_call_current) return NULL;
  block* b = take(sizeof(hold));
  *(hold*)(b + 1) = (hold){release, thing};
  enter(b, true);
  return b + 1;
}

void base_hold_end(base_hold h)
{
  if (h != releasing) base_free(h);
}

// ---- calls --------------------------------------------------------------------------------------

static void begin(base_call* c, base_ledger* l, base_stock* stock)
{
  c->ledger = l;
  c->stock = stock;
  c->outer = base_call_current;
  c->locks = base_kept_held();
  base_call_current = c;
}

bool base_call_begin(base_call* c)
{
  base_ledger* l = base_ledger_new();
  if (l) begin(c, l, NULL);
  return l;
}

void base_call_begin_with(base_call* c, base_stock* stock)
{
  begin(c, base_stock_ledger(stock), stock);
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
  base_call_current = c;
  base_ledger* l = c->ledger;
  // what further threads have may be made of what was there before them
  for (base_ledger* x = l->further; x; x = x->further) release_all(x);
  release_all(l);
  ledger_free(c);
  base_call_current = c->outer;
}

void base_call_end(base_call* c)
{
  for (base_ledger* l = c->ledger; l; l = l->further)
    while (l->first.before != &l->first) unlink_block(l->first.before);
  ledger_free(c);
  base_call_current = c->outer;
}

base_call* base_call_leave(void)
{
  base_call* c = base_call_current;
  base_call_current = NULL;
  return c;
}

void base_call_return(base_call* c)
{
  base_call_current = c;
}

// only the thread whose ledger it is counts in it
uint64_t base_call_age(void)
{
  return base_call_current ? base_call_current->ledger->next : 0;
}

void base_call_settle(uint64_t age)
{
  if (!base_call_current) return;
  base_ledger* l = base_call_current->ledger;
  lock(l);
  for (block *b = l->first.before, *elder; b != &l->first && b->age >> number_shift >= age;
       b = elder) {
    elder = b->before;
    unlink_block(b);
  }
  unlock(l);
}
