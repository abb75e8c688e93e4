// The table of integrators.
#include "step/step.h"

#include <assert.h>
#include <string.h>

static const step_method* const methods[] = {
    &step_method_dop853, &step_method_taylor, &step_method_gauss16, &step_method_adams,
    &step_method_bdf,    &step_method_ida,    &step_method_moreau,  &step_method_flights,
};

int step_method_count(void)
{
  return (int)(sizeof methods / sizeof *methods);
}

const step_method* step_method_at(int i)
{
  assert(i >= 0 && i < step_method_count());
  return methods[i];
}

const step_method* step_method_find(const char* name)
{
  for (int i = 0; i < step_method_count(); i++)
    if (strcmp(methods[i]->name, name) == 0) return methods[i];
  return NULL;
}
