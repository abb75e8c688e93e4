// When a kernel becomes machine code, and for which processor.
#include "code/native.h"

#include "code/kernel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Emitting an operation takes about as long as interpreting it this often, and getting pages for
// the code, protecting and giving them back about as long as interpreting so many operations.
#define EVALUATIONS      40
#define PAGES_OPERATIONS 4000

static code_level level_of_processor(void)
{
#if defined(__x86_64__)
  if (!BASE_HAS_AVX2 || !BASE_HAS_FMA) return CODE_INTERPRETED;
  const bool wide = BASE_HAS_AVX512_DQ && BASE_HAS_AVX512_VL;
  return wide ? CODE_AVX512 : CODE_AVX2;
#elif defined(__EMSCRIPTEN__)
  return CODE_WASM;
#else
  return CODE_INTERPRETED;
#endif
}

code_level code_level_here(void)
{
  const code_level here = level_of_processor();
  const char* wish = getenv("ZWANG_CODE");
  if (!wish) return here;
  if (strcmp(wish, "interp") == 0) return CODE_INTERPRETED;
  if (strcmp(wish, "avx2") == 0 && here > CODE_AVX2) return CODE_AVX2;
  return here;
}

// of 1, 4 or 8 lanes; asked at every evaluation
static int which(int width)
{
  return width / 4;
}

static void release(void* pages)
{
  code_pages_free(pages);
}

// of two blocks of 4 or 8
static int which_pair(int width)
{
  return CODE_WIDTHS - 1 + which(width);
}

static bool emit(code_pages* p, const code_kernel* k, int width, int blocks)
{
  if (k->level == CODE_WASM) return blocks == 1 && code_module_new(p, &k->tape, width);
  if (width == 1 && k->packed.tape.ins.n) return code_emit_packed(p, &k->packed, k->level);
  return code_emit(p, &k->tape, width, blocks, k->level);
}

static void run_pages(code_kernel* k, int w)
{
  code_runner* run;
  const void* entry = (const char*)k->pages[w].at + k->pages[w].entry;
  assert(k->pages[w].slots <= k->native_slots);
  memcpy(&run, &entry, sizeof run);
  atomic_store_explicit(&k->run[w], run, memory_order_release);
}

// The kernel is const to its users; how it is evaluated is the kernel's own affair. Of several
// threads the one that counts to the end makes the code, the others go on interpreting.
static void make(const code_kernel* shared, int width, int blocks)
{
  code_kernel* k = (code_kernel*)shared;
  const int w = blocks > 1 ? which_pair(width) : which(width);
  code_runner* without = blocks > 1 ? NULL : code_interpreter(width);
  k->hold[w] = base_hold_begin_with(k, release, &k->pages[w]);
  if (emit(&k->pages[w], k, width, blocks))
    run_pages(k, w);
  else
    atomic_store_explicit(&k->run[w], without, memory_order_release);
}

static void count(const code_kernel* shared, int width, int evaluations)
{
  code_kernel* k = (code_kernel*)shared;
  const int most = k->worth;
  if (atomic_load(&k->evaluations[which(width)]) >= most) return;
  const int before = atomic_fetch_add(&k->evaluations[which(width)], evaluations);
  if (before < most && before + evaluations >= most) make(k, width, 1);
}

#define COUNTING(WIDTH)                                                                 \
  static void run_counting_##WIDTH(const code_kernel* k, const double* in, double* out, \
                                   double* scratch)                                     \
  {                                                                                     \
    code_interpreter(WIDTH)(k, in, out, scratch);                                       \
    count(k, WIDTH, 1);                                                                 \
  }
COUNTING(1)
COUNTING(4)
COUNTING(8)

static code_runner* const counting[CODE_WIDTHS] = {run_counting_1, run_counting_4, run_counting_8};

static int worth_of(int steps)
{
  return EVALUATIONS + PAGES_OPERATIONS / (steps + 1);
}

