// What is made once and kept under a key, for all threads that share its owner.
#include "base/base.h"
#include "base/ledger.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Things stay where they are until all are freed, and each is there as a whole before the one
// before it says so: they are looked through without the lock.
typedef struct entry
{
  struct entry* before;
  _Atomic(struct entry*) after;
  void* thing;
  void (*release)(void*);
  size_t length;
  char key[]; // the name with its zero byte, then the bytes
} entry;

enum { most_deep = 64, most_looks = 200 };

struct base_kept
{
  pthread_mutex_t lock;
  int deep;                // how often the thread that has the lock took it
  uint64_t age[most_deep]; // of the call, each time
  _Atomic(entry*) first;
  entry* last;
};

// A lock that this thread asked for. One for looking is taken when something is not found: threads
// that find all they need do not wait for each other.
typedef struct asked
{
  base_kept* kept;
  uint64_t age; // of the call then
  bool taken;
} asked;

// in the order they were asked for
static _Thread_local struct
{
  asked at[most_deep];
  int n;
} held;

base_kept* base_kept_new(void)
{
  base_kept* k = base_alloc(sizeof *k);
  // what is made may ask for something else that is kept
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&k->lock, &kind);
  pthread_mutexattr_destroy(&kind);
  return k;
}

void base_kept_free(base_kept* k)
{
  if (!k) return;
  for (entry *x = k->last, *before; x; x = before) {
    before = x->before;
    if (x->thing) x->release(x->thing);
    free(x);
  }
  pthread_mutex_destroy(&k->lock);
  free(k);
}

// Mostly it is held for a look, which is over before a thread is laid to sleep and woken again.
static void take_lock(pthread_mutex_t* lock)
{
  for (int i = 0; i < most_looks; i++) {
    if (!pthread_mutex_trylock(lock)) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  pthread_mutex_lock(lock);
}

static void take(asked* a)
{
  base_kept* k = a->kept;
  take_lock(&k->lock);
  assert(k->deep < most_deep);
  k->age[k->deep++] = a->age;
  a->taken = true;
}

void base_kept_open(base_kept* k)
{
  assert(held.n < most_deep);
  held.at[held.n++] = (asked){.kept = k, .age = base_call_age()};
}

void base_kept_lock(base_kept* k)
{
  base_kept_open(k);
  take(&held.at[held.n - 1]);
}

void base_kept_unlock(base_kept* k)
{
  assert(held.n > 0 && held.at[held.n - 1].kept == k);
  held.n--;
  if (!held.at[held.n].taken) return;
  k->deep--;
  pthread_mutex_unlock(&k->lock);
}

int base_kept_held(void)
{
  return held.n;
}

void base_kept_release(int count)
{
  while (held.n > count) base_kept_unlock(held.at[held.n - 1].kept);
}

static bool is_at(const entry* x, base_key key)
{
  const size_t name = strlen(key.what) + 1;
  return x->length == name + key.n && !memcmp(x->key, key.what, name) &&
         (!key.n || !memcmp(x->key + name, key.bytes, key.n));
}

static entry* first_of(base_kept* k)
{
  return atomic_load_explicit(&k->first, memory_order_acquire);
}

static entry* next_of(entry* x)
{
  return atomic_load_explicit(&x->after, memory_order_acquire);
}

static entry* look(base_kept* k, base_key key)
{
  entry* x = first_of(k);
  while (x && !is_at(x, key)) x = next_of(x);
  return x;
}

bool base_kept_find(base_kept* k, base_key key, void** thing)
{
  assert(held.n > 0 && held.at[held.n - 1].kept == k);
  asked* const a = &held.at[held.n - 1];
  const entry* x = look(k, key);
  if (!x && !a->taken) {
    take(a);
    x = look(k, key);
  }
  if (x) *thing = x->thing;
  return x;
}

int base_kept_count(base_kept* k, const char* what)
{
  int count = 0;
  for (entry* x = first_of(k); x; x = next_of(x)) count += !strcmp(x->key, what);
  return count;
}

void base_kept_add(base_kept* k, base_key key, void* thing, void (*release)(void*))
{
  const size_t name = strlen(key.what) + 1;
  entry* x = base_alloc_with(k, sizeof *x + name + key.n);
  assert(k->deep > 0);
  x->before = k->last;
  x->thing = thing;
  x->release = release;
  x->length = name + key.n;
  memcpy(x->key, key.what, name);
  if (key.n) memcpy(x->key + name, key.bytes, key.n);
  atomic_store_explicit(k->last ? &k->last->after : &k->first, x, memory_order_release);
  k->last = x;
  // where the owner goes with the call, so does what it keeps
  if (!block_of(k)->ledger) base_call_settle(k->age[k->deep - 1]);
}
