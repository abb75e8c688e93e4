// The page of a moving picture: runs, equations in their forms, the surface of the geometry.
#include "api/api.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { view_cookie = 0x7669, film_cookie = 0x666d, most_pixels = 4096, most_fps = 120 };

static const api_options view_options = {"zw_view_defaults", view_cookie,
                                         offsetof(zw_view_options, cookie), 0, NULL};
static const api_member film_members[] = {
    API_MEMBER(API_INT, zw_film_options, width, 1, most_pixels),
    API_MEMBER(API_INT, zw_film_options, height, 1, most_pixels),
    API_MEMBER(API_DOUBLE, zw_film_options, fps, DBL_MIN, most_fps)};
static const api_options film_options = {"zw_film_defaults", film_cookie,
                                         offsetof(zw_film_options, cookie),
                                         sizeof film_members / sizeof *film_members, film_members};

zw_view_options zw_view_defaults(void)
{
  return (zw_view_options){.cookie = view_cookie};
}

static zw_status file_status(int code)
{
  return code == 0 ? ZW_OK : code == 1 ? ZW_BAD_INPUT : ZW_NO_ROOM;
}

zw_status zw_view_check(const char* path, zw_notes* notes)
{
  API_ENTER_STATUS(notes, API_HAS(path));
  return out_view_check(path, notes->notes) ? ZW_BAD_INPUT : ZW_OK;
}

// ---- equations ----------------------------------------------------------------------------------

typedef struct forms
{
  base_arena* arena;
  int count;
  mech_equations** at;
} forms;

static void add_form(forms* f, zw_system* s, const mech_form* form, const mech_choice* choice)
{
  for (int i = 0; i < f->count; i++)
    if (f->at[i]->form == form) return;
  base_notes* quiet = base_notes_new();
  mech_equations* e = mech_equations_of(form, s->system, choice, quiet);
  if (e) f->at[f->count++] = e;
  base_notes_free(quiet);
}

// The form asked for, then all that suit where the system is small enough to be read, else one.
static bool find_forms(forms* f, zw_system* s, const char* first, bool none, base_notes* notes)
{
  f->arena = base_arena_new();
  if (none) return true;
  f->at = base_arena_take(f->arena, sizeof *f->at * (size_t)(mech_form_count() + 1));
  const mech_form* asked = first ? api_form_find(s->system, first, notes) : NULL;
  if (first && !asked) return false;
  const mech_choice choice = api_independent(s, f->arena), *rows = choice.rows ? &choice : NULL;
  if (asked) add_form(f, s, asked, rows);
  for (int i = 0; i < mech_form_count(); i++) {
    if (f->count && !mech_to_read(s->system)->small) break;
    if (!mech_form_unsuited(mech_form_at(i), s->system, f->arena))
      add_form(f, s, mech_form_at(i), rows);
  }
  return true;
}

static void forms_free(forms* f)
{
  for (int i = 0; i < f->count; i++) mech_equations_free(f->at[i]);
  base_arena_free(f->arena);
}

// ---- the page -----------------------------------------------------------------------------------

typedef struct draft
{
  out_view view;
  const char* path; // null: what a page would hold is wanted as JSON
  base_text json;
  int code; // -1: not written yet
  // where the run goes, on the two coordinates of a surface, and how long that is there
  bool found;
  double low[2], high[2], length[2];
  const char* name[2];
} draft;

static const geom_embedding* surface_of(const out_geometry* g)
{
  const geom_embedding* e = g->embedding;
  return e && e->n == 2 && (e->N == 2 || e->N == 3) ? e : NULL;
}

static bool note_region(void* context, const out_geometry* g, base_notes* notes)
{
  (void)notes;
  draft* p = context;
  const geom_embedding* e = surface_of(g);
  p->found = e && g->at && g->at->at->regular && !e->s->chart;
  for (int k = 0; k < 2 && p->found; k++) {
    p->low[k] = e->low[k];
    p->high[k] = e->high[k];
    p->length[k] = (e->high[k] - e->low[k]) * sqrt(g->at->at->g[3 * k]);
    p->name[k] = e->s->m->coord[e->s->coord[k]].name;
  }
  return true;
}

static int deliver(draft* p, base_notes* notes)
{
  if (p->path) return out_view_write(&p->view, p->path, notes);
  out_view_json(&p->view, false, &p->json);
  return 0;
}

// a surface that does not hold the whole run is no picture of it
static bool write_page(void* context, const out_geometry* g, base_notes* notes)
{
  draft* p = context;
  p->view.embedding = surface_of(g);
  for (int k = 0; k < 2 && p->view.embedding; k++)
    if (p->view.embedding->low[k] > p->low[k] || p->view.embedding->high[k] < p->high[k])
      p->view.embedding = NULL;
  if (p->view.embedding) p->code = deliver(p, notes);
  p->view.embedding = NULL;
  return true;
}

// A surface to move on is looked for where two coordinates tell the place.
static bool may_have_surface(const model* m)
{
  int left = m->coords;
  for (int k = 0; k < m->constraints; k++)
    left -= m->constraint[k].order == 0 && !m->constraint[k].sense;
  return left == 2 && m->coords <= 4 && m->contacts == 0;
}