bool code_native_soon(const code_kernel* k)
{
  return code_level_here() != CODE_INTERPRETED && worth_of(k->tape.ins.n) < 2 * EVALUATIONS;
}

void code_native_start(code_kernel* k)
{
  k->level = code_level_here();
  k->worth = worth_of(k->steps);
  for (int w = 0; w < CODE_WIDTHS; w++) {
    const int width = w == 0 ? 1 : 4 * w;
    atomic_init(&k->run[w], k->level == CODE_INTERPRETED ? code_interpreter(width) : counting[w]);
    atomic_init(&k->evaluations[w], 0);
  }
  for (int w = CODE_WIDTHS; w < CODE_WAYS; w++) atomic_init(&k->run[w], NULL);
}

static code_runner* runner(const code_kernel* k, int width)
{
  return atomic_load_explicit(&k->run[which(width)], memory_order_acquire);
}

bool code_native(const code_kernel* k, int width)
{
  assert(width == 1 || width == 4 || width == 8);
  if (k->level != CODE_INTERPRETED) count(k, width, k->worth);
  code_runner* run = runner(k, width);
  return run != code_interpreter(width) && run != counting[which(width)];
}

bool code_native_pair(code_kernel* k, int width)
{
  assert(width == 4 || width == 8);
  if (k->level != CODE_INTERPRETED && !k->pages[which_pair(width)].at) make(k, width, CODE_BLOCKS);
  return k->run[which_pair(width)] != NULL;
}

// has this kernel no machine code of that width yet, and can it have some?
static bool is_to_be_made(const code_kernel* k, int width)
{
  return k && k->level >= CODE_AVX2 && atomic_load(&k->evaluations[which(width)]) < k->worth;
}

void code_native_all(int count, code_kernel* const* kernel, int width)
{
  assert(width == 4 || width == 8);
  const int w = which(width);
  code_pages** piece = base_alloc(sizeof *piece * (size_t)(count + 1));
  code_kernel** made = base_alloc(sizeof *made * (size_t)(count + 1));
  code_sheaf sheaf = {0};
  int pieces = 0;
  for (int i = 0; i < count; i++) {
    code_kernel* k = kernel[i];
    if (k && k->level == CODE_WASM) code_native(k, width);
    if (!is_to_be_made(k, width)) continue;
    atomic_store(&k->evaluations[w], k->worth);
    k->hold[w] = base_hold_begin_with(k, release, &k->pages[w]);
    atomic_store_explicit(&k->run[w], code_interpreter(width), memory_order_release);
    if (!code_emit_piece(&sheaf, &k->pages[w], &k->tape, width, k->level)) continue;
    piece[pieces] = &k->pages[w];
    made[pieces++] = k;
  }
  if (code_sheaf_bind(&sheaf, pieces, piece))
    for (int i = 0; i < pieces; i++) run_pages(made[i], w);
  free(sheaf.at);
  free(made);
  free(piece);
}

// without machine code eight lanes share the interpreter's dispatch
static int lanes_at(code_level level)
{
  return level == CODE_AVX2 ? 4 : 8;
}

int code_lanes(void)
{
  return lanes_at(code_level_here());
}

int code_lanes_of(const code_kernel* k)
{
  return lanes_at(k->level);
}

void code_run_lanes(const code_kernel* k, int width, const double* in, double* out, double* scratch)
{
  runner(k, width)(k, in, out, scratch);
}

void code_run_pair(const code_kernel* k, int width, const double* in, double* out, double* scratch)
{
  code_runner* both = atomic_load_explicit(&k->run[which_pair(width)], memory_order_acquire);
  if (both) {
    both(k, in, out, scratch);
    return;
  }
  const int rows[2] = {k->tape.inputs * width, k->tape.outputs * width};
  for (int b = 0; b < CODE_BLOCKS; b++)
    code_run_lanes(k, width, in + b * rows[0], out + b * rows[1], scratch);
}
