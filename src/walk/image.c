// What a run goes on from, as bytes: engine, inequalities, happenings, track.
#include "walk/image.h"

#include "contact/contact.h"
#include "walk/losses.h"
#include "walk/moreau.h"
#include "walk/singular.h"

#include <string.h>

void walk_image_pass(walk_image* m, void* at, size_t bytes)
{
  if (m->out) {
    base_text_addn(m->out, at, bytes);
    return;
  }
  m->fits = m->fits && bytes <= m->left;
  if (!m->fits) return;
  memcpy(at, m->at, bytes);
  m->at += bytes;
  m->left -= bytes;
}

void walk_image_text(walk_image* m, base_arena* arena, const char** text)
{
  size_t length = m->out ? strlen(*text) : 0;
  WALK_IMAGE(m, length);
  if (m->out) {
    base_text_addn(m->out, *text, length);
    return;
  }
  m->fits = m->fits && length <= m->left;
  if (!m->fits) return;
  *text = base_arena_strndup(arena, m->at, length);
  m->at += length;
  m->left -= length;
}

// ---- engine -------------------------------------------------------------------------------------

static void pass_mode(walk_image* m, engine* e)
{
  engine_mode* o = &e->mode;
  WALK_IMAGE_ARRAY(m, o->held, e->program->modes.count);
  WALK_IMAGE_ARRAY(m, o->resting, e->program->modes.count);
  WALK_IMAGE_ARRAY(m, o->pressed, e->program->modes.count);
  WALK_IMAGE_ARRAY(m, o->twice, e->program->modes.count);
  WALK_IMAGE(m, o->twice_count);
  WALK_IMAGE(m, o->held_count);
  WALK_IMAGE(m, o->coupled);
  WALK_IMAGE_ARRAY(m, o->leads, e->m);
  WALK_IMAGE(m, o->curved);
  WALK_IMAGE(m, o->regime);
  WALK_IMAGE_ARRAY(m, o->active, e->m);
  WALK_IMAGE_ARRAY(m, o->implied, e->m);
  WALK_IMAGE_ARRAY(m, o->still, e->m);
  WALK_IMAGE(m, o->still_count);
  WALK_IMAGE_ARRAY(m, o->open_load, e->m);
  WALK_IMAGE(m, o->implied_count);
  WALK_IMAGE(m, o->rows);
  WALK_IMAGE_ARRAY(m, o->row, e->m);
  WALK_IMAGE(m, o->all_linear);
  WALK_IMAGE(m, o->ranked);
  WALK_IMAGE(m, o->second_order);
  WALK_IMAGE_ARRAY(m, o->ramp, e->p);
}

static void pass_scales(walk_image* m, engine* e)
{
  engine_scales* s = e->scales;
  double* list[] = {s->mass,        s->place,      s->speed, s->acceleration, s->place_terms,
                    s->speed_terms, s->rate_terms, s->like,  s->root,         s->inverse_root};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) WALK_IMAGE_ARRAY(m, list[i], e->n);
  WALK_IMAGE_ARRAY(m, s->seen, e->n);
  WALK_IMAGE_ARRAY(m, s->all, s->of.groups);
  WALK_IMAGE(m, s->massless);
  WALK_IMAGE(m, s->span);
}

static void pass_inequalities(walk_image* m, engine* e)
{
  contact_inequalities* u = e->unilateral;
  if (!u) return;
  bool* flags[] = {u->present, u->closed, u->joins,      u->low,
                   u->was,     u->starts, u->starts_was, u->gripped};
  double* numbers[] = {u->restitution, u->hop,    u->hop_speed, u->impulse,
                       u->alpha,       u->lambda, u->pressed,   u->pulled};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) WALK_IMAGE_ARRAY(m, flags[i], u->count);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    WALK_IMAGE_ARRAY(m, numbers[i], u->count);
  WALK_IMAGE_ARRAY(m, u->kick, e->m);
  WALK_IMAGE_ARRAY(m, u->change, u->count);
  WALK_IMAGE_ARRAY(m, u->hits, u->count);
  WALK_IMAGE_ARRAY(m, u->mode, u->count);
  WALK_IMAGE_ARRAY(m, u->mode_was, u->count);
  WALK_IMAGE_ARRAY(m, u->held_before, e->program->modes.count);
  WALK_IMAGE_ARRAY(m, u->link_present, u->links);
  WALK_IMAGE(m, u->gained);
  WALK_IMAGE(m, u->struck);
  WALK_IMAGE(m, u->starting);
  WALK_IMAGE(m, u->regime_was);
  WALK_IMAGE(m, u->theta);
  WALK_IMAGE(m, u->engaged);
}

