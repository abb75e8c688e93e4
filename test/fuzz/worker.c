// The process that feeds: makes inputs, counts their work, keeps what reaches something new, sees
// that memory is given back.
#include "driver.h"
#include "zwang/zwang.h"

#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static fuzz_shared* shared;

// ---- ends ---------------------------------------------------------------------------------------

static void note_and_die(int signal_number)
{
  // one more fault on the way is the last
  signal(SIGSEGV, SIG_DFL);
  signal(signal_number, SIG_DFL);
  shared->place = fuzz_watch_place();
  raise(signal_number);
}

static void end_over_work(void)
{
  shared->place = FUZZ_EXIT_WORK;
  _exit(FUZZ_EXIT_WORK);
}

// sanitizers have handlers of their own, which tell more and end in abort
__attribute__((visibility("default"))) const char* __asan_default_options(void);
__attribute__((visibility("default"))) const char* __ubsan_default_options(void);
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

const char* __asan_default_options(void)
{
  return "abort_on_error=1:detect_leaks=0:allocator_may_return_null=1:hard_rss_limit_mb=6000:"
         "quarantine_size_mb=16";
}

const char* __ubsan_default_options(void)
{
  return "abort_on_error=1:print_stacktrace=1";
}

static void catch_signals(void)
{
  static char stack[1 << 16];
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
  const int plain[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  const int count = SANITIZED ? 1 : 5;
  const struct sigaction a = {.sa_handler = note_and_die, .sa_flags = SA_ONSTACK | SA_NODEFER};
  for (int i = 0; i < count; i++) sigaction(plain[i], &a, NULL);
  const struct rlimit room = {(rlim_t)4 << 30, (rlim_t)4 << 30}, none = {0, 0};
  if (!SANITIZED) setrlimit(RLIMIT_AS, &room);
  setrlimit(RLIMIT_CORE, &none);
  // its first call opens a library, for which it is too late in a handler
  void* here;
  backtrace(&here, 1);
}

// ---- inputs -------------------------------------------------------------------------------------

bool fuzz_keep(fuzz_shared* s, const uint8_t* bytes, size_t n)
{
  if (s->entries == FUZZ_ENTRIES || s->used + n > FUZZ_ROOM) return false;
  memcpy(s->bytes + s->used, bytes, n);
  s->entry[s->entries++] = (fuzz_entry){.at = s->used, .n = (uint32_t)n};
  s->used += (uint32_t)n;
  return true;
}

// one that is useful, the later ones more often; null where there is none
static const fuzz_entry* parent(uint64_t* random)
{
  for (int tries = 0; tries < 8 && shared->entries > 0; tries++) {
    const int a = fuzz_random_below(random, shared->entries);
    const int b = fuzz_random_below(random, shared->entries);
    const fuzz_entry* e = &shared->entry[a > b ? a : b];
    if (e->useful) return e;
  }
  return NULL;
}

static void make_input(uint64_t number)
{
  uint64_t random = shared->seed * 0x2545f4914f6cdd1du + number;
  fuzz_random(&random);
  const fuzz_entry* e = number < (uint64_t)shared->loaded ? &shared->entry[number] : NULL;
  const bool fresh = !e && !fuzz_random_below(&random, 4);
  if (!e && !fresh) e = parent(&random);
  if (!e) {
    shared->n = fuzz_bytes_fresh(&random, shared->input, FUZZ_MOST);
    return;
  }
  memcpy(shared->input, shared->bytes + e->at, e->n);
  shared->n = e->n;
  if (number < (uint64_t)shared->loaded) return;
  const fuzz_entry* other = parent(&random);
  shared->n = fuzz_bytes_change(&random, shared->input, shared->n, FUZZ_MOST,
                                other ? shared->bytes + other->at : NULL, other ? other->n : 0);
}

static void feed(const uint8_t* bytes, size_t n)
{
  fuzz_choices c = {.at = bytes, .n = n};
  fuzz_watch_begin(shared->stage->most, end_over_work);
  shared->stage->feed(&c);
}

static void keep_new(uint64_t number)
{
  const uint64_t work = fuzz_watch_work();
  if (work > shared->most_work) shared->most_work = work;
  if (work > shared->stage->cheap || !fuzz_watch_merge(shared->seen)) return;
  if (number < (uint64_t)shared->loaded)
    shared->entry[number].useful = true;
  else if (fuzz_keep(shared, shared->input, shared->n))
    shared->entry[shared->entries - 1].useful = true;
}

// ---- memory -------------------------------------------------------------------------------------

// The library keeps the addresses of some objects that came back from being given out again at once
// (src/api/object.c): after so many that came back it keeps no more.
enum { BATCH = 64, AGAIN = 3, WARM = 8, RETURNS = 320 };

// What grows each time an input is fed again is lost; what grows once is kept by somebody.
static void look_for_leak(const uint8_t* bytes, size_t n)
{
  feed(bytes, n);
  for (int i = 0; i < AGAIN; i++) {
    const size_t before = fuzz_memory_in_use();
    feed(bytes, n);
    if (fuzz_memory_in_use() <= before) return;
  }
  memcpy(shared->input, bytes, n);
  shared->n = n;
  shared->place = fuzz_watch_place();
  _exit(FUZZ_EXIT_LEAK);
}

_Noreturn void fuzz_work(fuzz_shared* s)
{
  static uint8_t batch[BATCH][FUZZ_MOST];
  static size_t length[BATCH];
  int held = 0;
  shared = s;
  catch_signals();
  for (int i = 0; i < WARM; i++) feed(NULL, 0);
  for (int i = 0; i < RETURNS; i++) zw_notes_free(zw_notes_new());
  size_t before = fuzz_memory_in_use();
  while (!s->stop && s->done < s->inputs) {
    const uint64_t number = s->done++;
    make_input(number);
    feed(s->input, s->n);
    keep_new(number);
    memcpy(batch[held], s->input, s->n);
    length[held++] = s->n;
    if (held < BATCH && s->done < s->inputs) continue;
    // what was told of inputs that were refused
    if (ftruncate(STDERR_FILENO, 0) == 0) lseek(STDERR_FILENO, 0, SEEK_SET);
    if (fuzz_memory_in_use() > before)
      for (int i = 0; i < held; i++) look_for_leak(batch[i], length[i]);
    before = fuzz_memory_in_use();
    held = 0;
  }
  _exit(0);
}
