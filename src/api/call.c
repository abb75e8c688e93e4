// Arguments of the public door: what does not fit is noted and not touched.
#include "api/api.h"

#include <math.h>
#include <string.h>

static const char* const kind_name[] = {
    [API_NOTES] = "notes",     [API_MODEL] = "model", [API_SYSTEM] = "system",
    [API_POINT] = "point",     [API_TRACK] = "track", [API_CERTIFICATE] = "certificate",
    [API_PROGRAM] = "program", [API_STATE] = "state", [API_EDITOR] = "editor"};

static const char lost[] =
    "is lost: memory ran out in a call that was changing it; read its model again";

// "zw_run: `s` ..."
typedef struct plaint
{
  const char* function;
  base_notes* notes;
} plaint;

static bool refuse(const plaint* p, const char* name, const char* why)
{
  if (p->notes) base_error(p->notes, BASE_NOWHERE, "%s: `%s` %s", p->function, name, why);
  return false;
}

static bool refuse_object(const plaint* p, const char* name, api_kind kind, const void* at)
{
  if (!at) return refuse(p, name, "is null");
  if (!p->notes) return false;
  base_error(p->notes, BASE_NOWHERE, "%s: `%s` is no %s that is alive", p->function, name,
             kind_name[kind]);
  base_help(p->notes, "it was freed, or it never was one");
  return false;
}

static bool has_all(const plaint* p, const char* name, const char* const* text, int count)
{
  if (count < 0) return refuse(p, name, "has a count below zero");
  if (count && !text) return refuse(p, name, "is null");
  for (int i = 0; i < count; i++)
    if (!text[i]) return refuse(p, name, "has a text that is null");
  return true;
}

// ---- members of options -------------------------------------------------------------------------

static double value_at(const void* options, const api_member* m)
{
  const char* at = (const char*)options + m->at;
  int whole;
  long long longer;
  double number;
  switch (m->type) {
  case API_INT:
    memcpy(&whole, at, sizeof whole);
    return whole;
  case API_LONG:
    memcpy(&longer, at, sizeof longer);
    return (double)longer;
  default:
    memcpy(&number, at, sizeof number);
    return number;
  }
}

static bool is_in_range(const plaint* p, const char* name, double value, double least, double most)
{
  if (value >= least && value <= most) return true;
  base_error(p->notes, BASE_NOWHERE, "%s: `%s` is %g, not a number from %g to %g", p->function,
             name, value, least, most);
  return false;
}

static bool list_fits(const plaint* p, const void* options, const api_member* m)
{
  int count;
  const void* list;
  memcpy(&count, (const char*)options + m->count_at, sizeof count);
  memcpy(&list, (const char*)options + m->at, sizeof list);
  if (count < 0) return refuse(p, m->name, "has a count below zero");
  if (count > m->most) return refuse(p, m->name, "is too long");
  if (m->type == API_WORDS) return has_all(p, m->name, list, count);
  if (count && !list) return refuse(p, m->name, "is null");
  for (int i = 0; i < count; i++)
    if (!isfinite(((const double*)list)[i]))
      return refuse(p, m->name, "has a number that is not finite");
  return true;
}

static bool member_fits(const plaint* p, const void* options, const api_member* m)
{
  if (m->type == API_WORDS || m->type == API_NUMBERS) return list_fits(p, options, m);
  return is_in_range(p, m->name, value_at(options, m), m->least, m->most);
}

static bool options_fit(const plaint* p, const char* name, const void* options,
                        const api_options* o)
{
  if (!options) return refuse(p, name, "is null");
  int cookie;
  memcpy(&cookie, (const char*)options + o->cookie_at, sizeof cookie);
  if (cookie != o->cookie) {
    base_error(p->notes, BASE_NOWHERE, "%s: the options were not made by %s()", p->function,
               o->maker);
    return false;
  }
  for (int i = 0; i < o->members; i++)
    if (!member_fits(p, options, &o->member[i])) return false;
  return true;
}

// ---- arguments ----------------------------------------------------------------------------------

static bool runs_fit(const plaint* p, const char* name, const zw_runs* r, bool changed)
{
  if (!r) return refuse(p, name, "is null");
  if (r->count < 1 || !r->track) return refuse(p, name, "has no run");
  if (r->varied && !r->value) return refuse(p, name, "has a param that varies without its values");
  for (int i = 0; i < r->count; i++)
    if (!api_is_alive(API_TRACK, r->track[i]))
      return refuse_object(p, "track", API_TRACK, r->track[i]);
  for (int i = 0; i < r->count && changed; i++)
    if (api_object_is_lost(r->track[i])) return refuse(p, "track", lost);
  return true;
}

static bool argument_fits(const plaint* p, const api_argument* a)
{
  switch (a->demand) {
  case API_OBJECT:
    if (!api_is_alive(a->kind, a->at)) return refuse_object(p, a->name, a->kind, a->at);
    return !api_object_is_lost(a->at) || refuse(p, a->name, lost);
  case API_LOOK:
    return api_is_alive(a->kind, a->at) || refuse_object(p, a->name, a->kind, a->at);
  case API_GIVEN:
    return a->at || refuse(p, a->name, "is null");
  case API_ALL_GIVEN:
    return has_all(p, a->name, a->at, a->count);
  case API_SOUND:
    return options_fit(p, a->name, a->at, a->options);
  case API_TRACKS:
    return runs_fit(p, a->name, a->at, a->kind == API_TRACK);
  }
  return false;
}

// ---- calls --------------------------------------------------------------------------------------

bool api_call_begin(api_call* c, bool has_notes, base_stock* stock)
{
  c->open = false;
  expr_gmp_guard();
  out_json_guard();
  if (has_notes && !api_is_alive(API_NOTES, c->notes)) return false;
  c->open = stock || base_call_begin(&c->base);
  if (stock) base_call_begin_with(&c->base, stock);
  if (!c->open && has_notes) base_notes_no_room(c->notes->notes);
  return c->open;
}

bool api_call_fits(const api_call* c)
{
  const plaint p = {c->function, c->notes ? c->notes->notes : NULL};
  for (int i = 0; i < c->count; i++)
    if (!argument_fits(&p, &c->argument[i])) return false;
  return true;
}

void api_call_give_up(api_call* c)
{
  base_call_give_up(&c->base);
  c->open = false;
  for (int i = 0; i < c->count; i++) {
    const api_argument* a = &c->argument[i];
    if (a->demand == API_OBJECT && api_is_alive(a->kind, a->at)) api_object_lose((void*)a->at);
    const zw_runs* r = a->demand == API_TRACKS && a->kind == API_TRACK ? a->at : NULL;
    for (int k = 0; r && k < r->count; k++)
      if (api_is_alive(API_TRACK, r->track[k])) api_object_lose((void*)r->track[k]);
  }
  if (c->notes) base_notes_no_room(c->notes->notes);
}

void api_call_end(api_call* c)
{
  if (c->open) base_call_end(&c->base);
}
