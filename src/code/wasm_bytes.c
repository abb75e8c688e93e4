// Bytes of WebAssembly modules: numbers, sections, and values of a tape in a function.
#include "code/wasm_writer.h"

#include <string.h>

void code_wasm_byte(code_wasm_bytes* b, int x)
{
  base_push(b, (uint8_t)x);
}

void code_wasm_unsigned(code_wasm_bytes* b, uint32_t x)
{
  for (; x >= 0x80; x >>= 7) code_wasm_byte(b, (int)(x & 0x7f) | 0x80);
  code_wasm_byte(b, (int)x);
}

void code_wasm_signed(code_wasm_bytes* b, int32_t x)
{
  for (; x < -64 || x > 63; x >>= 7) code_wasm_byte(b, (x & 0x7f) | 0x80);
  code_wasm_byte(b, x & 0x7f);
}

void code_wasm_raw(code_wasm_bytes* b, const void* at, size_t n)
{
  for (size_t i = 0; i < n; i++) code_wasm_byte(b, ((const uint8_t*)at)[i]);
}

void code_wasm_name(code_wasm_bytes* b, const char* text)
{
  code_wasm_unsigned(b, (uint32_t)strlen(text));
  code_wasm_raw(b, text, strlen(text));
}

void code_wasm_enclose(code_wasm_bytes* b, int start)
{
  code_wasm_bytes head = {0};
  code_wasm_unsigned(&head, (uint32_t)(b->n - start));
  for (int i = 0; i < head.n; i++) code_wasm_byte(b, 0);
  memmove(b->at + start + head.n, b->at + start, (size_t)(b->n - head.n - start));
  memcpy(b->at + start, head.at, (size_t)head.n);
  base_list_free(&head);
}

// ---- sections -----------------------------------------------------------------------------------

enum { I32 = 0x7f, FUNCTION = 0x60 };

void code_wasm_types(code_wasm_bytes* b)
{
  code_wasm_byte(b, 1);
  const int start = b->n;
  code_wasm_byte(b, 4);
  for (int arguments = 1; arguments <= 2; arguments++) {
    code_wasm_byte(b, FUNCTION);
    code_wasm_byte(b, arguments);
    for (int k = 0; k < arguments; k++) code_wasm_byte(b, F64);
    code_wasm_byte(b, 1);
    code_wasm_byte(b, F64);
  }
  for (int pointers = 4; pointers >= 3; pointers--) {
    code_wasm_byte(b, FUNCTION);
    code_wasm_byte(b, pointers);
    for (int k = 0; k < pointers; k++) code_wasm_byte(b, I32);
    code_wasm_byte(b, 0);
  }
  code_wasm_enclose(b, start);
}

void code_wasm_imports(code_wasm_bytes* b, const code_wasm_module* m)
{
  code_wasm_byte(b, 2);
  const int start = b->n;
  code_wasm_unsigned(b, (uint32_t)m->functions + 1);
  for (int i = 0; i < m->functions; i++) {
    const char text[2] = {(char)('A' + i), 0};
    code_wasm_name(b, "z");
    code_wasm_name(b, text);
    code_wasm_byte(b, 0);
    code_wasm_byte(b, m->width > 1 ? WASM_BLOCKS : code_op_args(m->function[i]) - 1);
  }
  code_wasm_name(b, "z");
  code_wasm_name(b, "memory");
  code_wasm_byte(b, 2);
  code_wasm_byte(b, 0);
  code_wasm_byte(b, 0);
  code_wasm_enclose(b, start);
}

void code_wasm_section(code_wasm_bytes* b, int id, int n, const int* content)
{
  code_wasm_byte(b, id);
  code_wasm_byte(b, n);
  for (int i = 0; i < n; i++) code_wasm_byte(b, content[i]);
}

// ---- values of a tape: locals, constants, lanes
// ---------------------------------------------------

void code_wasm_vector(code_wasm_writer* w, int op)
{
  code_wasm_byte(&w->bytes, VECTOR);
  code_wasm_unsigned(&w->bytes, (uint32_t)op);
}

