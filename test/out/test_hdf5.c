#include "check.h"
#include "out/fixture.h"
#include "out/hdf5.h"

#include <stdlib.h>

#ifdef ZWANG_HDF5
#include <hdf5.h>

#include "out/hdf5_library.h"

TEST(hdf5_of_the_program_itself_is_preferred_and_other_libraries_are_refused)
{
  out_hdf5_library lib = {0};
  CHECK(!out_hdf5_library_load("libno-such-library.so.1", &lib));
  CHECK(!out_hdf5_library_load("libm.so.6", &lib));
  CHECK(out_hdf5_library_load(NULL, &lib));
  CHECK(lib.NATIVE_DOUBLE == H5T_NATIVE_DOUBLE_g && lib.NATIVE_DOUBLE > 0);
  CHECK(out_hdf5_missing() == NULL);
}

static void read_column(hid_t file, const char* name, int rows, double* x)
{
  hid_t d = H5Dopen2(file, name, H5P_DEFAULT);
  CHECK(d >= 0);
  if (d < 0) return;
  hid_t space = H5Dget_space(d);
  CHECK_INT(H5Sget_simple_extent_npoints(space), rows);
  CHECK(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
  H5Sclose(space);
  H5Dclose(d);
}

static void read_text(hid_t file, const char* object, const char* name, char out[256])
{
  memset(out, 0, 256);
  hid_t a = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  CHECK(a >= 0);
  if (a < 0) return;
  hid_t type = H5Aget_type(a);
  CHECK(H5Tget_size(type) < 256);
  H5Aread(a, type, out);
  H5Tclose(type);
  H5Aclose(a);
}

static double read_real(hid_t file, const char* object, const char* name)
{
  double x = NAN;
  hid_t a = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  CHECK(a >= 0);
  if (a < 0) return x;
  H5Aread(a, H5T_NATIVE_DOUBLE, &x);
  H5Aclose(a);
  return x;
}

TEST(hdf5_of_a_run_reads_back)
{
  fixture* f = fixture_new(2);
  f->m.param[2].name = "\xce\xbb";
  char* path = fixture_path(f, "run.h5");
  CHECK_INT(out_table_write(&f->one, path, f->notes), 0);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  CHECK(file >= 0);
  for (int c = 0; c < 7; c++) {
    double x[3];
    read_column(file, f->track[0].column[c], 3, x);
    for (int i = 0; i < 3; i++)
      CHECK(memcmp(&x[i], &f->track[0].table.value[7 * i + c], sizeof(double)) == 0);
  }
  char text[256];
  read_text(file, "x'", "unit", text);
  CHECK_TEXT(text, "m/s");
  read_text(file, ".", "title", text);
  CHECK_TEXT(text, "A pendulum");
  read_text(file, "statistics", "guesses_moved", text);
  CHECK(strstr(text, "x ~ 0.5: 0.14999999999999999"));
  read_text(file, "statistics", "redundant", text);
  CHECK_TEXT(text, "twin");
  CHECK_NEAR(read_real(file, "params", "\xce\xbb"), 0.5, 0);
  CHECK_NEAR(read_real(file, "statistics/residuals/rod", "velocity"), 2.5e-15, 0);

  struct
  {
    double t, x;
  } happening = {0, 0};
  hid_t d = H5Dopen2(file, "events", H5P_DEFAULT), type = H5Tcreate(H5T_COMPOUND, sizeof happening);
  H5Tinsert(type, "t", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "x", sizeof(double), H5T_NATIVE_DOUBLE);
  CHECK(H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &happening) >= 0);
  CHECK_NEAR(happening.t, 0.1, 1e-16);
  CHECK_NEAR(happening.x, f->track[0].table.value[8], 0);
  H5Tclose(type);
  H5Dclose(d);
  H5Fclose(file);
  fixture_free(f);
}

TEST(hdf5_of_several_runs_has_a_group_for_each)
{
  fixture* f = fixture_new(1);
  char* path = fixture_path(f, "runs.h5");
  CHECK_INT(out_table_write(&f->two, path, f->notes), 0);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  double x[3];
  read_column(file, "run1/x", 3, x);
  CHECK_NEAR(x[0], 0.65, 0);
  CHECK_NEAR(read_real(file, "run1", "value"), 0.65, 0);
  H5Fclose(file);
  fixture_free(f);
}

