// Points of a branch: where, which way it goes on there, and what is known of the motion.
#include "study/path.h"

#include <stdlib.h>
#include <string.h>

study_place* study_place_empty(int wide)
{
  study_place* p = base_alloc(sizeof *p + sizeof(double) * (size_t)(2 * wide));
  p->u = (double*)(p + 1);
  p->t = p->u + wide;
  return p;
}

void study_place_free(study_place* p)
{
  if (!p) return;
  study_stability_free(p->at);
  free(p);
}

void study_found_free(study_found* f)
{
  study_place_free(f->place);
  free(f->measures);
}

study_place* study_place_turned(const study_road* r, const study_place* p)
{
  const int wide = r->curve->wide;
  study_place* out = study_place_empty(wide);
  memcpy(out->u, p->u, sizeof(double) * (size_t)wide);
  for (int j = 0; j < wide; j++) out->t[j] = -p->t[j];
  out->second = p->second;
  out->at = p->at;
  return out;
}
