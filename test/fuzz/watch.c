// Counts work, the same on every machine: no clock is asked. A program built with -mfentry calls
// __fentry__ at the start of every function, which costs next to nothing; one built with
// -fsanitize-coverage=trace-pc calls __sanitizer_cov_trace_pc at the start of every piece of
// straight code, and so says what an input reaches.
#include "fuzz.h"

#include <execinfo.h>
#include <string.h>
#include <unistd.h>

void __sanitizer_cov_trace_pc(void);

// pieces of code are at least so many bits of address apart; behind `OFTEN` times nothing is new
enum { APART = 3, OFTEN = 8, STACK = 64, INNERMOST = 6 };

extern int64_t fuzz_work_left; // of the work allowed
int64_t fuzz_work_left = INT64_MAX;
static uint64_t allowed = INT64_MAX;
static void (*over)(void);
static uint8_t times[FUZZ_PLACES];
static uint32_t reached[FUZZ_PLACES], reached_count;

// from a place of this program on, which is not at the same address in every run
static inline uintptr_t place_of(const void* address)
{
  return (uintptr_t)address - (uintptr_t)&__sanitizer_cov_trace_pc;
}

static void mark(uint32_t at)
{
  if (!times[at]) reached[reached_count++] = at;
  times[at]++;
}

void __sanitizer_cov_trace_pc(void)
{
  const uint32_t at =
      (uint32_t)(place_of(__builtin_return_address(0)) >> APART) & (FUZZ_PLACES - 1);
  if (__builtin_expect(times[at] < OFTEN, 0)) mark(at);
  if (__builtin_expect(--fuzz_work_left < 0, 0) && over) over();
}

void __fentry__(void);
__attribute__((used)) void fuzz_work_over(void);

void fuzz_work_over(void)
{
  if (over) over();
}

// registers hold the arguments of who was called: none is touched
__attribute__((naked)) void __fentry__(void)
{
  __asm__("decq fuzz_work_left(%rip)\n\t"
          "js 1f\n\t"
          "ret\n"
          "1: andq $-16, %rsp\n\t"
          "call fuzz_work_over\n\t"
          "ud2");
}

void fuzz_watch_begin(uint64_t most, void (*beyond)(void))
{
  for (uint32_t i = 0; i < reached_count; i++) times[reached[i]] = 0;
  reached_count = 0;
  allowed = most;
  fuzz_work_left = (int64_t)most;
  over = beyond;
}

uint64_t fuzz_watch_work(void)
{
  return allowed - (uint64_t)fuzz_work_left;
}

bool fuzz_watch_guides(void)
{
#ifdef FUZZ_GUIDED
  return true;
#else
  return false;
#endif
}

bool fuzz_watch_merge(uint8_t* seen)
{
  bool is_new = false;
  for (uint32_t i = 0; i < reached_count; i++) {
    const uint8_t n = times[reached[i]];
    // once, a few times, often
    const uint8_t bit = n == 1 ? 1 : n < OFTEN ? 2 : 4;
    is_new |= !(seen[reached[i]] & bit);
    seen[reached[i]] |= bit;
  }
  return is_new;
}

uint64_t fuzz_watch_place(void)
{
  void* stack[STACK];
  const int n = backtrace(stack, STACK);
  uint64_t sum = 0;
  int own = 0;
  // of this program, less those of this file and of the handler
  for (int i = 2; i < n && own < INNERMOST; i++) {
    const uint64_t place = place_of(stack[i]);
    if (place + (1 << 28) > 1 << 29) continue;
    sum = sum * 31 + place;
    own++;
  }
  backtrace_symbols_fd(stack, n, STDERR_FILENO);
  return sum;
}
