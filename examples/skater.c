// A model file in a C program: the figure skater's equations by two forms, her reactions at one
// state, and her path as a table. usage: skater MODEL.zw
#include <math.h>
#include <stdio.h>
#include <zwang/zwang.h>

static int complain(const zw_notes* notes)
{
  for (int i = 0; i < zw_notes_count(notes); i++) fprintf(stderr, "%s\n", zw_notes_text(notes, i));
  return 1;
}

// the same accelerations by both forms?
static double difference(zw_system* system, zw_notes* notes)
{
  static const char state[] = "xi=1, theta=0.7, eta=2, xi'=3*cos(0.7), eta'=3*sin(0.7), theta'=0.4";
  zw_point* a = zw_eval(system, "lagrange", state, notes);
  zw_point* b = zw_eval(system, "maggi", state, notes);
  double most = INFINITY;
  if (a && b) {
    most = fabs(zw_point_value(a, "reaction.blade") - zw_point_value(b, "reaction.blade"));
    const char* names[] = {"xi''", "theta''", "eta''"};
    for (int i = 0; i < 3; i++)
      most = fmax(most, fabs(zw_point_value(a, names[i]) - zw_point_value(b, names[i])));
    printf("reaction of the blade %.6f N\n", zw_point_value(a, "reaction.blade"));
  }
  zw_point_free(a);
  zw_point_free(b);
  return most;
}

int main(int argc, char** argv)
{
  if (argc < 2) return 2;
  const char* sets[] = {"L5=0.65"};
  zw_notes* notes = zw_notes_new();
  zw_model* model = zw_model_read(argv[1], sets, 1, notes);
  if (!model) return complain(notes);
  zw_system* system = zw_derive(model, notes);
  if (!system) return complain(notes);
  char* equations = zw_equations(system, "maggi", "text", notes);
  if (!equations) return complain(notes);
  printf("%s\n", equations);
  zw_text_free(equations);
  const double forms = difference(system, notes);
  printf("Lagrange and Maggi differ by %.1e\n", forms);

  const double at[] = {1, 5, 15};
  zw_run_options o = zw_run_defaults();
  o.tolerance = 1e-12;
  o.at = at;
  o.at_count = 3;
  zw_track* track = zw_run(system, &o, notes);
  if (!track) return complain(notes);
  const int xi = zw_track_column(track, "xi"), eta = zw_track_column(track, "eta");
  for (int row = 0; row < zw_track_rows(track); row++)
    printf("t = %4g  xi = %.9f  eta = %.9f\n", zw_track_value(track, row, 0),
           zw_track_value(track, row, xi), zw_track_value(track, row, eta));
  // closed form by Fresnel-like integrals, computed with 40 digits
  const int wrong =
      fabs(zw_track_value(track, 2, xi) - 23.5081089509079533) > 1e-8 || !(forms < 1e-11);

  zw_track_free(track);
  zw_system_free(system);
  zw_model_free(model);
  zw_notes_free(notes);
  return wrong;
}
