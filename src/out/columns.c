// Columns by name: a list with commas between, in which `*` stands for any letters. Time comes
// first unless the list names it.
#include "out/columns.h"

#include <stdlib.h>
#include <string.h>

#include "out/names.h"

// does the name fit the pattern? Of a star that took too little, the last one takes more.
static bool fits(const char* name, const char* pattern, size_t n)
{
  const char *end = pattern + n, *star = NULL, *from = NULL;
  while (*name) {
    if (pattern < end && *pattern == '*') {
      star = pattern++;
      from = name;
    } else if (pattern < end && *pattern == *name) {
      pattern++;
      name++;
    } else if (star) {
      pattern = star + 1;
      name = ++from;
    } else {
      return false;
    }
  }
  while (pattern < end && *pattern == '*') pattern++;
  return pattern == end;
}

const char* out_columns_name(const walk_track* t, int at)
{
  return at == OUT_STAGE ? "stage" : at == OUT_EVENT ? "event" : t->column[at];
}

const char* out_columns_word(const walk_track* t, int at, int row)
{
  return at == OUT_STAGE ? out_stage_name(t, row) : out_event_name(t, row);
}

void out_columns_head(const walk_track* t, int at, bool units, base_text* out)
{
  base_text_add(out, out_columns_name(t, at));
  if (units && at >= 0 && t->unit && t->unit[at] && *t->unit[at])
    base_text_printf(out, " [%s]", t->unit[at]);
}

out_columns out_columns_all(const walk_track* t)
{
  out_columns c = {0, base_alloc(sizeof(int) * ((size_t)t->columns + 2))};
  for (; c.count < t->columns; c.count++) c.at[c.count] = c.count;
  if (t->model->stages > 0) c.at[c.count++] = OUT_STAGE;
  if (out_has_events(t)) c.at[c.count++] = OUT_EVENT;
  return c;
}

static bool has(const out_columns* c, int at)
{
  for (int i = 0; i < c->count; i++)
    if (c->at[i] == at) return true;
  return false;
}

// the next name of the list, without blanks around it; its length, -1 behind the last
static int next_name(const char** list, const char** name)
{
  if (!*list) return -1;
  const char* comma = strchr(*list, ',');
  const char* end = comma ? comma : *list + strlen(*list);
  *name = *list + strspn(*list, " ");
  while (end > *name && end[-1] == ' ') end--;
  *list = comma ? comma + 1 : NULL;
  return end > *name ? (int)(end - *name) : 0;
}

// adds what fits of `all`; how many do
static int add(out_columns* c, const walk_track* t, const out_columns* all, const char* name, int n)
{
  int fitting = 0;
  for (int i = 0; i < all->count; i++) {
    if (!fits(out_columns_name(t, all->at[i]), name, (size_t)n)) continue;
    fitting++;
    if (!has(c, all->at[i])) c->at[c->count++] = all->at[i];
  }
  return fitting;
}

out_columns out_columns_of(const out_runs* r)
{
  const walk_track* t = r->track[0];
  out_columns all = out_columns_all(t);
  if (!r->columns) return all;
  out_columns c = {0, base_alloc(sizeof(int) * ((size_t)all.count + 1))};
  const char *list = r->columns, *name;
  for (int n; (n = next_name(&list, &name)) >= 0;) add(&c, t, &all, name, n);
  if (!has(&c, 0)) {
    memmove(c.at + 1, c.at, sizeof *c.at * (size_t)c.count++);
    c.at[0] = 0;
  }
  out_columns_free(&all);
  return c;
}

void out_columns_free(out_columns* c)
{
  free(c->at);
}

static void complain(const walk_track* t, const out_columns* all, const char* name, int n,
                     base_notes* notes)
{
  char* word = base_strndup(name, (size_t)n);
  const char** names = base_alloc(sizeof *names * ((size_t)all->count + 1));
  for (int i = 0; i < all->count; i++) names[i] = out_columns_name(t, all->at[i]);
  const char* nearest = base_nearest(word, names, all->count);
  base_error(notes, BASE_NOWHERE, n ? "the table has no column `%s`" : "a column has no name%s",
             word);
  if (nearest && n)
    base_help(notes, "did you mean `%s`?", nearest);
  else
    base_help(notes, "names with commas between, `*` for any letters: --columns \"t,%s,*'\"",
              all->count > 1 ? names[1] : "x");
  free(names);
  free(word);
}

bool out_columns_check(const model* m, const char* columns, base_notes* notes)
{
  walk_track* t = walk_track_new(m);
  out_columns all = out_columns_all(t), c = {0, base_alloc(sizeof(int) * ((size_t)all.count + 1))};
  bool fine = true;
  const char *list = columns, *name;
  for (int n; (n = next_name(&list, &name)) >= 0;) {
    if (n && add(&c, t, &all, name, n)) continue;
    complain(t, &all, name, n, notes);
    fine = false;
  }
  out_columns_free(&c);
  out_columns_free(&all);
  walk_track_free(t);
  return fine;
}
