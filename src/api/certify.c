// Proved ends of runs. The room that proves needs Arb; it is a module that is opened when asked
// for.
#include "certify/certify.h"
#include "api/api.h"

#include <dlfcn.h>
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { usual_digits = 18, most_digits = 1000 };
#define MODULE_FILE "zwang-certify.so"

// of a track
struct zw_certificate
{
  api_object object;
  const certify_module* module;
  certify_end* end;
  const char** name; // 2n, of the system's pool
  double* off;
};

// ---- the module ---------------------------------------------------------------------------------

static void* open_in(const char* folder, const char* below)
{
  base_text path = {0};
  base_text_printf(&path, "%s%s/" MODULE_FILE, folder, below);
  void* opened = dlopen(path.at, RTLD_NOW | RTLD_LOCAL);
  base_text_free(&path);
  return opened;
}

// where the surroundings say; beside the program or the library, where the build leaves it; where
// it was installed
static void* open_module(void)
{
  const char* said = getenv("ZWANG_MODULES");
  if (said) return open_in(said, "");
  char self[4096] = "";
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  Dl_info here;
  void* opened = n > 0 ? open_in(dirname(self), "/src/certify") : NULL;
  if (!opened && dladdr((void*)(uintptr_t)zw_certify, &here) && here.dli_fname) {
    char* file = base_strdup(here.dli_fname);
    opened = open_in(dirname(file), "/src/certify");
    free(file);
  }
  return opened ? opened : open_in(ZWANG_MODULES, "");
}

static const certify_module* find_module(base_notes* notes)
{
  void* opened = open_module();
  const certify_module* table = opened ? dlsym(opened, CERTIFY_MODULE) : NULL;
  if (table && !strcmp(table->version, ZWANG_VERSION)) return table;
  base_error(notes, BASE_NOWHERE, "nothing can be proved: zwang was built without Arb");
  base_help(notes, "install libflint-arb-dev and build again");
  return NULL;
}

// ---- the proof ----------------------------------------------------------------------------------

// A table may have rows elsewhere than at the start and the end, which are what a proof is about.
static bool has_ends(const zw_track* t, base_notes* notes)
{
  const int rows = zw_track_rows(t), column = zw_track_column(t, "t");
  if (rows > 0 && column >= 0 && zw_track_value(t, 0, column) == t->track->t_from &&
      zw_track_value(t, rows - 1, column) == t->track->t_reached)
    return true;
  base_error(notes, BASE_NOWHERE,
             "nothing is proved without rows at the start and at the end of the run");
  base_help(notes, "leave --at and --every out, or let them meet both");
  return false;
}

// rows hold q and v under their names
static bool read_state(const zw_track* t, int row, double* y)
{
  const mech_system* s = t->system->system;
  for (int i = 0; i < 2 * s->n; i++) {
    const expr symbol = i < s->n ? s->q[i] : s->v[i - s->n];
    const int column = zw_track_column(t, expr_name(s->pool, symbol));
    if (column < 0) return false;
    y[i] = zw_track_value(t, row, column);
  }
  return true;
}

static const char* value_of(const zw_certificate* c, int i)
{
  const certify_end* e = c->end;
  return i < e->n ? e->q[i] : e->v[i - e->n];
}

static double error_of(const zw_certificate* c, int i)
{
  const certify_end* e = c->end;
  return i < e->n ? e->q_error[i] : e->v_error[i - e->n];
}

static zw_certificate* keep(const certify_module* module, certify_end* end, const zw_track* t,
                            const double* last)
{
  const mech_system* s = t->system->system;
  zw_certificate* c = api_object_new(API_CERTIFICATE, sizeof *c, (zw_track*)t, NULL);
  c->module = module;
  c->end = end;
  c->name = base_alloc(sizeof(char*) * (size_t)(2 * s->n + 1));
  c->off = base_alloc(sizeof(double) * (size_t)(2 * s->n + 1));
  for (int i = 0; i < 2 * s->n; i++) {
    c->name[i] = expr_name(s->pool, i < s->n ? s->q[i] : s->v[i - s->n]);
    // the nearest double of the decimals is half its last place away from them
    const double value = atof(value_of(c, i));
    c->off[i] = fabs(value - last[i]) + fabs(value) * 0x1p-53 + error_of(c, i);
  }
  return c;
}

typedef struct watcher
{
  bool (*progress)(void* context, const zw_progress* p);
  void* context;
} watcher;

