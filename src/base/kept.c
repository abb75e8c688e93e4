// What is made once and kept under a key, for all threads that share its owner.
#include "base/base.h"
#include "base/ledger.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Things stay where they are until all are freed, and each is there as a whole before it is found:
// they are looked through without the lock.
typedef struct entry
{
  struct entry* before;         // of all
  struct entry* _Atomic behind; // in its list, by the hash
  void* thing;
  void (*release)(void*);
  uint64_t hash; // of the bytes and the first letter of the name
  size_t n;
  const char* bytes;
  const char* what; // where the name was, which others mostly give again
  char name[];      // with its zero byte, then the bytes
} entry;

enum { most_deep = 64, most_looks = 200, lists = 64 };

struct base_kept
{
  pthread_mutex_t lock;
  int deep;                // how often the thread that has the lock took it
  uint64_t age[most_deep]; // of the call, each time
  entry* _Atomic first[lists];
  entry* _Atomic last;
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
  for (entry *x = atomic_load(&k->last), *before; x; x = before) {
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

static uint64_t mixed(uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

// Eight bytes at a time: keys are looked for in every run. Things of several kinds are kept under
// the same bytes, and the first letter tells most of them apart.
static uint64_t hash_of(base_key key)
{
  const char* at = key.bytes;
  uint64_t hash = key.n << 8 | (unsigned char)*key.what, word;
  size_t left = key.n;
  for (; left >= sizeof word; left -= sizeof word, at += sizeof word) {
    memcpy(&word, at, sizeof word);
    hash = mixed(hash, word);
  }
  word = 0;
  for (size_t i = 0; i < left; i++) word = word << 8 | (unsigned char)at[i];
  return left ? mixed(hash, word) : hash;
}

static bool is_at(const entry* x, base_key key, uint64_t hash)
{
  return x->hash == hash && x->n == key.n && (x->what == key.what || !strcmp(x->name, key.what)) &&
         (!key.n || !memcmp(x->bytes, key.bytes, key.n));
}

static entry* _Atomic* list_of(base_kept* k, uint64_t hash)
{
  return &k->first[hash >> 32 & (lists - 1)];
}

static entry* look(base_kept* k, base_key key)
{
  const uint64_t hash = hash_of(key);
  entry* x = atomic_load_explicit(list_of(k, hash), memory_order_acquire);
  while (x && !is_at(x, key, hash)) x = atomic_load_explicit(&x->behind, memory_order_acquire);
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
  const entry* x = atomic_load_explicit(&k->last, memory_order_acquire);
  for (; x; x = x->before) count += !strcmp(x->name, what);
  return count;
}

void base_kept_add(base_kept* k, base_key key, void* thing, void (*release)(void*))
{
  const size_t name = strlen(key.what) + 1;
  entry* x = base_alloc_with(k, sizeof *x + name + key.n);
  assert(k->deep > 0);
  x->before = atomic_load_explicit(&k->last, memory_order_relaxed);
  x->thing = thing;
  x->release = release;
  x->hash = hash_of(key);
  x->n = key.n;
  x->bytes = x->name + name;
  x->what = key.what;
  memcpy(x->name, key.what, name);
  if (key.n) memcpy(x->name + name, key.bytes, key.n);
  entry* _Atomic* list = list_of(k, x->hash);
  atomic_init(&x->behind, atomic_load_explicit(list, memory_order_relaxed));
  atomic_store_explicit(list, x, memory_order_release);
  atomic_store_explicit(&k->last, x, memory_order_release);
  // where the owner goes with the call, so does what it keeps
  const base_ledger* owner = block_of(k)->ledger;
  const base_ledger* own = base_call_current ? base_call_current->ledger : NULL;
  if (!owner || (own && own->common != owner->common)) base_call_settle(k->age[k->deep - 1]);
}