// the branch that is followed, and the minima that were seen beside it
static void pass_curved(walk_image* m, engine* e)
{
  engine_curved* f = e->least;
  if (!f) return;
  double* by_row[] = {f->anchor_lambda, f->found_lambda, f->rival_lambda};
  for (size_t i = 0; i < sizeof by_row / sizeof *by_row; i++) WALK_IMAGE_ARRAY(m, by_row[i], e->m);
  WALK_IMAGE_ARRAY(m, f->anchor_a, e->n);
  WALK_IMAGE_ARRAY(m, f->rival_a, e->n);
  WALK_IMAGE(m, f->active);
  WALK_IMAGE_ARRAY(m, f->now, f->count);
  WALK_IMAGE(m, f->U);
  WALK_IMAGE(m, f->lost);
  WALK_IMAGE(m, f->late);
  WALK_IMAGE(m, f->looked);
  WALK_IMAGE_ARRAY(m, f->looked_at, f->count);
  WALK_IMAGE(m, f->minima);
  WALK_IMAGE(m, f->minimum);
  WALK_IMAGE(m, f->complete);
  WALK_IMAGE(m, f->continuum);
}

static void pass_surfaces(walk_image* m, engine* e)
{
  const int contacts = e->model->contacts;
  WALK_IMAGE_ARRAY(m, e->pull, contacts);
  WALK_IMAGE_ARRAY(m, e->push, contacts);
  WALK_IMAGE_ARRAY(m, e->shown, contacts);
  WALK_IMAGE_ARRAY(m, e->leaves, contacts);
  WALK_IMAGE_ARRAY(m, e->left, contacts);
}

void walk_image_engine(walk_image* m, engine* e)
{
  WALK_IMAGE_ARRAY(m, e->in, e->program->inputs);
  WALK_IMAGE_ARRAY(m, e->other_a, e->others);
  pass_mode(m, e);
  pass_scales(m, e);
  WALK_IMAGE_ARRAY(m, e->work.norm_seen, e->m);
  WALK_IMAGE_ARRAY(m, e->work.weight, e->n);
  WALK_IMAGE_ARRAY(m, e->work.mass, e->n);
  WALK_IMAGE_ARRAY(m, e->work.unit, e->n);
  pass_surfaces(m, e);
  pass_inequalities(m, e);
  pass_curved(m, e);
  if (e->sparse) WALK_IMAGE_ARRAY(m, e->sparse->use, e->m);
  if (e->sparse) WALK_IMAGE_ARRAY(m, e->sparse->lambda, e->m);
  WALK_IMAGE(m, e->ambiguous);
  WALK_IMAGE(m, e->evaluations);
  WALK_IMAGE(m, e->t_rest);
  WALK_IMAGE(m, e->rank);
  WALK_IMAGE(m, e->margin);
  e->factored = false;
  if (e->sparse) e->sparse->factored = false;
  for (int p = 0; p < e->parts; p++) walk_image_engine(m, e->part[p].e);
}

// ---- run ----------------------------------------------------------------------------------------

