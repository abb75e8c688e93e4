// The table of integrators.
#include "step/step.h"

#include <assert.h>
#include <string.h>

static const num_method* const methods[] = {
    &num_method_dop853, &num_method_taylor, &num_method_gauss16,
    &num_method_adams,  &num_method_bdf,    &num_method_ida,
};

int num_method_count(void)
{
  return (int)(sizeof methods / sizeof *methods);
}

const num_method* num_method_at(int i)
{
  assert(i >= 0 && i < num_method_count());
  return methods[i];
}

const num_method* num_method_find(const char* name)
{
  for (int i = 0; i < num_method_count(); i++)
    if (strcmp(methods[i]->name, name) == 0) return methods[i];
  return NULL;
}
