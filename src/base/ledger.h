// The inside of a call that can be given up. Private to base.
#pragma once

#include "base/base.h"

#include <pthread.h>
#include <stdatomic.h>

// in front of every block
typedef struct block
{
  struct block *before, *after; // in the ledger, in order of age
  base_ledger* ledger;          // null: settled
  uint64_t age : 56;            // number in the ledger, hold: see age_of()
  uint64_t list : 8;            // of a stock, and one more; 0: it was not taken for one
} block;
_Static_assert(sizeof(block) % _Alignof(max_align_t) == 0, "blocks are aligned for any type");

struct base_ledger
{
  block first; // its `before` is the youngest
  uint64_t next;
  bool shared; // other threads may free its blocks
  bool busy;   // the thread whose it is works
  pthread_mutex_t lock;
  base_ledger* common;  // that of the call itself
  base_ledger* further; // those of its further threads, one after the other
  // of the common one: blocks of other libraries, by their addresses; `room` is a power of two
  void** foreign;
  size_t foreign_count, foreign_room;
};

// the ledger of the calls that work with the stock, one after the other
base_ledger* base_stock_ledger(base_stock* s);
base_ledger* base_ledger_new(void); // null without memory
void base_ledger_open(base_ledger* l);
void base_ledger_close(base_ledger* l);

static inline block* block_of(const void* p)
{
  return (block*)(uintptr_t)p - 1;
}

extern _Thread_local base_call* base_call_current;

static inline void lock(base_ledger* l)
{
  if (l->shared) pthread_mutex_lock(&l->lock);
}

static inline void unlock(base_ledger* l)
{
  if (l->shared) pthread_mutex_unlock(&l->lock);
}

// is anything to fail on purpose? Asked for every block, so that a plan alone costs a call.
extern atomic_bool base_fault_is_planned;

static inline bool base_fault_planned(void)
{
  return atomic_load_explicit(&base_fault_is_planned, memory_order_relaxed);
}
