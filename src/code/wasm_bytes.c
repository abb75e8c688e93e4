// Numbers, names and sections as a module of WebAssembly has them.
#include "code/target_wasm.h"

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