static bool pass_progress(void* context, const certify_progress* p)
{
  const watcher* w = context;
  const zw_progress out = {
      .t = p->t, .t_from = p->t_from, .t_to = p->t_to, .step = p->step, .steps = p->steps};
  base_call* call = base_call_leave();
  const bool goes_on = w->progress(w->context, &out);
  base_call_return(call);
  return goes_on;
}

zw_certificate* zw_certify(const zw_track* t, int digits, zw_notes* notes)
{
  return zw_certify_watched(t, digits, NULL, NULL, notes);
}

zw_certificate* zw_certify_watched(const zw_track* t, int digits,
                                   bool (*progress)(void* context, const zw_progress* p),
                                   void* context, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(TRACK, t));
  if (digits < 0 || digits > most_digits) {
    base_error(notes->notes, BASE_NOWHERE, "from 1 to %d digits can be proved", most_digits);
    return NULL;
  }
  if (t->track->status != WALK_DONE) {
    base_error(notes->notes, BASE_NOWHERE, "nothing is proved of a run that was not finished");
    return NULL;
  }
  if (!has_ends(t, notes->notes)) return NULL;
  const certify_module* module = find_module(notes->notes);
  if (!module) return NULL;
  mech_system* s = t->system->system;
  double* y = base_alloc(sizeof(double) * (size_t)(4 * s->n + 1));
  zw_certificate* out = NULL;
  if (read_state(t, 0, y) && read_state(t, zw_track_rows(t) - 1, y + 2 * s->n)) {
    const certify_request r = {.q = y,
                               .v = y + s->n,
                               .until = t->track->t_reached,
                               .digits = digits ? digits : usual_digits,
                               .proves = true,
                               .progress = progress ? pass_progress : NULL,
                               .context = &(watcher){progress, context}};
    const certify_memory memory = {base_foreign_alloc, base_foreign_realloc, base_foreign_free};
    module->begin(&call_.base, &memory, notes->notes);
    certify_system* c = module->system_new(s, notes->notes);
    certify_end* end = c ? module->run(c, &r, notes->notes) : NULL;
    module->system_free(c);
    module->end();
    if (end) out = keep(module, end, t, y + 2 * s->n);
  }
  free(y);
  return api_hand_out(out);
}

void api_certificate_clear(void* certificate)
{
  zw_certificate* c = certificate;
  c->module->end_free(c->end);
  free(c->name);
  free(c->off);
}

void zw_certificate_free(zw_certificate* c)
{
  if (api_take_back(API_CERTIFICATE, c)) api_object_drop(c);
}

// ---- what it says -------------------------------------------------------------------------------

static bool has(const zw_certificate* c, int i)
{
  return api_is_alive(API_CERTIFICATE, c) && i >= 0 && i < 2 * c->end->n;
}

int zw_certificate_count(const zw_certificate* c)
{
  API_ENTER_QUIET(0, CERTIFICATE, c);
  return 2 * c->end->n;
}

const char* zw_certificate_name(const zw_certificate* c, int i)
{
  return has(c, i) ? c->name[i] : NULL;
}

const char* zw_certificate_value(const zw_certificate* c, int i)
{
  return has(c, i) ? value_of(c, i) : NULL;
}

double zw_certificate_error(const zw_certificate* c, int i)
{
  return has(c, i) ? error_of(c, i) : NAN;
}

double zw_certificate_off(const zw_certificate* c, int i)
{
  return has(c, i) ? c->off[i] : NAN;
}

double zw_certificate_drift(const zw_certificate* c)
{
  API_ENTER_QUIET(NAN, CERTIFICATE, c);
  return c->end->drift;
}

char* zw_certificate_text(const zw_certificate* c)
{
  API_ENTER_ALONE(NULL, API_READ(CERTIFICATE, c));
  const certify_end* e = c->end;
  base_text text = {0};
  base_text_printf(&text, "proved at t = ");
  base_text_double(&text, e->until);
  base_text_printf(&text, " (%d steps in %d bits, enclosed to %.1e):\n", e->steps, e->bits,
                   e->width);
  for (int i = 0; i < 2 * e->n; i++)
    base_text_printf(&text, "  %s = %s +- %.1e, the run is off by at most %.1e\n", c->name[i],
                     value_of(c, i), error_of(c, i), c->off[i]);
  base_text_printf(&text, "  constraints differ from zero by at most %.1e\n", e->drift);
  return api_hand_out_text(base_text_take(&text));
}
