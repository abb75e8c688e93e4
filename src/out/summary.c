// The short summary of a run, for people: what ran, how far, how well.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "out/names.h"
#include "out/out.h"
#include "out/text.h"

enum {
  EVENTS_SHOWN = 10,
  GUESSES_SHOWN = 6,
  CONSTRAINTS_SHOWN = 20,
  STATE_SHOWN = 16,
  KEY_WIDTH = 13,
  LINE_WIDTH = 100
};

static void key(base_text* out, const char* word)
{
  base_text_printf(out, "  %-*s", KEY_WIDTH, word);
}

static void pair(base_text* out, const char* word, double x, int digits)
{
  base_text_printf(out, "%s ", word);
  out_text_number(out, x, digits);
}

static void write_counts(const walk_track* t, base_text* out)
{
  const step_counts* c = &t->counts;
  key(out, "method");
  base_text_printf(out, "%s, ", t->method ? t->method : "-");
  if (c->order) base_text_printf(out, "order %d, ", c->order);
  base_text_printf(out, "tolerance %g", t->tolerance);
  if (t->method_why) base_text_printf(out, " (%s)", t->method_why);
  base_text_add(out, "\n");
  key(out, "time");
  base_text_printf(out, "%.10g .. %.10g", t->t_from, t->t_to);
  if (t->t_reached != t->t_to) base_text_printf(out, ", reached %.10g", t->t_reached);
  base_text_printf(out, ", %d row%s\n", t->table.rows, t->table.rows == 1 ? "" : "s");
  key(out, "steps");
  base_text_printf(out, "%ld (%ld rejected), %ld evaluations\n", c->steps, c->rejected,
                   c->evaluations);
  if (t->impacts > 0) {
    key(out, "impacts");
    base_text_printf(out, "%ld\n", t->impacts);
  }
  if (t->restarts > 0) {
    key(out, "restarts");
    base_text_printf(out, "%d", t->restarts);
    if (t->basis_changes > 0)
      base_text_printf(out, ", %d of them new choices of quasi-velocities", t->basis_changes);
    base_text_add(out, "\n");
  }
}

static void write_energy(const walk_track* t, base_text* out)
{
  if (isnan(t->energy_start) || t->model->mechanism) return;
  key(out, "energy");
  pair(out, "start", t->energy_start, 9);
  pair(out, ", end", t->energy_end, 9);
  pair(out, ", work", t->energy_work, 9);
  base_text_add(out, "\n");
  key(out, "balance");
  out_text_number(out, t->energy_balance, 3);
  base_text_add(out, " = change - work");
  double relative = out_energy_relative(t);
  if (!isnan(relative)) base_text_printf(out, " (%.2g of the largest energy)", relative);
  base_text_add(out, "\n");
}

static void write_laws(const walk_track* t, base_text* out)
{
  const walk_laws* l = &t->laws;
  if (!l->problems) return;
  key(out, "contacts");
  base_text_printf(out, "up to %ld rows a step, laws met to %.2g", l->rows, l->fault);
  if (l->unsolved) base_text_printf(out, ", in %ld steps not to 1e-9", l->unsolved);
  if (l->halved) base_text_printf(out, ", %ld steps halved", l->halved);
  if (l->overlap > 0) base_text_printf(out, ", shapes overlap by %.2g", l->overlap);
  if (!isnan(l->rest)) base_text_printf(out, ", all at rest from t = %.6g s on", l->rest);
  base_text_add(out, "\n");
}

static void write_digits(const walk_track* t, base_text* out)
{
  const walk_digits* d = &t->digits;
  if (!d->asked) return;
  key(out, "digits");
  if (isnan(d->good)) {
    base_text_printf(out, "not known: %s\n", d->why);
    return;
  }
  base_text_printf(out, "%d of the end state are good", (int)d->good);
  if (d->column >= 0) {
    base_text_add(out, ", least of ");
    out_text_plain(out, t->column[d->column]);
  }
  base_text_add(out, "\n");
}

static void write_integrals(const walk_track* t, base_text* out)
{
  for (int i = 0; i < t->integrals; i++) {
    key(out, i == 0 ? "integrals" : "");
    out_text_plain(out, t->integral[i].name);
    pair(out, " =", t->integral[i].start, 9);
    base_text_printf(out, ", drift %.2g\n", t->integral[i].drift);
  }
}

static void write_residuals(const walk_track* t, base_text* out)
{
  int n = t->residual ? t->model->constraints : 0;
  // what holds friction at rest belongs to its contact, and stands behind all that was written
  while (n > 0 && t->model->constraint[n - 1].sticks) n--;
  if (n == 0) return;
  int width = 10;
  int shown = n < CONSTRAINTS_SHOWN ? n : CONSTRAINTS_SHOWN;
  for (int i = 0; i < shown; i++) {
    int columns = out_text_columns(t->model->constraint[i].name);
    if (columns > width) width = columns < 30 ? columns : 30;
  }
  key(out, "residuals");
  bool second = false;
  for (int i = 0; i < n; i++) second = second || !isnan(t->residual[i].acceleration);
  base_text_printf(out, "%-*s  %-10s  %s%s\n", width, "constraint", "position", "velocity",
                   second ? "    acceleration" : "");
  walk_residual rest = {NAN, NAN, NAN};
  for (int i = 0; i < n; i++) {
    const walk_residual* r = &t->residual[i];
    if (i >= shown) {
      rest.position = fmax(rest.position, r->position);
      rest.velocity = fmax(rest.velocity, r->velocity);
      rest.acceleration = fmax(rest.acceleration, r->acceleration);
      if (i < n - 1) continue;
      r = &rest;
    }
    key(out, "");
    out_text_pad(out, i < shown ? t->model->constraint[i].name : "all others", width);
    base_text p = {0};
    out_text_number(&p, r->position, 3);
    base_text_printf(out, "  %-10s  ", p.at);
    base_text_free(&p);
    base_text v = {0};
    out_text_number(&v, r->velocity, 3);
    base_text_printf(out, second ? "%-10s  " : "%s", v.at);
    base_text_free(&v);
    if (second) out_text_number(out, r->acceleration, 3);
    base_text_add(out, "\n");
  }
}

