// Other programs as child processes, without a shell: what they read and write goes through files
// that live in memory only.
#pragma once

#include "base/base.h"

typedef enum out_process_end {
  OUT_PROCESS_DONE,      // it ended with status 0
  OUT_PROCESS_FAILED,    // with another
  OUT_PROCESS_KILLED,    // by a signal
  OUT_PROCESS_TOO_LONG,  // time ran out and it was ended, with all that it had started
  OUT_PROCESS_STOPPED,   // the same because it was no longer wanted
  OUT_PROCESS_NOT_THERE, // there is no such program
  OUT_PROCESS_NO_START   // it could not be started; fault is an errno
} out_process_end;

typedef struct out_process
{
  char* output; // ended by a zero byte; null where it could not be read
  size_t length;
  char* words; // what it complained about
  int fault;
} out_process;

// how long it may take, and a question whether it is still wanted (null: always)
typedef struct out_process_limit
{
  double seconds;
  bool (*go_on)(void* context);
  void* context;
} out_process_limit;

// `arguments` ends with null; the program is looked for on the search path
out_process_end out_process_run(const char* const* arguments, const char* input, size_t n,
                                const out_process_limit* limit, out_process* p);
void out_process_free(out_process* p);
// the last line of its complaint that says something, appended after ": "
void out_process_complaint(const out_process* p, base_text* out);
// is there a program of that name on the search path?
bool out_process_has(const char* program);
