// What there is to choose from: methods of integration, models that come with the program.
#include "api/api.h"

#include <string.h>

const char* zw_method_name(int i)
{
  return walk_method_name(i);
}

const char* zw_method_summary(int i)
{
  return walk_method_summary(i);
}

static int example_count(void)
{
  int n = 0;
  while (api_examples[n].name) n++;
  return n;
}

const char* zw_example_name(int i)
{
  return i >= 0 && i < example_count() ? api_examples[i].name : NULL;
}

const char* zw_example_title(int i)
{
  return i >= 0 && i < example_count() ? api_examples[i].title : NULL;
}

const char* zw_example_text(const char* name)
{
  for (int i = 0; name && api_examples[i].name; i++)
    if (!strcmp(api_examples[i].name, name)) return api_examples[i].text;
  return NULL;
}
