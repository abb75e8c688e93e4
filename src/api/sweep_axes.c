// --over NAME=...: what differs between the runs.
#include "api/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_values = 1000000, most_name = 120 };
static const double most_runs = 1e15, most_grid = 1e12;

// the whole of text .. end as a number
static bool read_number(const char* text, const char* end, double* out)
{
  char copy[64] = {0}, *behind;
  const size_t length = (size_t)(end - text);
  if (length == 0 || length >= sizeof copy) return false;
  memcpy(copy, text, length);
  *out = strtod(copy, &behind);
  while (*behind == ' ') behind++;
  return behind != copy && !*behind && isfinite(*out);
}

static bool refuse(const char* text, const char* why, base_notes* notes)
{
  base_error(notes, BASE_NOWHERE, "--over %.200s: %s", text, why);
  base_help(notes, "write NAME=FROM..TO:N for a grid, NAME=V1,V2,... for a list, or NAME=FROM..TO "
                   "to be sampled by --sobol N or --random N");
  return false;
}

// "FROM..TO", ":N" and ":log" behind it
static bool read_range(const char* text, const char* at, const char* dots, sweep_axis* a,
                       base_notes* notes)
{
  const char* end = dots + 2 + strcspn(dots + 2, ":");
  if (!read_number(at, dots, &a->from) || !read_number(dots + 2, end, &a->to))
    return refuse(text, "the ends of the range are numbers", notes);
  a->kind = SWEEP_SAMPLED;
  while (*end == ':') {
    const char* word = end + 1;
    end = word + strcspn(word, ":");
    double count;
    if (end - word == 3 && !memcmp(word, "log", 3)) {
      a->logarithmic = true;
    } else if (a->kind == SWEEP_GRID || !read_number(word, end, &count) || count < 2 ||
               count > most_grid || count != floor(count)) {
      return refuse(text, "the number of values is a whole number from 2 on", notes);
    } else {
      a->kind = SWEEP_GRID;
      a->count = (int64_t)count;
    }
  }
  if (!(a->from < a->to)) return refuse(text, "FROM lies below TO", notes);
  if (a->logarithmic && !(a->from > 0))
    return refuse(text, "a logarithmic range lies above zero", notes);
  if (!isfinite(a->to - a->from)) return refuse(text, "the range is too wide", notes);
  return true;
}

static bool read_list(api_sweep* s, const char* text, const char* at, sweep_axis* a,
                      base_notes* notes)
{
  int64_t room = 1;
  for (const char* c = at; *c; c++) room += *c == ',';
  if (room > most_values) return refuse(text, "a list has at most a million values", notes);
  double* value = base_arena_take(s->arena, sizeof *value * (size_t)room);
  a->kind = SWEEP_LIST;
  a->value = value;
  for (;;) {
    const char* end = at + strcspn(at, ",");
    if (!read_number(at, end, &value[a->count++]))
      return refuse(text, "the values are numbers separated by commas", notes);
    if (!*end) return true;
    at = end + 1;
  }
}

// as the caller has them in memory; they stay there
static bool take_values(const char* name, const double* value, long long count, sweep_axis* a,
                        base_notes* notes)
{
  bool fine = count > 0 && (double)count <= most_grid;
  for (long long i = 0; fine && i < count; i++) fine = isfinite(value[i]);
  if (!fine)
    base_error(notes, BASE_NOWHERE, "the values of `%.200s` are one finite number or more", name);
  a->kind = SWEEP_LIST;
  a->value = value;
  a->count = count;
  return fine;
}

