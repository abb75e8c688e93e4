// Corners of a body from a closed mesh of triangles.

#include "model/meeting.h"
#include "model/mesh.h"

static const char* read_mesh(model_scope* s, const lang_solid* x, model_solid* out)
{
  model_mesh m = {0};
  const char* why = model_mesh_read(x->data, x->bytes, s->arena, &m);
  if (why) return why;
  out->points = m.places;
  out->point = base_arena_take(s->arena, sizeof *out->point * (size_t)(m.places + 1));
  for (int i = 0; i < m.places; i++)
    for (int k = 0; k < 3; k++) out->point[i][k] = expr_double(s->pool, m.corner[m.first[i]][k]);
  return NULL;
}

bool model_solid_mesh(model_scope* s, const lang_solid* x, model_solid* out)
{
  if (!x->file || x->sizes) {
    base_error(s->notes, x->place, "a hull is written hull \"part.stl\"");
    return false;
  }
  const char* why = read_mesh(s, x, out);
  if (why) base_error(s->notes, x->file_place, "no hull comes from this file: %s", why);
  return !why;
}
