// The region of an embedding: given in words, or where the motion goes.
#include "api/api.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// a coordinate that hardly moves still needs room around it
static const double least_width = 0.5;

static void widen(double* low, double* high)
{
  const double margin = 0.02 * (*high - *low);
  *low -= margin;
  *high += margin;
  const double lacking = least_width - (*high - *low);
  if (lacking <= 0) return;
  *low -= lacking / 2;
  *high += lacking / 2;
}

static const char* skip(const char* at)
{
  return at + strspn(at, " \t\n");
}

// "x = -1 .. 1" of one coordinate; null with an error noted
static const char* read_range(const geom_space* s, const char* at, double* low, double* high,
                              base_notes* notes)
{
  const char* from = at;
  const size_t length = strcspn(at, " \t=,");
  int coord = -1;
  for (int i = 0; i < s->n; i++) {
    const char* name = s->m->coord[s->coord[i]].name;
    if (strlen(name) == length && !memcmp(name, at, length)) coord = i;
  }
  if (coord < 0) {
    base_error(notes, BASE_NOWHERE, "--region: `%.*s` is no coordinate of the space", (int)length,
               at);
    return NULL;
  }
  char *end, *last;
  at = skip(at + length);
  const double a = *at == '=' ? strtod(at + 1, &end) : NAN;
  at = *at == '=' ? skip(end) : at;
  // strtod may take one of the two dots
  if (*at == '.' && at[1] != '.') at--;
  const double b = at[0] == '.' && at[1] == '.' ? strtod(at + 2, &last) : NAN;
  if (!isfinite(a) || !isfinite(b) || last == at + 2 || !(b > a)) {
    base_error(notes, BASE_NOWHERE, "--region %s: expected NAME=LOW..HIGH with LOW below HIGH",
               from);
    return NULL;
  }
  low[coord] = a;
  high[coord] = b;
  return skip(last);
}

bool api_region_read(const geom_space* s, const char* words, double* low, double* high,
                     base_notes* notes)
{
  for (const char* at = skip(words); *at;) {
    at = read_range(s, at, low, high, notes);
    if (!at) return false;
    if (*at && *at != ',') {
      base_error(notes, BASE_NOWHERE, "--region: expected a comma before `%s`", at);
      return false;
    }
    at = *at ? skip(at + 1) : at;
  }
  return true;
}

void api_region_around(const geom_place* at, const geom_space* s, double* low, double* high)
{
  for (int i = 0; i < s->n; i++) {
    const double here = at ? at->q[i] : 0;
    low[i] = here - least_width;
    high[i] = here + least_width;
  }
}

void api_region_of_track(const geom_space* s, const walk_track* t, double* low, double* high)
{
  for (int i = 0; i < s->n; i++) {
    const int column = 1 + s->coord[i];
    low[i] = INFINITY;
    high[i] = -INFINITY;
    for (int row = 0; row < t->table.rows; row++) {
      const double q = t->table.value[row * t->table.width + column];
      low[i] = fmin(low[i], q);
      high[i] = fmax(high[i], q);
    }
    widen(&low[i], &high[i]);
  }
}