static void pass_track(walk_image* m, walk_track* t)
{
  walk_image_text(m, t->arena, &t->method_why);
  WALK_IMAGE(m, t->t_to);
  WALK_IMAGE(m, t->t_reached);
  WALK_IMAGE(m, t->restarts);
  WALK_IMAGE(m, t->impacts);
  WALK_IMAGE(m, t->basis_changes);
  WALK_IMAGE_ARRAY(m, t->residual, t->model->constraints);
  double* energy[] = {&t->energy_start,   &t->energy_end,   &t->energy_work,
                      &t->energy_balance, &t->energy_jumps, &t->energy_scale};
  for (size_t i = 0; i < sizeof energy / sizeof *energy; i++) WALK_IMAGE(m, *energy[i]);
  for (int i = 0; i < t->integrals; i++) {
    WALK_IMAGE(m, t->integral[i].start);
    WALK_IMAGE(m, t->integral[i].drift);
  }
}

static void pass_watchdog(walk_image* m, walk_watchdog* d)
{
  WALK_IMAGE_ARRAY(m, d->place, walk_watchdog_rows * d->n);
  WALK_IMAGE(m, d->t);
  WALK_IMAGE(m, d->count);
  WALK_IMAGE(m, d->looked);
  WALK_IMAGE(m, d->hopeless);
}

void walk_image_watch(walk_image* m, walk_job* r)
{
  walk_events* w = r->watch;
  for (int kind = 0; kind < WALK_KINDS; kind++)
    WALK_IMAGE_ARRAY(m, w->last[kind], walk_events_of(r->e, (walk_kind)kind));
  WALK_IMAGE_ARRAY(m, w->came, w->count);
  WALK_IMAGE_ARRAY(m, w->stands, w->count);
  WALK_IMAGE_ARRAY(m, w->freed, w->count);
  WALK_IMAGE_ARRAY(m, w->swing, r->e->program->modes.count);
  WALK_IMAGE(m, w->sides.at);
  WALK_IMAGE_ARRAY(m, w->sides.swept, w->sides.jumps);
  WALK_IMAGE_ARRAY(m, w->sides.held, w->sides.jumps);
  WALK_IMAGE_ARRAY(m, w->sides.mark, w->sides.jumps * w->contacts);
  WALK_IMAGE_ARRAY(m, w->sides.mean, w->sides.jumps * w->contacts);
  WALK_IMAGE_ARRAY(m, w->sides.before, w->sides.jumps * w->contacts);
  WALK_IMAGE_ARRAY(m, w->sides.stood, w->sides.jumps * w->contacts);
  WALK_IMAGE_ARRAY(m, w->rests, w->contacts);
  WALK_IMAGE(m, w->rest_next);
  WALK_IMAGE(m, w->astray);
  WALK_IMAGE(m, r->idle);
  WALK_IMAGE_ARRAY(m, r->approach, r->s->model->events);
  WALK_IMAGE(m, r->rapid);
  WALK_IMAGE(m, r->just_happened);
  WALK_IMAGE(m, r->pause);
  WALK_IMAGE(m, r->faster);
  pass_watchdog(m, &r->watchdog);
  pass_watchdog(m, &r->pace);
  if (!r->singular) return;
  WALK_IMAGE(m, r->singular->seen);
  WALK_IMAGE(m, r->singular->fastest);
  WALK_IMAGE(m, r->singular->worked);
  WALK_IMAGE_ARRAY(m, r->singular->rank->seen, r->e->m);
  WALK_IMAGE_ARRAY(m, r->singular->rank->over, r->e->m);
}

// how many there are; never more than the bytes that are left hold
static int pass_count(walk_image* m, int count)
{
  WALK_IMAGE(m, count);
  m->fits = m->fits && (m->out || (count >= 0 && (size_t)count <= m->left));
  return m->fits ? count : 0;
}