// where the run goes, made as wide as it is long, so that a surface is seen and not a ribbon
static char* wide_region(const draft* p)
{
  base_text t = {0};
  const double most = fmax(p->length[0], p->length[1]);
  for (int k = 0; k < 2; k++) {
    const double lack = 0.7 * most - p->length[k], span = p->high[k] - p->low[k];
    const double more = lack > 0 && p->length[k] > 0 ? span * lack / p->length[k] / 2 : 0;
    base_text_printf(&t, "%s%s=%.17g..%.17g", k ? ", " : "", p->name[k], p->low[k] - more,
                     p->high[k] + more);
  }
  return base_text_take(&t);
}

// the surface on a region as wide as long, else where the run goes, else none
static void write_with_surface(draft* p, zw_system* s, base_notes* notes)
{
  p->code = -1;
  zw_geometry_options o = zw_geometry_defaults();
  base_notes* quiet = base_notes_new();
  if (may_have_surface(s->model)) api_geometry(s, &o, note_region, p, quiet);
  if (p->found) {
    char* region = wide_region(p);
    o.region = region;
    api_geometry(s, &o, write_page, p, quiet);
    free(region);
    o.region = NULL;
    if (p->code != 0) api_geometry(s, &o, write_page, p, quiet);
  }
  base_notes_free(quiet);
  if (p->code != 0) p->code = deliver(p, notes);
}

static bool have_scenes(const zw_runs* r, base_notes* notes)
{
  bool fit = true;
  for (int i = 0; i < r->count && fit; i++) {
    fit = r->track[i]->scene != NULL;
    if (!fit)
      base_error(notes, BASE_NOWHERE, "a run for a moving picture needs the option `scene`");
  }
  return fit;
}

// of runs that have scenes; false where the form does not suit
static bool make(draft* p, const zw_runs* r, const char* form, bool motion_only, const char* live,
                 zw_notes* notes)
{
  zw_system* s = r->track[0]->system;
  const zw_model* m = s->source;
  forms f = {0};
  const bool suits = find_forms(&f, s, form, motion_only, notes->notes);
  if (suits) {
    const walk_track** track = base_arena_take(f.arena, sizeof *track * (size_t)r->count);
    model_scene** scene = base_arena_take(f.arena, sizeof *scene * (size_t)r->count);
    for (int i = 0; i < r->count; i++) {
      track[i] = r->track[i]->track;
      scene[i] = r->track[i]->scene;
    }
    const out_runs runs = {.count = r->count,
                           .track = track,
                           .varied = r->varied,
                           .value = r->value,
                           .notes = notes->notes};
    const char** name = base_arena_take(f.arena, sizeof *name * (size_t)(m->sources + 1));
    const char** text = base_arena_take(f.arena, sizeof *text * (size_t)(m->sources + 1));
    for (int i = 0; i < m->sources; i++) {
      name[i] = base_notes_source_name(m->notes, m->first_source + i);
      size_t length;
      text[i] = base_notes_source_text(m->notes, m->first_source + i, &length);
    }
    p->view = (out_view){.runs = &runs,
                         .scene = scene,
                         .system = s->system,
                         .forms = f.count,
                         .form = f.at,
                         .sources = m->sources,
                         .source_name = name,
                         .source_text = text,
                         .live = live,
                         .sets = m->set_count,
                         .set = (const char* const*)m->sets};
    if (motion_only)
      out_view_json(&p->view, true, &p->json);
    else
      write_with_surface(p, s, notes->notes);
  }
  forms_free(&f);
  return suits;
}

zw_status zw_view_write(const zw_runs* r, const zw_view_options* o, const char* path,
                        zw_notes* notes)
{
  API_ENTER_STATUS(notes, API_RUNS_OF(r), API_FIT(o, view_options), API_HAS(path));
  if (!have_scenes(r, notes->notes)) return ZW_BAD_INPUT;
  size_t length;
  char* live = o->live ? api_live_page(&length, notes->notes) : NULL;
  if (o->live && !live) return ZW_BAD_INPUT;
  draft p = {.path = path};
  const bool suits = make(&p, r, o->form, false, live, notes);
  free(live);
  return suits ? file_status(p.code) : ZW_BAD_INPUT;
}

char* zw_view_json(const zw_runs* r, const zw_view_options* o, bool motion_only, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_RUNS_OF(r), API_FIT(o, view_options));
  draft p = {0};
  if (!have_scenes(r, notes->notes) || !make(&p, r, o->form, motion_only, NULL, notes)) return NULL;
  return api_hand_out_text(base_text_take(&p.json));
}

// ---- film ---------------------------------------------------------------------------------------

zw_film_options zw_film_defaults(void)
{
  return (zw_film_options){
      .width = 960, .height = 540, .fps = 30, .frame = NAN, .cookie = film_cookie};
}

static bool go_on(void* options)
{
  const zw_film_options* o = options;
  base_call* call = base_call_leave();
  const bool wanted = o->go_on(o->context);
  base_call_return(call);
  return wanted;
}

zw_status zw_film_check(const char* path, zw_notes* notes)
{
  API_ENTER_STATUS(notes, API_HAS(path));
  return out_film_check(path, notes->notes) ? ZW_BAD_INPUT : ZW_OK;
}

zw_status zw_film_write(const char* page, const zw_film_options* o, const char* path,
                        zw_notes* notes)
{
  API_ENTER_STATUS(notes, API_HAS(page), API_FIT(o, film_options), API_HAS(path));
  const out_film f = {o->width,           o->height, o->fps, o->frame, o->go_on ? go_on : NULL,
                      (void*)(uintptr_t)o};
  const int code = out_film_write(page, &f, path, notes->notes);
  return code == 3 ? ZW_INTERRUPTED : file_status(code);
}
