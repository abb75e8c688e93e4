// Drives of a mechanism that are given beside its text: "NAME=FROM..TO" or "NAME=EXPRESSION".
//
// Each becomes a constraint as the model could have it, so that whatever holds for those holds for
// them. A range is gone through evenly over the time of the run.
#include "lang/reader.h"

#include <math.h>
#include <string.h>

// begin and end of the run as they are written; the text of the run itself where there is none
static void find_span(const lang_reader* r, base_text* from, base_text* to, base_text* run)
{
  const lang_mechanism* m = r->limits->mechanism;
  const lang_statement* found = NULL;
  for (int i = 0; i < r->statements.n && !found; i++)
    if (r->statements.at[i]->kind == LANG_RUN) found = r->statements.at[i];
  if (found && found->from) lang_print_node(found->from, from);
  if (!from->n) base_text_add(from, "0");
  if (!isnan(m->until))
    base_text_printf(to, "%.17g", m->until);
  else if (found && found->to)
    lang_print_node(found->to, to);
  else
    base_text_add(to, "1");
  if (!found) base_text_printf(run, "run %s .. %s\n", from->at, to->at);
}

static bool add(const char* drive, const char* from, const char* to, base_text* out,
                base_notes* notes)
{
  const char *equal = strchr(drive, '='), *dots = equal ? strstr(equal, "..") : NULL;
  if (!equal || equal == drive || !equal[1]) {
    base_error(notes, BASE_NOWHERE, "--drive %s: expected NAME=FROM..TO or NAME=EXPRESSION", drive);
    base_help(notes, "as in --drive \"crank.angle=0..2*pi\" or --drive \"crank.angle=3*t\"");
    return false;
  }
  const int name = (int)(equal - drive);
  if (!dots) {
    base_text_printf(out, "constraint %.*s = %s\n", name, drive, equal + 1);
    return true;
  }
  const int first = (int)(dots - equal) - 1;
  // the factor 1 has no unit of its own: how the time is measured is not that of the coordinate
  base_text_printf(out, "constraint %.*s = (%.*s) + 1*((%s) - (%.*s))*(t - (%s))/((%s) - (%s))\n",
                   name, drive, first, equal + 1, dots + 2, first, equal + 1, from, to, from);
  return true;
}

void lang_drive_add(lang_reader* r)
{
  const lang_mechanism* m = r->limits->mechanism;
  if (!m || !m->drives) return;
  base_text from = {0}, to = {0}, text = {0};
  bool fine = true;
  find_span(r, &from, &to, &text);
  for (int i = 0; i < m->drives; i++)
    fine = add(m->drive[i], from.at, to.at, &text, r->notes) && fine;
  if (fine) lang_reader_text(r, "--drive", text.at, text.n, NULL);
  base_text_free(&from);
  base_text_free(&to);
  base_text_free(&text);
}
