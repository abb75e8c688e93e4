// How code is entered and left, and what its registers for addresses hold in between.
#include "code/emit.h"

static bool has_anchors(const emitter* e)
{
  enum { WORTH = 200 }; // operations
  return e->t->ins.n > WORTH;
}

// Registers that hold places further on, for code with addresses enough to pay for them, from
// instruction `at` on. A short offset reaches 128 units either way; the base itself reaches the
// first of them. While calls are ahead there are few registers that outlive them.
void emit_set_anchors(emitter* e, int at)
{
  static const int kept[] = {X86_R13, X86_R15, X86_R12},
                   others[] = {X86_RDI, X86_RAX, X86_R8, X86_R9, X86_R10, X86_R11};
  const bool calls = at <= e->last_call;
  const int32_t one = 128 * (e->packed ? 8 : x86_vector_bytes(e->x)),
                reach = e->packed ? 128 * EMIT_PACK : one;
  const x86_anchor wanted[] = {{0, X86_POOL, reach},
                               {0, e->scratch, 2 * reach},
                               {0, e->scratch, 4 * reach},
                               {0, e->in, 2 * one + 8 * e->in_at},
                               {0, e->out, 2 * one + 8 * e->out_at},
                               {0, e->scratch, 6 * reach}};
  e->x->anchors = 0;
  if (!has_anchors(e)) return;
  const size_t count = calls ? sizeof kept / sizeof *kept : sizeof others / sizeof *others;
  for (size_t k = 0; k < count; k++)
    x86_anchor_set(e->x,
                   (x86_anchor){(calls ? kept : others)[k], wanted[k].base, wanted[k].offset});
}

// A code_runner is called with the kernel, in, out and scratch in rdi, rsi, rdx and rcx. With calls
// inside, they move to registers that calls preserve; the pushes, odd in number, also align the
// stack.
void emit_enter(emitter* e, bool calls)
{
  static const uint8_t landing[] = {0xf3, 0x0f, 0x1e, 0xfa};         // endbr64
  static const uint8_t keep[] = {0x53, 0x55, 0x41, 0x56,             // push rbx, rbp, r14
                                 0x48, 0x89, 0xf3, 0x48, 0x89, 0xd5, // mov rbx, rsi; rbp, rdx
                                 0x49, 0x89, 0xce};                  // mov r14, rcx
  static const uint8_t keep_anchors[] = {0x41, 0x54, 0x41, 0x55,     // push r12, r13
                                         0x41, 0x57, 0x50};          // push r15, rax
  static const uint8_t align[] = {0x48, 0x8d, 0x49, 0x3f, 0x48, 0x83, 0xe1, 0xc0};
  x86_bytes(e->x, landing, sizeof landing);
  // lea rcx, [rcx + 63]; and rcx, -64
  if (!e->x->single) x86_bytes(e->x, align, sizeof align);
  if (calls) x86_bytes(e->x, keep, sizeof keep);
  if (calls && has_anchors(e)) x86_bytes(e->x, keep_anchors, sizeof keep_anchors);
  e->in = calls ? X86_RBX : X86_RSI;
  e->out = calls ? X86_RBP : X86_RDX;
  e->scratch = calls ? X86_R14 : X86_RCX;
}

void emit_leave(emitter* e, bool calls)
{
  static const uint8_t restore_anchors[] = {0x58, 0x41, 0x5f,        // pop rax, r15
                                            0x41, 0x5d, 0x41, 0x5c}; // pop r13, r12
  static const uint8_t restore[] = {0x41, 0x5e, 0x5d, 0x5b};         // pop r14, rbp, rbx
  if (!e->x->single || e->packed) x86_clear_uppers(e->x);
  if (calls && has_anchors(e)) x86_bytes(e->x, restore_anchors, sizeof restore_anchors);
  if (calls) x86_bytes(e->x, restore, sizeof restore);
  x86_bytes(e->x, (const uint8_t[]){0xc3}, 1);
}
