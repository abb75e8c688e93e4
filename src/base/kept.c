// What is made once and kept under a key, for all threads that share its owner.
#include "base/base.h"
#include "base/ledger.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry
{
  char* key; // the name with its zero byte, then the bytes
  size_t length;
  void* thing;
  void (*release)(void*);
} entry;

enum { most_deep = 64, most_looks = 200 };

struct base_kept
{
  pthread_mutex_t lock;
  int deep;                // how often the thread that has the lock took it
  uint64_t age[most_deep]; // of the call, each time
  BASE_LIST(entry) list;
};

// locks of this thread, in the order they were taken
static _Thread_local struct
{
  base_kept* at[most_deep];
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
  for (int i = k->list.n - 1; i >= 0; i--) {
    entry* x = &k->list.at[i];
    if (x->thing) x->release(x->thing);
    free(x->key);
  }
  base_list_free(&k->list);
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

void base_kept_lock(base_kept* k)
{
  take_lock(&k->lock);
  assert(k->deep < most_deep && held.n < most_deep);
  k->age[k->deep++] = base_call_age();
  held.at[held.n++] = k;
}

void base_kept_unlock(base_kept* k)
{
  assert(held.n > 0 && held.at[held.n - 1] == k);
  held.n--;
  k->deep--;
  pthread_mutex_unlock(&k->lock);
}

int base_kept_held(void)
{
  return held.n;
}

void base_kept_release(int count)
{
  while (held.n > count) base_kept_unlock(held.at[held.n - 1]);
}

static bool is_at(const entry* x, base_key key)
{
  const size_t name = strlen(key.what) + 1;
  return x->length == name + key.n && !memcmp(x->key, key.what, name) &&
         (!key.n || !memcmp(x->key + name, key.bytes, key.n));
}

bool base_kept_find(const base_kept* k, base_key key, void** thing)
{
  for (int i = 0; i < k->list.n; i++) {
    if (!is_at(&k->list.at[i], key)) continue;
    *thing = k->list.at[i].thing;
    return true;
  }
  return false;
}

int base_kept_count(base_kept* k, const char* what)
{
  int count = 0;
  base_kept_lock(k);
  for (int i = 0; i < k->list.n; i++) count += !strcmp(k->list.at[i].key, what);
  base_kept_unlock(k);
  return count;
}

void base_kept_add(base_kept* k, base_key key, void* thing, void (*release)(void*))
{
  const size_t name = strlen(key.what) + 1;
  entry x = {base_alloc_with(k, name + key.n), name + key.n, thing, release};
  memcpy(x.key, key.what, name);
  if (key.n) memcpy(x.key + name, key.bytes, key.n);
  base_push_with(k, &k->list, x);
  // where the owner goes with the call, so does what it keeps
  if (!block_of(k)->ledger) base_call_settle(k->age[k->deep - 1]);
}