TEST(hdf5_columns_named_like_a_group_keep_their_name)
{
  fixture* f = fixture_new(1);
  f->track[0].column[1] = "params";
  f->track[0].column[2] = "a/b";
  f->track[0].table.rows = 0;
  f->track[0].happenings = 0;
  char* path = fixture_path(f, "odd.h5");
  CHECK_INT(out_table_write(&f->one, path, f->notes), 0);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  double none;
  read_column(file, "params", 0, &none);
  read_column(file, "a_b", 0, &none);
  CHECK_NEAR(read_real(file, "params_", "m"), 2, 0);
  H5Fclose(file);
  fixture_free(f);
}

TEST(hdf5_takes_more_params_and_longer_titles_than_an_attribute_holds)
{
  fixture* f = fixture_new(1);
  enum { MANY = 5000 };
  model_param* param = base_arena_take(f->arena, MANY * sizeof *param);
  for (int i = 0; i < MANY; i++) {
    param[i] = f->m.param[0];
    param[i].name = base_arena_printf(f->arena, "p%d", i);
    param[i].number = i;
  }
  f->m.param = param;
  f->m.params = MANY;
  char* title = base_arena_take(f->arena, 100001);
  memset(title, 'x', 100000);
  f->m.title = title;
  char* path = fixture_path(f, "many.h5");
  CHECK_INT(out_table_write(&f->one, path, f->notes), 0);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  CHECK_NEAR(read_real(file, "params", "p4999"), 4999, 0);
  H5Fclose(file);
  fixture_free(f);
}

TEST(hdf5_of_a_linear_model_reads_back)
{
  fixture* f = fixture_new(1);
  int state[] = {0, f->m.coords};
  double A[] = {0, 1, -9, -0.5}, B[] = {0, 2}, C[] = {1, 0}, D[] = {0}, re[] = {-0.25, -0.25},
         im[] = {3, -3}, at[] = {0.5, 0, 0, 0};
  const char *input[] = {"u"}, *output[] = {"place"};
  f->m.places = f->m.coords;
  const study_linearised r = {.model = &f->m,
                              .t = 7,
                              .n = f->m.coords,
                              .states = 2,
                              .inputs = 1,
                              .outputs = 1,
                              .state = state,
                              .input = input,
                              .output = output,
                              .q = at,
                              .v = at,
                              .A = A,
                              .B = B,
                              .C = C,
                              .D = D,
                              .re = re,
                              .im = im};
  char* path = fixture_path(f, "linear.h5");
  CHECK(out_linearised_check(path, f->notes) && out_linearised_save(&r, path, f->notes));
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  CHECK(file >= 0);
  double x[4];
  read_column(file, "A", 4, x);
  CHECK(memcmp(x, A, sizeof A) == 0);
  read_column(file, "B", 2, x);
  CHECK(memcmp(x, B, sizeof B) == 0);
  read_column(file, "eigenvalues", 4, x);
  CHECK(x[0] == re[0] && x[1] == im[0] && x[3] == im[1]);
  CHECK_NEAR(read_real(file, "at", "t"), 7, 0);
  CHECK_NEAR(read_real(file, "at", "x"), 0.5, 0);
  hid_t d = H5Dopen2(file, "states", H5P_DEFAULT), type = H5Dget_type(d);
  char names[8] = {0};
  CHECK_INT(H5Tget_size(type), 2);
  CHECK(H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names) >= 0);
  CHECK(memcmp(names, "x\0x'", 4) == 0);
  H5Tclose(type);
  H5Dclose(d);
  H5Fclose(file);
  CHECK(!out_linearised_check(fixture_path(f, "linear.dat"), f->notes));
  fixture_free(f);
}
#else

TEST(hdf5_is_refused_with_the_reason_when_it_is_not_built)
{
  fixture* f = fixture_new(1);
  char* path = fixture_path(f, "run.h5");
  CHECK_INT(out_table_check(path, f->notes), 1);
  CHECK_INT(out_table_write(&f->one, path, f->notes), 1);
  CHECK(strstr(base_notes_reason(f->notes, 0), "without HDF5") != NULL);
  fixture_free(f);
}
#endif