// forces and impulses of the last step, which rows show and the next begins with
static void pass_moreau(walk_image* m, walk_moreau* s)
{
  if (!s) return;
  double* vectors[] = {s->q, s->v, s->q_end, s->v_end, s->a};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    WALK_IMAGE_ARRAY(m, vectors[i], s->n);
  WALK_IMAGE_ARRAY(m, s->lambda, s->m);
  WALK_IMAGE_ARRAY(m, s->x_kept, walk_moreau_first_touch(s));
  WALK_IMAGE_ARRAY(m, s->dry_side, s->dries);
  WALK_IMAGE_ARRAY(m, s->lost, s->e->model->tells);
  WALK_IMAGE(m, s->t);
  WALK_IMAGE(m, s->h);
  WALK_IMAGE(m, s->speed);
  WALK_IMAGE(m, s->solved);
  WALK_IMAGE(m, s->sweeps);
  WALK_IMAGE(m, s->turns);
  WALK_IMAGE(m, s->most_rows);
  WALK_IMAGE(m, s->worst_fault);
  WALK_IMAGE(m, s->broken);
  WALK_IMAGE(m, s->unsolved);
  WALK_IMAGE(m, s->halved);
  WALK_IMAGE(m, s->halving);
  WALK_IMAGE(m, s->overlap);
  WALK_IMAGE(m, s->rest);
  WALK_IMAGE(m, s->most_unpaid);
  walk_moreau_touch_room(s, pass_count(m, s->touches.places));
  WALK_IMAGE_ARRAY(m, s->touches.id, s->touches.places);
  WALK_IMAGE_ARRAY(m, s->touches.kept, CONE_TOUCH_ROWS * s->touches.places);
}

static void pass_delays(walk_image* m, engine_delays* d)
{
  if (!d) return;
  const int segments = pass_count(m, d->segment.n), pieces = pass_count(m, d->piece.n),
            terms = pass_count(m, d->term.n);
  m->fits = m->fits && terms == pieces * d->count * engine_delay_terms;
  if (!m->fits) return;
  if (!m->out) {
    d->segment.n = d->piece.n = d->term.n = 0;
    for (int i = 0; i < segments; i++) base_push(&d->segment, (engine_delay_segment){0});
    for (int i = 0; i < pieces; i++) base_push(&d->piece, (engine_delay_piece){0});
    for (int i = 0; i < terms; i++) base_push(&d->term, 0);
  }
  WALK_IMAGE_ARRAY(m, d->segment.at, segments);
  WALK_IMAGE_ARRAY(m, d->piece.at, pieces);
  WALK_IMAGE_ARRAY(m, d->term.at, terms);
  WALK_IMAGE_ARRAY(m, d->reads, d->count);
}

void walk_image_decision(walk_image* m, walk_job* r)
{
  walk_losses_image(m, r);
  walk_image_watch(m, r);
  walk_image_engine(m, r->e);
}

void walk_image_job(walk_image* m, walk_job* r)
{
  WALK_IMAGE(m, r->t_end);
  WALK_IMAGE(m, r->stage);
  WALK_IMAGE(m, r->stage_until);
  WALK_IMAGE(m, r->sample_next);
  WALK_IMAGE_ARRAY(m, r->sample, r->s->model->events);
  WALK_IMAGE(m, r->open_time);
  WALK_IMAGE(m, r->start);
  WALK_IMAGE(m, r->jumps);
  WALK_IMAGE(m, r->turns);
  WALK_IMAGE(m, r->checkpoint);
  WALK_IMAGE(m, r->usual_step);
  WALK_IMAGE(m, r->fineness);
  WALK_IMAGE(m, r->just_changed);
  WALK_IMAGE(m, r->changed_at);
  WALK_IMAGE(m, r->changed_value);
  WALK_IMAGE(m, r->told_ambiguous);
  WALK_IMAGE(m, r->told_gained);
  WALK_IMAGE(m, r->told_stage);
  WALK_IMAGE_ARRAY(m, r->integral, r->track->integrals);
  walk_losses_image(m, r);
  WALK_IMAGE(m, r->record->due);
  WALK_IMAGE(m, r->record->curve_rows);
  pass_track(m, r->track);
  walk_image_watch(m, r);
  pass_moreau(m, r->moreau);
  pass_delays(m, r->e->delays);
  walk_image_engine(m, r->e);
}
