// Summaries of several runs side by side: what all have in common once, the rest line below line.
//
// A summary is a title, then lines `  KEY          text`, whose texts go on in lines that begin
// with as many blanks.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { indent = 15 };

// the line behind this one
static const char* next_line(const char* at)
{
  const char* end = strchr(at, '\n');
  return end ? end + 1 : at + strlen(at);
}

static bool goes_on(const char* line)
{
  return strlen(line) > indent && strspn(line, " ") >= indent;
}

// the first line behind the entry that begins here
static const char* behind(const char* entry)
{
  const char* at = next_line(entry);
  while (*at && goes_on(at)) at = next_line(at);
  return at;
}

static bool same_key(const char* a, const char* b)
{
  return strncmp(a, b, indent) == 0;
}

// the entry with this key; null where there is none
static const char* find(const char* summary, const char* key)
{
  for (const char* at = next_line(summary); *at; at = behind(at))
    if (same_key(at, key)) return at;
  return NULL;
}

static bool all_say_it(int count, char* const* summary, const char* entry)
{
  const size_t length = (size_t)(behind(entry) - entry);
  for (int i = 0; i < count; i++) {
    const char* other = find(summary[i], entry);
    if (!other || (size_t)(behind(other) - other) != length || strncmp(other, entry, length) != 0)
      return false;
  }
  return true;
}

// its text behind the name of the run, lines that go on below it
static void put(const char* entry, bool first, const char* name, int width)
{
  const char* end = behind(entry);
  for (const char* at = entry; at < end; at = next_line(at)) {
    const bool heads = at == entry;
    fprintf(stderr, "%-*.*s%-*s  %.*s", indent, indent, heads && first ? entry : "", width,
            heads ? name : "", (int)(next_line(at) - at) - indent, at + indent);
  }
}

static void put_all(int count, char* const* summary, const char* const* name, int width,
                    const char* entry)
{
  bool first = true;
  for (int i = 0; i < count; i++) {
    const char* own = find(summary[i], entry);
    if (!own) continue;
    put(own, first, name[i], width);
    first = false;
  }
}

void cli_compare_print(int count, char* const* summary, const char* const* name)
{
  int width = 0;
  for (int i = 0; i < count; i++)
    width = (int)strlen(name[i]) > width ? (int)strlen(name[i]) : width;
  fprintf(stderr, "%.*s", (int)(next_line(summary[0]) - summary[0]), summary[0]);
  for (int i = 0; i < count; i++)
    for (const char* at = next_line(summary[i]); *at; at = behind(at)) {
      bool told = false; // with an earlier run
      for (int k = 0; k < i; k++) told = told || find(summary[k], at);
      if (told) continue;
      if (all_say_it(count, summary, at))
        fprintf(stderr, "%.*s", (int)(behind(at) - at), at);
      else
        put_all(count, summary, name, width, at);
    }
}
