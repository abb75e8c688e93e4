// Machine code against the interpreter, bit for bit, in all widths and at all levels.
#include "check.h"
#include "code/tapes.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define WIDEST 8

// every nan counts as one value: which of two operands' bits a nan has is not fixed in C
static bool same_bits(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

typedef struct trial
{
  const code_kernel* k;
  int width, blocks;
  double in[TAPE_INPUTS * WIDEST * CODE_BLOCKS], want[TAPE_OUTPUTS * WIDEST * CODE_BLOCKS];
  double* scratch;
} trial;

static void interpret(trial* t)
{
  for (int b = 0; b < t->blocks; b++)
    code_interpreter(t->width)(t->k, t->in + b * TAPE_INPUTS * t->width,
                               t->want + b * TAPE_OUTPUTS * t->width, t->scratch);
}

static void run_pages(const trial* t, const code_pages* p, double* out)
{
  code_runner* run;
  const void* entry = (const char*)p->at + p->entry;
  memcpy(&run, &entry, sizeof run);
  run(t->k, t->in, out, t->scratch);
}

// outputs compared so far, and those of them that are numbers
static long all, numbers;

static void count(double got, double want, int* bad)
{
  all++;
  numbers += !isnan(want);
  *bad += !same_bits(got, want);
}

// the number of outputs that differ
static int differences(trial* t, graph_random* r, const code_pages* p)
{
  int bad = 0;
  for (int again = 0; again < 3; again++) {
    double got[TAPE_OUTPUTS * WIDEST * CODE_BLOCKS];
    // first ordinary numbers alone
    for (int i = 0; i < TAPE_INPUTS * t->width * t->blocks; i++)
      t->in[i] = again == 0 ? graph_between(r, -3, 3) : tape_input(r);
    interpret(t);
    run_pages(t, p, got);
    for (int i = 0; i < TAPE_OUTPUTS * t->width * t->blocks; i++) count(got[i], t->want[i], &bad);
  }
  return bad;
}

static void compare(const code_kernel* k, uint64_t seed, int width, int blocks, code_level level)
{
  graph_random r = {seed};
  trial t = {.k = k, .width = width, .blocks = blocks};
  t.scratch = malloc(code_scratch_lanes(k, width * blocks) * sizeof *t.scratch);
  code_pages p;
  CHECK(code_emit(&p, &k->tape, width, blocks, level));
  CHECK(p.slots <= k->native_slots);
  const int bad = p.at ? differences(&t, &r, &p) : 0;
  if (bad)
    check_fail(__FILE__, __LINE__, "seed %d, width %d, %d blocks, level %d: %d outputs differ",
               (int)seed, width, blocks, (int)level, bad);
  code_pages_free(&p);
  free(t.scratch);
}

static void compare_all(int tapes, int size, bool tame)
{
  const code_level here = code_level_here();
  if (here == CODE_INTERPRETED) SKIP("no machine code on this processor");
  all = numbers = 0;
  for (int i = 0; i < tapes; i++) {
    graph_random r = {(uint64_t)i * 7919 + (uint64_t)size};
    code_kernel* k = tape_kernel(&r, 1 + (int)graph_below(&r, (uint32_t)size), tame);
    for (code_level level = CODE_AVX2; level <= here; level++)
      for (int width = 1; width <= WIDEST; width = width == 1 ? 4 : 2 * width)
        for (int blocks = 1; blocks <= (width > 1 ? CODE_BLOCKS : 1); blocks++)
          compare(k, (uint64_t)i, width, blocks, level);
    code_free(k);
  }
  // or the comparison would say little
  CHECK(numbers > all / 3);
}

// make fuzz asks for more of them
static int tapes_asked(int otherwise)
{
  const char* asked = getenv("ZWANG_TAPES");
  return asked ? atoi(asked) : otherwise;
}

TEST(twenty_thousand_random_tapes_have_the_interpreters_bits_in_all_widths)
{
  compare_all(tapes_asked(20000), 120, false);
}

TEST(long_tapes_without_functions_have_the_interpreters_bits)
{
  compare_all(150, 2500, true);
}

// products of inputs, all made before they are summed up; by the sine of an input if calls are
// asked for
static size_t length_of_sum(bool calls)
{
  enum { LEFT = 60, RIGHT = 20, PRODUCTS = LEFT * RIGHT };
  uint32_t x[PRODUCTS];
  code_maker m;
  code_maker_start(&m, LEFT + RIGHT, 1);
  for (int i = 0; i < PRODUCTS; i++) {
    uint32_t a = code_make_in(&m, i % LEFT);
    if (calls && i % LEFT == 0) a = code_make(&m, CODE_SIN, a, 0, 0);
    x[i] = code_make(&m, CODE_MUL, a, code_make_in(&m, LEFT + i / LEFT), 0);
    base_push(&m.tape.way, x[i]);
  }
  for (int i = 1; i < PRODUCTS; i++) {
    x[0] = code_make(&m, CODE_MIN, x[0], x[i], 0);
    base_push(&m.tape.way, x[0]);
  }
  m.tape.out[0] = x[0];
  code_maker_end(&m);
  code_kernel* k = code_kernel_new(&m.tape);
  code_pages p;
  CHECK(code_emit(&p, &k->tape, 4, 1, CODE_AVX512));
  const size_t bytes = p.bytes;
  code_pages_free(&p);
  code_free(k);
  return bytes;
}

TEST(addresses_behind_the_last_call_are_as_short_as_without_calls)
{
  if (code_level_here() != CODE_AVX512) SKIP("addresses are short with AVX-512 alone");
  CHECK(length_of_sum(true) < length_of_sum(false) + 100);
}

// ---- when a kernel becomes machine code ---------------------------------------------------------

static code_kernel* some_kernel(void)
{
  graph_random r = {4711};
  return tape_kernel(&r, 300, false);
}

// the same inputs `times` times: 0 when the outputs are always those of the interpreter
static int run_often(const code_kernel* k, int width, int times)
{
  graph_random r = {5};
  trial t = {.k = k, .width = width, .blocks = 1};
  t.scratch = malloc(code_scratch_lanes(k, width) * sizeof *t.scratch);
  for (int i = 0; i < TAPE_INPUTS * width; i++) t.in[i] = graph_between(&r, -2, 2);
  interpret(&t);
  int bad = 0;
  for (int n = 0; n < times; n++) {
    double got[TAPE_OUTPUTS * WIDEST];
    code_run_lanes(k, width, t.in, got, t.scratch);
    for (int i = 0; i < TAPE_OUTPUTS * width; i++) bad += !same_bits(got[i], t.want[i]);
  }
  free(t.scratch);
  return bad;
}

TEST(kernels_whose_code_lies_together_have_the_interpreters_bits)
{
  enum { kernels = 5 };
  if (code_level_here() == CODE_INTERPRETED) SKIP("no machine code on this processor");
  for (int width = 4; width <= WIDEST; width *= 2) {
    code_kernel* k[kernels] = {NULL};
    for (int i = 1; i < kernels; i++) {
      graph_random r = {(uint64_t)i};
      k[i] = tape_kernel(&r, 60 * i, false);
    }
    code_native_all(kernels, k, width);
    for (int i = 1; i < kernels; i++) {
      const code_pages* p = &k[i]->pages[width / 4];
      CHECK(code_native(k[i], width));
      CHECK(p->at == k[1]->pages[width / 4].at && (p->bytes > 0) == (i == 1));
      CHECK_INT(run_often(k[i], width, 3), 0);
    }
    for (int i = 0; i < kernels; i++) code_free(k[i]);
  }
}

static code_runner* runner(const code_kernel* k, int width)
{
  return atomic_load(&k->run[width / 4]);
}

TEST(a_kernel_that_is_used_often_becomes_machine_code)
{
  if (code_level_here() == CODE_INTERPRETED) SKIP("no machine code on this processor");
  code_kernel* k = some_kernel();
  for (int width = 1; width <= WIDEST; width = width == 1 ? 4 : 2 * width) {
    code_runner* before = runner(k, width);
    CHECK_INT(run_often(k, width, 3), 0);
    CHECK(runner(k, width) == before);
    CHECK_INT(run_often(k, width, 1000), 0);
    CHECK(runner(k, width) != before && runner(k, width) != code_interpreter(width));
    CHECK(code_native(k, width));
  }
  code_free(k);
}

TEST(the_environment_can_forbid_machine_code)
{
  CHECK(setenv("ZWANG_CODE", "interp", 1) == 0);
  code_kernel* k = some_kernel();
  CHECK(!code_native(k, 1) && !code_native(k, 8));
  CHECK_INT(run_often(k, 1, 100) + run_often(k, 8, 100), 0);
  CHECK(runner(k, 1) == code_interpreter(1) && runner(k, 8) == code_interpreter(8));
  CHECK(unsetenv("ZWANG_CODE") == 0);
  code_free(k);
}

// the system answers "not permitted" to whoever asks for executable pages
static bool refuse_executable_pages(void)
{
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

enum { FINE = 0, WRONG = 1, NO_FILTER = 2 };

static int live_without_pages(void)
{
  if (!refuse_executable_pages()) return NO_FILTER;
  code_kernel* k = some_kernel();
  const int bad = run_often(k, 1, 100) + run_often(k, 4, 100) + run_often(k, 8, 100);
  return bad || code_native(k, 1) || runner(k, 8) != code_interpreter(8) ? WRONG : FINE;
}

TEST(where_the_system_refuses_executable_pages_kernels_stay_interpreted)
{
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) _exit(live_without_pages());
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == NO_FILTER)
    SKIP("no filters of system calls here");
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == FINE);
}

static void* run_in_thread(void* context)
{
  const code_kernel* k = context;
  return (void*)(intptr_t)(run_often(k, 1, 200) + run_often(k, 8, 200));
}

TEST(threads_share_a_kernel_while_it_becomes_machine_code)
{
  for (int again = 0; again < 20; again++) {
    code_kernel* k = some_kernel();
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&thread[i], NULL, run_in_thread, k) == 0);
    for (int i = 0; i < 4; i++) {
      void* bad = NULL;
      CHECK(pthread_join(thread[i], &bad) == 0 && !bad);
    }
    code_free(k);
  }
}
