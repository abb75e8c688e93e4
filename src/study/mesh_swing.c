// How far coordinates swing along a motion on a mesh.
//
// Between its nodes a motion is known to fewer digits than where intervals start: there the method
// converges twice as fast (de Boor, Swartz, SIAM J. Numer. Anal. 10 (1973), 582). A greatest value
// is therefore found on an interval of its own, from the start of the one around to where the
// velocity vanishes: with Gauss's nodes there, accelerations go through the equations of motion
// until they stay (Picard's iteration), from those of the mesh.
#include "study/mesh.h"

#include "study/swing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { m = study_mesh_degree, peak_turns = 5, most_rounds = 20 };
static const double level = 1e-9;  // of an interval: what greatest values are found to
static const double stays = 1e-15; // accelerations, of the largest of them

// The state where the interval of its own ends, h long from interval i's start, with accelerations
// a at its nodes (m by n); at node j of it where that is not -1
static void end_of(const study_mesh* w, int i, double h, const double* a, int j, double* x)
{
  const int n = w->n;
  const double* from = w->now.x + i * w->N;
  const double far = j < 0 ? h : h * w->g.c[j];
  const double *once = j < 0 ? w->g.b : w->g.A[j], *twice = j < 0 ? w->g.b2 : w->g.A2[j];
  for (int c = 0; c < n; c++) {
    x[c] = from[c] + far * from[n + c];
    x[n + c] = from[n + c];
    for (int k = 0; k < m; k++) {
      x[c] += h * h * twice[k] * a[k * n + c];
      x[n + c] += h * once[k] * a[k * n + c];
    }
  }
}

// the state x at the share s of the period, in interval i, and the coordinate c of it, about level
// there
static double exactly(const study_mesh* w, int i, int c, double s, double* x)
{
  const study_profile* p = &w->now;
  engine* e = w->l->e;
  const int n = w->n;
  const double T = p->u[w->N], h = T * (s - p->knot[i]);
  double* a = base_alloc(sizeof(double) * (size_t)(m * n + 1));
  for (int j = 0; j < m; j++)
    study_profile_at(w, p, i, p->knot[i] + (s - p->knot[i]) * w->g.c[j], NULL, a + j * n);
  bool fine = true;
  double off = INFINITY, size = 0;
  for (int turn = 0; turn < most_rounds && fine && off > stays * size; turn++) {
    off = size = 0;
    for (int j = 0; j < m && fine; j++) {
      end_of(w, i, h, a, j, x);
      engine_state(e, w->t + T * p->knot[i] + h * w->g.c[j], x, x + n);
      e->factored = false;
      fine = !contact_accelerations(e);
      for (int k = 0; k < n && fine; k++) {
        off = fmax(off, fabs(e->a[k] - a[j * n + k]));
        size = fmax(size, fabs(e->a[k]));
        a[j * n + k] = e->a[k];
      }
    }
  }
  if (fine) end_of(w, i, h, a, -1, x);
  if (!fine) study_profile_at(w, p, i, s, x, NULL);
  free(a);
  return x[c];
}

// does a velocity change its sign?
static bool turns(double before, double behind)
{
  return (before > 0 && behind <= 0) || (before < 0 && behind >= 0);
}

// The coordinate c where its velocity goes through zero, about the share s of interval i, `before`
// being its sign before: by
// Newton's method, until what is left counts for nothing where the coordinate is level
static double peak(const study_mesh* w, int i, int c, double before, double s, double* x)
{
  const study_profile* p = &w->now;
  const double length = p->knot[i + 1] - p->knot[i];
  double speed, change;
  for (int turn = 0; turn < peak_turns; turn++) {
    study_profile_speed(w, p, i, c, s, &speed, &change);
    if (!(change * before < 0)) break;
    const double last = s;
    s = fmin(p->knot[i + 1], fmax(p->knot[i], s - speed / (change * p->u[w->N])));
    if (fabs(s - last) < level * length) break;
  }
  return exactly(w, i, c, s, x);
}

void study_mesh_swing(const study_mesh* w, study_swings* out)
{
  const study_profile* p = &w->now;
  const int n = w->n;
  double *x = base_alloc(sizeof(double) * (size_t)(2 * w->N + n)), *v = x + w->N + n;
  for (int i = 0; i < p->count; i++) {
    const double length = p->knot[i + 1] - p->knot[i];
    memcpy(v, p->x + i * w->N + n, sizeof(double) * (size_t)n);
    for (int c = 0; c < n; c++) study_swings_reach(out, c, p->x[i * w->N + c], p->x + i * w->N);
    for (int j = 0; j < m; j++) {
      study_profile_stage(w, p, i, j);
      const double here = p->knot[i] + length * w->g.c[j];
      study_swings_add(out, w->t + here * out->period, length * w->g.b[j], w->Q);
      for (int c = 0; c < n; c++) {
        const double share = turns(v[c], w->V[c]) ? v[c] / (v[c] - w->V[c]) : 0;
        const double node = j ? w->g.c[j - 1] : 0;
        const double s = p->knot[i] + length * (node + share * (w->g.c[j] - node));
        if (share > 0) study_swings_reach(out, c, peak(w, i, c, v[c], s, x), x);
        v[c] = w->V[c];
      }
    }
    // behind the last node
    const double* next = i + 1 < p->count ? p->x + (i + 1) * w->N : p->u;
    const double s = p->knot[i] + length * (1 + w->g.c[m - 1]) / 2;
    for (int c = 0; c < n; c++)
      if (turns(v[c], next[n + c])) study_swings_reach(out, c, peak(w, i, c, v[c], s, x), x);
  }
  study_swings_finish(out, p->u, w->last);
  free(x);
}