void code_wasm_push_number(code_wasm_writer* w, double x)
{
  code_wasm_byte(&w->bytes, F64_CONST);
  code_wasm_raw(&w->bytes, &x, sizeof x);
}

void code_wasm_push_address(code_wasm_writer* w, int address)
{
  code_wasm_byte(&w->bytes, I32_CONST);
  code_wasm_signed(&w->bytes, address);
}

// One number goes by instructions for numbers, though it is a vector between: those that spread it
// as they load it, or store one lane, have no room for an offset in V8.
static void memory(code_wasm_writer* w, int scalar, int vectors, int place)
{
  if (w->width == 1)
    code_wasm_byte(&w->bytes, scalar);
  else
    code_wasm_vector(w, vectors);
  code_wasm_unsigned(&w->bytes, 3); // aligned to 8 bytes
  code_wasm_unsigned(&w->bytes, (uint32_t)((place * w->width + 2 * w->pair) * (int)sizeof(double)));
}

void code_wasm_load(code_wasm_writer* w, int place)
{
  memory(w, F64_LOAD, V_LOAD, place);
  if (w->width == 1 && w->fused) code_wasm_vector(w, V_SPLAT);
}

void code_wasm_store(code_wasm_writer* w, uint32_t value, int place)
{
  if (w->width == 1)
    code_wasm_push_scalar(w, value);
  else
    code_wasm_push(w, value);
  memory(w, F64_STORE, V_STORE, place);
}

// Inputs, and what functions of blocks left, are in memory, and come from there once in each part
// of the code that needs them.
static bool is_there(const code_wasm_writer* w, uint32_t value)
{
  const bool in_memory = w->place[value] || w->t->ins.at[value].op == CODE_IN;
  return !in_memory || w->loaded[value] == w->stretch;
}

static void fetch(code_wasm_writer* w, uint32_t value)
{
  const int place = w->place[value];
  w->loaded[value] = w->stretch;
  code_wasm_byte(&w->bytes, LOCAL_GET);
  code_wasm_unsigned(&w->bytes, place ? SCRATCH : IN);
  code_wasm_load(w, place ? place - 1 : (int)w->t->ins.at[value].a);
}

void code_wasm_push(code_wasm_writer* w, uint32_t value)
{
  const code_ins* x = &w->t->ins.at[value];
  if (x->op != CODE_CONST) {
    const bool there = is_there(w, value);
    if (!there) fetch(w, value);
    code_wasm_byte(&w->bytes, there ? LOCAL_GET : LOCAL_TEE);
    code_wasm_unsigned(&w->bytes, (uint32_t)(w->local[value] + w->pair));
  } else if (w->fused) {
    // from where the tape has it: browsers make a vector's constant of four or five instructions
    code_wasm_push_address(w, (int)(intptr_t)&x->a);
    code_wasm_vector(w, V_LOAD_SPLAT);
    code_wasm_raw(&w->bytes, "\2", 2); // aligned to 4 bytes, no offset
  } else
    code_wasm_push_number(w, code_ins_const(x));
}

void code_wasm_push_scalar(code_wasm_writer* w, uint32_t value)
{
  const code_ins* x = &w->t->ins.at[value];
  if (x->op == CODE_CONST) {
    code_wasm_push_number(w, code_ins_const(x));
    return;
  }
  code_wasm_push(w, value);
  if (!w->fused) return;
  code_wasm_vector(w, V_LANE);
  code_wasm_byte(&w->bytes, w->lane);
}

void code_wasm_plain(code_wasm_writer* w, int scalar, int vectors)
{
  if (w->fused)
    code_wasm_vector(w, vectors);
  else
    code_wasm_byte(&w->bytes, scalar);
}

int code_wasm_take_local(code_wasm_writer* w)
{
  if (w->free.n) return w->free.at[--w->free.n];
  return PARAMS + w->pairs * w->locals++;
}

void code_wasm_keep(code_wasm_writer* w, uint32_t value)
{
  if (w->pair == 0) w->local[value] = code_wasm_take_local(w);
  code_wasm_byte(&w->bytes, LOCAL_SET);
  code_wasm_unsigned(&w->bytes, (uint32_t)(w->local[value] + w->pair));
}
