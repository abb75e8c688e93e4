// Contacts of surfaces that can let go and land: their gap is an inequality like any other, with
// the impacts, the friction and the decisions of those (docs/rolling.md).
//   gap   N.(d - y) >= 0           with the restitution of the contact
//   roll  slip1 = slip2 = 0        equations that hold while it touches
//   slide friction in the cone mu N, sticking by the equations that hold the slip
//   roll  rolling friction: the same with the turning along the surface and the moment k N
// One such cone is taken for each contact. Pivoting friction, and rolling friction of what slides,
// have moments in an impact that are not modelled: a contact that has such friction, and all
// contacts that have to do with one, are left to walk/leaving.c.

#include "model/roll.h"

#include <string.h>

bool model_roll_can_part(const lang_statement* st)
{
  return st->restitution || (st->pull.text && st->pull.text[0] == 'r');
}

// does its dry friction need more than a cone at a contact that lands?
static bool rubs_otherwise(const lang_statement* st)
{
  if (st->rub[LANG_RUB_PIVOTING][0] || st->patch) return true;
  if (st->rub[LANG_RUB_ROLLING][0] && st->kind == LANG_SLIDE) return true;
  return (st->rub[LANG_RUB_SLIP][0] || st->rub[LANG_RUB_ROLLING][0]) && !model_roll_can_part(st);
}

static const model_entry* other_friction(const model_scope* s, const lang_statement* own)
{
  for (int i = 0; i < s->entries.n; i++) {
    const model_entry* e = s->entries.at[i];
    const lang_statement* st = e->statement;
    if (!st || e->made || (st->kind != LANG_ROLL && st->kind != LANG_SLIDE)) continue;
    if (rubs_otherwise(st) && (st == own || !model_is_beside(s, own, st))) return e;
  }
  return NULL;
}

bool model_roll_read_landing(model_touch* c)
{
  model_scope* s = c->s;
  const lang_statement* st = c->e->statement;
  c->lands = model_roll_can_part(st);
  if (!c->lands) return true;
  if (st->pull.text && st->pull.text[0] == 'h') {
    base_error(s->notes, st->pull.place, "what holds never lands: it has no restitution");
    return false;
  }
  const model_entry* other = other_friction(s, st);
  c->lands = !other;
  if (other && st->restitution) {
    base_error(
        s->notes, st->restitution->place,
        "impacts are not modelled beside friction against pivoting, against the rolling of what "
        "slides, or of a contact that cannot let go");
    base_help(s->notes,
              "that of `%s`; leave the restitution away, or that friction; "
              "contacts between shapes have both: contact NAME: A as sphere(r), B as plane",
              other->name);
    return false;
  }
  return true;
}

bool model_roll_land(model_touch* c, model_contact* out)
{
  model_scope* s = c->s;
  out->lands = c->lands;
  if (!c->lands) return true;
  model_constraint* gap = &s->m->constraint[out->gap];
  if (!model_constraint_impact(s, c->e->statement, gap)) return false;
  gap->sense = 1;
  for (int k = 1; k < c->e->parts; k++) s->m->constraint[c->e->part_index[k]].during = 1 + out->gap;
  const model_grip* grip = &out->grip[out->rolls ? LANG_RUB_ROLLING : LANG_RUB_SLIP];
  if (!grip->rows) return true;
  gap->friction = grip->mu;
  gap->pressure = expr_int(s->pool, 1);
  gap->slips = grip->rows;
  for (int k = 0; k < grip->rows; k++) {
    model_constraint* stick = &s->m->constraint[grip->stick[k]];
    gap->slip[k] = stick->f;
    gap->stretch[k] = grip->stretch[k];
    gap->stick[k] = grip->stick[k];
    stick->sticks = stick->internal = true;
  }
  return true;
}
