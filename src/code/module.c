// Modules of WebAssembly where this program is one itself: made of a tape, and put into its table
// of functions.
#include "code/lanes.h"
#include "code/native.h"
#include "code/target_wasm.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

// ---- what modules call --------------------------------------------------------------------------

static double cosine;

static double sine_and_cosine(double x)
{
  double sine;
  sincos(x, &sine, &cosine);
  return sine;
}

int code_wasm_cosine_at(void)
{
  return (int)(intptr_t)&cosine;
}

int code_wasm_block_at(int i)
{
  static double block[3][8];
  return (int)(intptr_t)block[i];
}

code_wasm_any* code_wasm_function(uint32_t op)
{
  static double (*const one[CODE_END])(double) = {
      [CODE_EXP] = exp,   [CODE_LOG] = log,   [CODE_SIN] = sin,   [CODE_COS] = cos,
      [CODE_TAN] = tan,   [CODE_ASIN] = asin, [CODE_ACOS] = acos, [CODE_ATAN] = atan,
      [CODE_SINH] = sinh, [CODE_COSH] = cosh, [CODE_TANH] = tanh, [CODE_SINCOS] = sine_and_cosine};
  static double (*const two[CODE_END])(double, double) = {[CODE_POW] = pow, [CODE_ATAN2] = atan2};
  if (op >= CODE_END) return NULL;
  return one[op] ? (code_wasm_any*)one[op] : (code_wasm_any*)two[op];
}

// ---- the browser --------------------------------------------------------------------------------

#if defined(__EMSCRIPTEN__)
#include <emscripten.h>

// clang-format off
// Does f64x2.relaxed_madd exist here, and does it round once? It is asked for x x - c with
// x = 1 + 2^-30 and c = 1 + 2^-29, where 2^-60 is left.
EM_JS(int, module_fuses, (void), {
  try {
    const number = (x) => [...new Uint8Array(new Float64Array([x, x]).buffer)];
    const x = 1 + 2 ** -30, c = -1 - 2 ** -29;
    const body = [0, 0xfd, 0x0c, ...number(x), 0xfd, 0x0c, ...number(x), 0xfd, 0x0c, ...number(c), 0xfd, 0x87, 2, 0xfd, 0x21, 0, 0x0b];
    const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7c, 3, 2, 1, 0, 7, 5, 1, 1, 0x72, 0, 0,
      10, body.length + 2, 1, body.length, ...body];
    const m = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)));
    return m.exports.r() === 2 ** -60 ? 1 : 0;
  } catch (e) {
    return 0;
  }
})

// the function's place in the table; 0 where the browser refuses
EM_JS(int, module_new, (const uint8_t* bytes, int n, const int* called, int functions), {
  try {
    const z = { memory: wasmMemory };
    for (let i = 0; i < functions; i++) z[String.fromCharCode(65 + i)] = wasmTable.get(HEAP32[(called >> 2) + i]);
    const made = new WebAssembly.Instance(new WebAssembly.Module(HEAPU8.slice(bytes, bytes + n)), { z });
    const free = Module.freePlaces || (Module.freePlaces = []);
    const place = free.length ? free.pop() : wasmTable.grow(1);
    wasmTable.set(place, made.exports.r);
    return place;
  } catch (e) {
    return 0;
  }
})

// Sums over orders, fused, of eight lanes side by side in four vectors: (f, g, stride, n, out), out = sum of f g over n rows,
// those of f upwards, those of g down, the stride in bytes. Its place in the table.
EM_JS(int, module_sums, (void), {
  const [F, G, STRIDE, N, OUT, SUM] = [0, 1, 2, 3, 4, 5];
  const get = (x) => [0x20, x], set = (x) => [0x21, x];
  const load = (from, i) => [...get(from), 0xfd, 0, 3, 16 * i];
  const four = [0, 1, 2, 3];
  const add = four.flatMap((i) => [...load(F, i), ...load(G, i), ...get(SUM + i), 0xfd, 0x87, 2, ...set(SUM + i)]);
  const next = [...get(F), ...get(STRIDE), 0x6a, ...set(F), ...get(G), ...get(STRIDE), 0x6b, ...set(G), ...get(N), 0x41, 1, 0x6b, ...set(N)];
  const loop = [0x02, 0x40, 0x03, 0x40, ...get(N), 0x45, 0x0d, 1, ...add, ...next, 0x0c, 0, 0x0b, 0x0b];
  const store = four.flatMap((i) => [...get(OUT), ...get(SUM + i), 0xfd, 0x0b, 3, 16 * i]);
  const body = [1, 4, 0x7b, ...loop, ...store, 0x0b];
  const size = (n) => (n < 128 ? [n] : [(n & 127) | 128, n >> 7]);
  const enclosed = (content) => [...size(content.length), ...content];
  const name = (text) => enclosed([...text].map((c) => c.charCodeAt(0)));
  const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, ...enclosed([1, 0x60, 5, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0]),
    2, ...enclosed([1, ...name('z'), ...name('memory'), 2, 0, 0]), 3, ...enclosed([1, 0]), 7, ...enclosed([1, ...name('r'), 0, 0]),
    10, ...enclosed([1, ...enclosed(body)])];
  const made = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)), { z: { memory: wasmMemory } });
  const place = wasmTable.grow(1);
  wasmTable.set(place, made.exports.r);
  return place;
})

EM_JS(void, module_free, (int place), {
  wasmTable.set(place, null);
  Module.freePlaces.push(place);
})
// clang-format on

static bool fuses(void)
{
  static int known = -1;
  if (known < 0) known = module_fuses();
  return known == 1;
}

code_module_sums* code_module_sums_of_eight(void)
{
  static int place = 0;
  if (!place && fuses()) place = module_sums();
  return (code_module_sums*)(intptr_t)place;
}

bool code_module_new(code_pages* p, const code_tape* t, int width)
{
  *p = (code_pages){0};
  code_wasm_module m;
  int function[CODE_END], place = 0;
  if (code_wasm_write(&m, t, width, fuses())) {
    for (int i = 0; i < m.functions; i++) {
      const uint32_t op = m.function[i];
      function[i] = width == 1 ? (int)(intptr_t)code_wasm_function(op)
                               : (int)(intptr_t)code_lanes_function_of(op, width, CODE_WASM);
    }
    place = module_new(m.bytes.at, m.bytes.n, function, m.functions);
  }
  base_list_free(&m.bytes);
  p->at = (void*)(intptr_t)place;
  return place != 0;
}

void code_module_free(code_pages* p)
{
  if (p->at) module_free((int)(intptr_t)p->at);
  *p = (code_pages){0};
}
#else
code_module_sums* code_module_sums_of_eight(void)
{
  return NULL;
}

bool code_module_new(code_pages* p, const code_tape* t, int width)
{
  (void)t, (void)width;
  *p = (code_pages){0};
  return false;
}

void code_module_free(code_pages* p)
{
  *p = (code_pages){0};
}
#endif
