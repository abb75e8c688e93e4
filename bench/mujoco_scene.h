// A scene of MuJoCo's from its text.
#pragma once

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

// null, with the reason told, where it is none
static inline mjModel* mujoco_scene(const char* text)
{
  static mjVFS files;
  char why[1000] = "";
  mj_defaultVFS(&files);
  const int size = (int)strlen(text) + 1;
  mj_makeEmptyFileVFS(&files, "scene.xml", size);
  memcpy(files.filedata[mj_findFileVFS(&files, "scene.xml")], text, (size_t)size);
  mjModel* m = mj_loadXML("scene.xml", &files, why, sizeof why);
  mj_deleteVFS(&files);
  if (!m) fprintf(stderr, "MuJoCo: %s\n", why);
  return m;
}
