// gnuplot as a child process: a script goes in, a picture comes out.
#include "out/gnuplot.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "out/process.h"

static void fail(base_notes* notes, const out_process* p, const char* what)
{
  base_text reason = {0};
  base_text_add(&reason, what);
  out_process_complaint(p, &reason);
  base_error(notes, BASE_NOWHERE, "%s", reason.at);
  base_text_free(&reason);
}

static void explain(out_process_end end, const out_process* p, base_notes* notes)
{
  switch (end) {
  case OUT_PROCESS_NOT_THERE:
    base_error(notes, BASE_NOWHERE, "cannot draw: gnuplot is not installed");
    base_help(notes, "install the package gnuplot-nox, or use a name that ends in .gp to keep "
                     "script and data");
    return;
  case OUT_PROCESS_NO_START:
    base_error(notes, BASE_NOWHERE, "cannot draw: gnuplot did not start: %s", strerror(p->fault));
    return;
  case OUT_PROCESS_STOPPED:
  case OUT_PROCESS_TOO_LONG:
    fail(notes, p, "gnuplot took too long and was stopped");
    return;
  case OUT_PROCESS_KILLED:
    fail(notes, p, "gnuplot was ended by a signal");
    return;
  case OUT_PROCESS_FAILED:
    fail(notes, p, "gnuplot failed");
    return;
  case OUT_PROCESS_DONE:
    fail(notes, p, "gnuplot drew nothing");
    return;
  }
}

char* out_gnuplot(const char* script, size_t n, double seconds, size_t* length, base_notes* notes)
{
  assert(script && seconds > 0);
  // -d: nothing from the user's own gnuplot settings
  static const char* const arguments[] = {"gnuplot", "-d", NULL};
  out_process p;
  const out_process_end end =
      out_process_run(arguments, script, n, &(out_process_limit){.seconds = seconds}, &p);
  char* picture = NULL;
  if (end == OUT_PROCESS_DONE && p.output && p.length > 0) {
    picture = p.output;
    *length = p.length;
    p.output = NULL;
  } else {
    explain(end, &p, notes);
  }
  out_process_free(&p);
  return picture;
}
