// Words and small numbers that several writers say about a track.
#include "out/names.h"

#include <assert.h>

const char* out_stage_name(const walk_track* t, int row)
{
  int stage = t->table.stage ? t->table.stage[row] : -1;
  assert(stage < t->model->stages);
  return stage < 0 ? "" : t->model->stage[stage].name;
}

const char* out_event_name(const walk_track* t, int row)
{
  int event = t->table.event ? t->table.event[row] : -1;
  assert(event < t->model->events && -2 - event < t->happenings);
  if (event < -1) return walk_happening_name(t, &t->happening[-2 - event]);
  return event < 0 ? "" : t->model->event[event].name;
}

const char* out_status_word(walk_status s)
{
  static const char* const words[] = {"done", "stopped", "interrupted", "unfinished"};
  assert((size_t)s < sizeof words / sizeof *words);
  return words[s];
}

const char* out_direction_word(int direction)
{
  return direction > 0 ? "rising" : direction < 0 ? "falling" : "touching";
}

const char* out_truth_word(expr_truth t)
{
  return t == EXPR_YES ? "yes" : t == EXPR_NO ? "no" : "unknown";
}

double out_energy_relative(const walk_track* t)
{
  if (t->energy_scale > 0) return fabs(t->energy_balance) / t->energy_scale;
  return t->energy_balance == 0 ? 0 : NAN;
}

bool out_has_events(const walk_track* t)
{
  bool some = t->model->events > t->model->silent;
  for (int k = 0; k < t->model->constraints && !some; k++)
    some = t->model->constraint[k].sense ||
           (t->model->constraint[k].order == 2 && !t->model->constraint[k].linear);
  for (int i = 0; i < t->model->contacts && !some; i++)
    some = t->model->contact[i].pull == MODEL_PULL_RELEASES;
  return some;
}
