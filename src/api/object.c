// Which objects are alive, known by their addresses, so that none that was freed is ever read.
#include "api/api.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void (*const clear[])(void* object) = {
    [API_NOTES] = api_notes_clear,     [API_MODEL] = api_model_clear,
    [API_SYSTEM] = api_system_clear,   [API_POINT] = api_point_clear,
    [API_TRACK] = api_track_clear,     [API_CERTIFICATE] = api_certificate_clear,
    [API_PROGRAM] = api_program_clear, [API_STATE] = api_state_clear,
    [API_EDITOR] = api_editor_clear};

// ---- those handed out ---------------------------------------------------------------------------

typedef struct entry
{
  const void* at; // null: empty
  api_kind kind;
} entry;

// open addressing; `room` is a power of two
static struct
{
  pthread_mutex_t lock;
  entry* entry;
  size_t n, room;
  atomic_ullong returns; // how many came back
} live = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Addresses of objects that came back lately are not given to others: an address kept by mistake
// would mean another object. So many wait.
enum { waiting = 256, first_room = 64 };
static void* grave[waiting];
static int next_grave;

static size_t place_of(const void* at)
{
  const uint64_t hash = (uint64_t)(uintptr_t)at * 0x9e3779b97f4a7c15u;
  size_t i = (size_t)(hash >> 32) & (live.room - 1);
  while (live.entry[i].at && live.entry[i].at != at) i = (i + 1) & (live.room - 1);
  return i;
}

static bool has_room(void)
{
  return live.room && 2 * (live.n + 1) <= live.room;
}

// memory is taken while the lock is free: it may run out
static void make_room(void)
{
  while (!has_room()) {
    const size_t before = live.room, room = before ? 2 * before : first_room;
    pthread_mutex_unlock(&live.lock);
    entry* larger = base_alloc(sizeof *larger * room);
    base_keep_with(NULL, larger);
    pthread_mutex_lock(&live.lock);
    entry* old = larger;
    if (live.room == before) {
      old = live.entry;
      live.entry = larger;
      live.room = room;
      for (size_t i = 0; i < before; i++)
        if (old[i].at) live.entry[place_of(old[i].at)] = old[i];
    }
    free(old);
  }
}

static void add(api_kind kind, const void* at)
{
  pthread_mutex_lock(&live.lock);
  make_room();
  live.entry[place_of(at)] = (entry){at, kind};
  live.n++;
  pthread_mutex_unlock(&live.lock);
}

void* api_hand_out(void* object)
{
  api_object* o = object;
  if (!o) return NULL;
  add(o->kind, o);
  o->was_out = true;
  return o;
}

char* api_hand_out_text(char* text)
{
  if (text) add(API_TEXT, text);
  return text;
}

static bool is_in_table(api_kind kind, const void* at)
{
  const entry* e = live.room ? &live.entry[place_of(at)] : NULL;
  return e && e->at && e->kind == kind;
}

// who asks for values one by one asks for the same object again and again
bool api_is_alive(api_kind kind, const void* at)
{
  static _Thread_local struct
  {
    const void* at;
    api_kind kind;
    unsigned long long returns;
  } last;
  if (!at) return false;
  const unsigned long long returns = atomic_load(&live.returns);
  if (last.at == at && last.kind == kind && last.returns == returns) return true;
  pthread_mutex_lock(&live.lock);
  const bool found = is_in_table(kind, at);
  pthread_mutex_unlock(&live.lock);
  if (found) last.at = at, last.kind = kind, last.returns = returns;
  return found;
}

// those behind the empty place that a search would pass by move up
static void close_gap(size_t gap)
{
  for (size_t i = (gap + 1) & (live.room - 1); live.entry[i].at; i = (i + 1) & (live.room - 1)) {
    const entry e = live.entry[i];
    live.entry[i].at = NULL;
    live.entry[place_of(e.at)] = e;
  }
}

bool api_take_back(api_kind kind, const void* at)
{
  if (!at) return false;
  pthread_mutex_lock(&live.lock);
  const bool found = is_in_table(kind, at);
  if (found) {
    const size_t i = place_of(at);
    live.entry[i].at = NULL;
    close_gap(i);
    live.n--;
    atomic_fetch_add(&live.returns, 1);
  }
  pthread_mutex_unlock(&live.lock);
  return found;
}

// ---- life ---------------------------------------------------------------------------------------

static void add_user(api_object* o)
{
  pthread_mutex_lock(&live.lock);
  o->users++;
  pthread_mutex_unlock(&live.lock);
}

// the call that made it is given up
static void forget(void* object)
{
  api_object* o = object;
  for (int i = 0; i < 2; i++) api_object_drop(o->of[i]);
}

void* api_object_new(api_kind kind, size_t size, void* of, void* too)
{
  api_object* o = base_alloc(size);
  *o = (api_object){.kind = kind, .users = 1, .hold = base_hold_begin(forget, o)};
  if (of) api_object_keep(o, of);
  if (too) api_object_keep(o, too);
  return o;
}

void api_object_lose(void* object)
{
  api_object* o = object;
  if (!o || o->kind == API_NOTES) return;
  o->lost = true;
  for (int i = 0; i < 2; i++) api_object_lose(o->of[i]);
}

bool api_object_is_lost(const void* object)
{
  const api_object* o = object;
  return o && (o->lost || api_object_is_lost(o->of[0]) || api_object_is_lost(o->of[1]));
}

void api_object_keep(void* object, void* of)
{
  api_object* o = object;
  if (!o) return;
  add_user(of);
  o->of[o->of[0] ? 1 : 0] = of;
}

// the address that has waited longest is free again
static void bury(api_object* o)
{
  void* out = o;
  if (o->was_out) {
    pthread_mutex_lock(&live.lock);
    out = grave[next_grave];
    grave[next_grave] = o;
    next_grave = (next_grave + 1) % waiting;
    pthread_mutex_unlock(&live.lock);
  }
  free(out);
}

void api_object_drop(void* object)
{
  api_object* o = object;
  if (!o) return;
  pthread_mutex_lock(&live.lock);
  const int left = --o->users;
  pthread_mutex_unlock(&live.lock);
  if (left) return;
  clear[o->kind](o);
  base_hold_end(o->hold);
  api_object* of[2] = {o->of[0], o->of[1]};
  bury(o);
  for (int i = 0; i < 2; i++) api_object_drop(of[i]);
}
