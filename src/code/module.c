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
  static double block[2][8];
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
// does f64x2.relaxed_madd exist here, and round once? Whoever loads the program has tried
EM_JS(int, module_fuses, (void), { return Module.fuses ? 1 : 0; })

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

EM_JS(void, module_free, (int place), {
  wasmTable.set(place, null);
  Module.freePlaces.push(place);
})
// clang-format on

bool code_module_fuses(void)
{
  static int known = -1;
  if (known < 0) known = module_fuses();
  return known == 1;
}

bool code_module_new(code_pages* p, const code_tape* t, int width)
{
  *p = (code_pages){0};
  code_wasm_module m;
  int function[CODE_END], place = 0;
  if (code_wasm_write(&m, t, width, code_module_fuses())) {
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
bool code_module_fuses(void)
{
  return false;
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
