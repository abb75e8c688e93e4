// One small model for the tests of the public interface.
#include "bead.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char bead_text[] = "model \"A bead on a ring\"\n"
                         "param m = 2 [kg], g = 9.81 [m/s^2]\n"
                         "coord x, y [m]\n"
                         "particle bead mass m = (x, y, 0) in world\n"
                         "gravity (0, -g, 0)\n"
                         "constraint ring: x^2 + y^2 = 1\n"
                         "event low: x = 0 report\n"
                         "output E = energy()\n"
                         "initial x = 0.6\n"
                         "initial y ~ -0.8\n"
                         "run 0 .. 2\n"
                         "plot y : x\n";

bead bead_read(const char* set)
{
  bead b = {.notes = zw_notes_new()};
  b.model = zw_model_read_text("bead.zw", bead_text, strlen(bead_text), &set, set != NULL, b.notes);
  b.system = b.model ? zw_derive(b.model, b.notes) : NULL;
  CHECK(b.system != NULL);
  return b;
}

void bead_free(bead* b)
{
  zw_system_free(b->system);
  zw_model_free(b->model);
  zw_notes_free(b->notes);
}

zw_track* bead_run(const bead* b, int points)
{
  zw_run_options o = zw_run_defaults();
  o.points = points;
  zw_track* t = zw_run(b->system, &o, b->notes);
  CHECK(t != NULL);
  return t;
}

bool bead_noted(const zw_notes* n, int before, const char* word)
{
  for (int i = before; i < zw_notes_count(n); i++)
    if (strstr(zw_notes_text(n, i), word)) return true;
  return false;
}

static char folder[64];

static void remove_folder(void)
{
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (system(command) != 0) fprintf(stderr, "%s is left\n", folder);
}

const char* bead_path(const char* name)
{
  static char path[256];
  if (!*folder) {
    strcpy(folder, "/tmp/zwang-api-XXXXXX");
    if (!mkdtemp(folder)) abort();
    atexit(remove_folder);
  }
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

char* bead_file(const char* path)
{
  FILE* f = fopen(path, "rb");
  if (!f) return NULL;
  char* text = NULL;
  size_t room = 0;
  // no byte of a table is zero
  if (getdelim(&text, &room, 0, f) < 0) {
    free(text);
    text = NULL;
  }
  fclose(f);
  return text;
}