static void write_events(const walk_track* t, base_text* out)
{
  for (int i = 0; i < t->happenings && i < EVENTS_SHOWN; i++) {
    const walk_happening* h = &t->happening[i];
    key(out, i == 0 ? "events" : "");
    out_text_plain(out, walk_happening_name(t, h));
    base_text_printf(out, " at t = %.12g", h->t);
    // what zwang reports by itself has a name that says it all
    if (!h->name) base_text_printf(out, ", %s", out_direction_word(h->direction));
    base_text_add(out, "\n");
  }
  if (t->happenings > EVENTS_SHOWN) {
    key(out, "");
    base_text_printf(out, "and %d more\n", t->happenings - EVENTS_SHOWN);
  }
}

// places and speeds in the last row, where that is the end of the run
static void write_end(const walk_track* t, base_text* out)
{
  const int count = t->model->places + t->model->coords, last = t->table.rows - 1;
  if (last < 0 || count < 1) return;
  const double* row = t->table.value + (size_t)last * (size_t)t->table.width;
  if (row[0] != t->t_reached) return;
  key(out, "end");
  int at = KEY_WIDTH;
  base_text one = {0};
  for (int i = 1; i <= count && i <= STATE_SHOWN; i++) {
    one.n = 0;
    out_text_plain(&one, t->column[i]);
    base_text_add(&one, " = ");
    out_text_number(&one, row[i], 9);
    const bool more = i < count;
    const int wide = out_text_columns(one.at) + more;
    if (at > KEY_WIDTH && at + 1 + wide > LINE_WIDTH) {
      base_text_add(out, "\n");
      key(out, "");
      at = KEY_WIDTH;
    }
    base_text_printf(out, "%s%s%s", at > KEY_WIDTH ? " " : "", one.at, more ? "," : "");
    at += (at > KEY_WIDTH) + wide;
  }
  base_text_free(&one);
  if (count > STATE_SHOWN) base_text_printf(out, " and %d more", count - STATE_SHOWN);
  base_text_add(out, "\n");
}

// Does no row differ from the first, all speeds being zero? Somebody forgot something, or wanted
// it.
static void write_rest(const walk_track* t, base_text* out)
{
  const model* m = t->model;
  if (t->table.rows < 2 || t->happenings || m->mechanism || m->places < 1) return;
  const double* first = t->table.value;
  for (int r = 0; r < t->table.rows; r++) {
    const double* row = first + (size_t)r * (size_t)t->table.width;
    for (int i = 1; i <= m->places + m->coords; i++)
      if (row[i] != first[i] || (i > m->places && row[i] != 0)) return;
  }
  key(out, "hint");
  base_text_printf(out,
                   "nothing moves: it starts at rest where forces balance; give it a speed, as by "
                   "`initial %s' = 1`, or start it elsewhere\n",
                   m->coord[0].name);
}

static void write_guesses(const walk_track* t, base_text* out)
{
  const walk_guesses* g = &t->guesses;
  if (!g->count) return;
  key(out, "guesses");
  for (int i = 0; i < g->count && i < GUESSES_SHOWN; i++) {
    base_text_add(out, i ? ", " : "");
    out_text_plain(out, g->at[i].text);
    base_text_printf(out, "%s by %.3g", i ? "" : " moved", g->at[i].moved);
  }
  if (g->count > GUESSES_SHOWN) base_text_printf(out, " and %d more", g->count - GUESSES_SHOWN);
  base_text_add(out, "\n");
}

static void write_redundant(const walk_track* t, base_text* out)
{
  if (t->redundant == 0) return;
  key(out, "redundant");
  for (int i = 0; i < t->redundant; i++) {
    assert(t->redundant_row[i] >= 0 && t->redundant_row[i] < t->model->constraints);
    if (i > 0) base_text_add(out, ", ");
    out_text_plain(out, t->model->constraint[t->redundant_row[i]].name);
  }
  base_text_add(out,
                t->redundant == 1 ? " (depends on the others)\n" : " (depend on the others)\n");
}

void out_summary(const walk_track* t, base_text* out)
{
  out_text_plain(out, t->model->title[0] ? t->model->title : "run");
  base_text_add(out, "\n");
  write_counts(t, out);
  write_digits(t, out);
  write_energy(t, out);
  write_laws(t, out);
  write_integrals(t, out);
  write_residuals(t, out);
  write_redundant(t, out);
  write_guesses(t, out);
  write_rest(t, out);
  write_events(t, out);
  write_end(t, out);
  key(out, "status");
  base_text_add(out, out_status_word(t->status));
  if (t->reason && t->reason[0]) {
    base_text_add(out, ": ");
    out_text_plain(out, t->reason);
  }
  if (t->doubt && t->doubt[0]) base_text_add(out, ", not to be trusted");
  if (t->seconds < 0.0995) // 100 would be printed as 1e+02
    base_text_printf(out, ", %.2g ms\n", t->seconds * 1e3);
  else
    base_text_printf(out, ", %.3g s\n", t->seconds);
}