static bool read_axis(api_sweep* s, int i, sweep_axis* a, model_varied* v, base_notes* notes)
{
  const char* text = s->o->over[i];
  const double* given = s->o->over_values ? s->o->over_values[i] : NULL;
  const char* equal = given ? text + strlen(text) : strchr(text, '=');
  size_t length = equal ? (size_t)(equal - text) : 0;
  const char* start = text + strspn(text, " ");
  while (equal && length > 0 && text[length - 1] == ' ') length--;
  if (!equal || text + length <= start || length > most_name)
    return refuse(text, "expected NAME=...", notes);
  char* name = base_arena_strndup(s->arena, start, (size_t)(text + length - start));
  a->name = base_utf8_fault(name, strlen(name)) < 0
                ? base_utf8_compose(s->arena, name, strlen(name))
                : name;
  char* option = base_arena_printf(s->arena, "--over %.200s", text);
  if (!model_varied_find(s->source->model, option, a->name, notes, v)) return false;
  if (given) return take_values(a->name, given, s->o->over_counts[i], a, notes);
  const char* dots = strstr(equal, "..");
  return dots ? read_range(text, equal + 1, dots, a, notes)
              : read_list(s, text, equal + 1, a, notes);
}

static bool is_sound(const api_sweep* s, base_notes* notes)
{
  const sweep_plan* p = &s->plan;
  int sampled = 0;
  for (int i = 0; i < p->axes; i++) {
    sampled += p->axis[i].kind == SWEEP_SAMPLED;
    for (int j = 0; j < i; j++)
      if (!strcmp(p->axis[i].name, p->axis[j].name)) {
        base_error(notes, BASE_NOWHERE, "--over says `%s` twice", p->axis[i].name);
        return false;
      }
    for (int j = 0; s->varied[i].param >= 0 && j < s->source->set_count; j++) {
      const char* set = s->source->sets[j];
      const size_t length = strcspn(set, "=");
      if (strlen(p->axis[i].name) != length || memcmp(set, p->axis[i].name, length) != 0) continue;
      base_error(notes, BASE_NOWHERE, "`%s` is set by --set and varied by --over", p->axis[i].name);
      return false;
    }
  }
  if (sampled && p->sampling == SWEEP_NONE)
    base_error(notes, BASE_NOWHERE,
               "a range without a number of values is sampled: say --sobol N or --random N, or "
               "write FROM..TO:N for a grid");
  else if (!sampled && p->sampling != SWEEP_NONE)
    base_error(notes, BASE_NOWHERE,
               "--sobol and --random sample ranges: write --over NAME=FROM..TO");
  else if (p->sampling == SWEEP_SOBOL && sampled > SWEEP_SOBOL_MOST)
    base_error(notes, BASE_NOWHERE, "--sobol samples at most %d ranges at once", SWEEP_SOBOL_MOST);
  else if (sweep_plan_runs(p) < 0 || (double)sweep_plan_runs(p) > most_runs)
    base_error(notes, BASE_NOWHERE, "more than %g runs are asked for", most_runs);
  else
    return true;
  return false;
}

bool api_sweep_read_axes(api_sweep* s, base_notes* notes)
{
  const zw_sweep_options* o = s->o;
  if (o->over_count < 1 || o->over_count > SWEEP_MOST_AXES) {
    base_error(notes, BASE_NOWHERE, "a sweep varies something: from 1 to %d times --over NAME=...",
               SWEEP_MOST_AXES);
    return false;
  }
  if (o->random < 0 || o->sobol < 0 || (o->random && o->sobol)) {
    base_error(notes, BASE_NOWHERE, "samples are random or of Sobol's sequence, not both");
    return false;
  }
  if (o->over_values && !o->over_counts) {
    base_error(notes, BASE_NOWHERE, "zw_sweep: `over_values` needs `over_counts`");
    return false;
  }
  sweep_axis* axis = base_arena_take(s->arena, sizeof *axis * (size_t)o->over_count);
  s->varied = base_arena_take(s->arena, sizeof *s->varied * (size_t)o->over_count);
  bool fine = true;
  for (int i = 0; i < o->over_count; i++) fine &= read_axis(s, i, &axis[i], &s->varied[i], notes);
  if (!fine) return false;
  s->plan = (sweep_plan){.axes = o->over_count,
                         .axis = axis,
                         .sampling = o->random  ? SWEEP_RANDOM
                                     : o->sobol ? SWEEP_SOBOL
                                                : SWEEP_NONE,
                         .samples = o->random ? o->random : o->sobol,
                         .seed = o->seed};
  return is_sound(s, notes);
}
