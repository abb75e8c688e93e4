// Energies that jump where the motion passes: refused, as no finite force leads over them.
#include "walk/energy_jumps.h"

#include <math.h>
#include <stdio.h>

// H, T and V, and behind them the momenta, at the engine's state and sides
void walk_energy_read(engine* e, double* out)
{
  double energy[engine_energies];
  code_run(e->program->energy, e->in, energy, e->work.scratch);
  out[0] = energy[0];
  out[1] = energy[1];
  out[2] = energy[3];
  code_run(e->program->momenta, e->in, out + 3, e->work.scratch);
}

// what jumps, with its statement where one is known
static int refuse_jump(walk_job* r, const walk_found* found, int count, bool kinetic, double by)
{
  engine* e = r->e;
  const char* statement = "";
  for (int i = 0; i < count; i++) {
    if (found[i].kind != WALK_CORNER) continue;
    const char* text =
        base_notes_quote(r->notes, e->program->modes.place[found[i].index], e->arena);
    if (*text) statement = base_arena_printf(e->arena, " (`%.50s`)", text);
  }
  snprintf(
      e->reason, sizeof e->reason,
      "the %s energy%s jumps there by %.3g, with no finite force: smooth it, %slet an event set "
      "a param in its place",
      kinetic ? "kinetic" : "potential", statement, by,
      kinetic ? "or " : "make it a wall (an inequality), or ");
  return 1;
}

// Where an energy jumps with the state the force would be without bound, and where the kinetic one
// does with time the velocities would have to jump. A potential that jumps with time alone leaves
// the motion as it is: what it gives is work from outside.
int walk_energy_leaps(walk_job* r, const walk_found* found, int count, const double* before,
                      const double* after)
{
  const engine* e = r->e;
  const double scale = fmax(r->track->energy_scale, fmax(fabs(before[1]), fabs(after[1])));
  const double allowed = engine_energy_jump * scale, T = after[1] - before[1],
               V = after[2] - before[2];
  double kick = 0;
  bool outside = true;
  for (int i = 0; i < count; i++)
    outside =
        outside && (found[i].kind != WALK_CORNER || e->program->modes.outside[found[i].index]);
  for (int i = 0; i < e->n; i++)
    kick =
        fmax(kick, fabs(after[3 + i] - before[3 + i]) * fmax(e->scales->speed[i], fabs(e->v[i])));
  // what a change of the momenta would be worth at the velocities of the run
  const bool kicked = kick > allowed;
  if (kicked || (!outside && fabs(T) > allowed)) return refuse_jump(r, found, count, true, T);
  if (!outside && fabs(V) > allowed) return refuse_jump(r, found, count, false, V);
  r->jumps += after[0] - before[0];
  return 0;
}
