// Growing texts, doubles as text, UTF-8, likely words, files.
#include "base/base.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(a_text_grows_and_can_be_taken)
{
  base_text t = {0};
  for (int i = 0; i < 500; i++) base_text_printf(&t, "%d,", i % 10);
  CHECK_INT(t.n, 1000);
  CHECK_INT(strlen(t.at), 1000);
  char* whole = base_text_take(&t);
  CHECK(t.at == NULL);
  CHECK_INT(strncmp(whole, "0,1,2,3,", 8), 0);
  free(whole);
  char* nothing = base_text_take(&t);
  CHECK_TEXT(nothing, "");
  free(nothing);
}

static const char* shortest(double x)
{
  static char keep[64];
  base_text t = {0};
  base_text_double(&t, x);
  snprintf(keep, sizeof keep, "%s", t.at);
  base_text_free(&t);
  return keep;
}

TEST(a_double_is_written_as_short_as_it_reads_back)
{
  CHECK_TEXT(shortest(0.1), "0.1");
  CHECK_TEXT(shortest(-3), "-3");
  CHECK_TEXT(shortest(1e22), "1e+22");
  CHECK_TEXT(shortest(0), "0");
  CHECK_TEXT(shortest(-0.0), "-0");
  CHECK_TEXT(shortest(1.0 / 3), "0.3333333333333333");
  CHECK_TEXT(shortest(0.1 + 0.2), "0.30000000000000004");
  CHECK_TEXT(shortest(5e-324), "5e-324");
  CHECK_TEXT(shortest(1.7976931348623157e308), "1.7976931348623157e+308");
  CHECK_TEXT(shortest(HUGE_VAL), "inf");
  CHECK_TEXT(shortest(-HUGE_VAL), "-inf");
  CHECK_TEXT(shortest(nan("")), "nan");
  // bits drawn by a linear congruence: what is written reads back the same
  uint64_t bits = 1;
  for (int i = 0; i < 20000; i++) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    double x;
    memcpy(&x, &bits, sizeof x);
    if (isnan(x)) continue;
    CHECK(strtod(shortest(x), NULL) == x);
  }
}

static ptrdiff_t fault(const char* text)
{
  return base_utf8_fault(text, strlen(text));
}

TEST(faults_of_utf8_are_found_at_their_byte)
{
  CHECK_INT(fault(""), -1);
  CHECK_INT(fault("plain"), -1);
  CHECK_INT(fault("θ € 😀 日本"), -1);
  CHECK_INT(fault("ab\xFF"), 2);
  CHECK_INT(fault("a\x80"), 1);
  CHECK_INT(fault("abc\xE2\x82"), 3);
  CHECK_INT(fault("\xC0\xAF"), 0);         // two bytes for one of seven bits
  CHECK_INT(fault("x\xED\xA0\x80"), 1);    // half of a surrogate pair
  CHECK_INT(fault("\xF4\x90\x80\x80"), 0); // beyond the last code point
  CHECK_INT(base_utf8_fault("\xE2\x82\xAC", 2), 0);
}

TEST(columns_count_wide_and_combining_characters)
{
  CHECK_INT(base_utf8_columns("abc", 3), 3);
  CHECK_INT(base_utf8_columns("θ", 2), 1);
  CHECK_INT(base_utf8_columns("日本", 6), 4);
  CHECK_INT(base_utf8_columns("e\xCC\x81", 3), 1);
}

static size_t start(const char* text)
{
  return base_utf8_name_start(text, strlen(text));
}

static size_t part(const char* text)
{
  return base_utf8_name_part(text, strlen(text));
}

TEST(names_are_made_of_letters_marks_digits_and_the_underscore)
{
  CHECK_INT(start("a"), 1);
  CHECK_INT(start("_"), 1);
  CHECK_INT(start("θ"), 2);
  CHECK_INT(start("日"), 3);
  CHECK_INT(start("1"), 0);
  CHECK_INT(start("+"), 0);
  CHECK_INT(start(""), 0);
  CHECK_INT(start("\xFF"), 0);
  CHECK_INT(start("\xCC\x81"), 0);
  CHECK_INT(start("€"), 0);
  CHECK_INT(part("1"), 1);
  CHECK_INT(part("\xCC\x81"), 2);
  CHECK_INT(part("θ"), 2);
  CHECK_INT(part("'"), 0);
  CHECK_INT(part("😀"), 0);
}

TEST(letters_and_marks_are_composed)
{
  base_arena* a = base_arena_new();
  CHECK_TEXT(base_utf8_compose(a, "e\xCC\x81x", 4), "\xC3\xA9x");
  CHECK_TEXT(base_utf8_compose(a, "theta_1", 7), "theta_1");
  CHECK_TEXT(base_utf8_compose(a, "θφ", 2), "θ");
  CHECK_TEXT(base_utf8_compose(a, "\xFF", 1), "\xFF");
  base_arena_free(a);
}

static const char* near(const char* word)
{
  static const char* const words[] = {"theta", "phi", "psi", "xi", "eta", "alpha1", "X", "θ"};
  const char* found = base_nearest(word, words, 8);
  return found ? found : "none";
}

TEST(the_nearest_word_is_found_and_far_ones_are_not)
{
  CHECK_TEXT(near("thetta"), "theta");
  CHECK_TEXT(near("hteta"), "theta");
  CHECK_TEXT(near("Theta"), "theta");
  CHECK_TEXT(near("alpha"), "alpha1");
  CHECK_TEXT(near("ksi"), "psi");
  CHECK_TEXT(near("x"), "X");
  CHECK_TEXT(near("Θ"), "θ");
  CHECK_TEXT(near("y"), "none");
  CHECK_TEXT(near("omega"), "none");
  CHECK_TEXT(near(""), "none");
  CHECK_TEXT(near("\xFF\xFF\xFF"), "none");
  CHECK(base_nearest("anything", NULL, 0) == NULL);
}

TEST(a_file_is_read_whole_or_refused_with_the_reason)
{
  char folder[] = "/tmp/zwang-file-XXXXXX";
  CHECK(mkdtemp(folder) != NULL);
  char path[64], pipe_path[64];
  snprintf(path, sizeof path, "%s/a", folder);
  snprintf(pipe_path, sizeof pipe_path, "%s/p", folder);
  FILE* f = fopen(path, "w");
  fwrite("a\0b\n", 1, 4, f);
  fclose(f);
  CHECK_INT(mkfifo(pipe_path, 0600), 0);

  size_t n;
  const char* why;
  char* text = base_file_read(path, 4, &n, &why);
  CHECK_INT(n, 4);
  CHECK_INT(memcmp(text, "a\0b\n", 5), 0);
  free(text);
  CHECK(base_file_read(path, 3, &n, &why) == NULL);
  CHECK_TEXT(why, "it is larger than the limit of 3 bytes");
  CHECK(base_file_read("/dev/zero", 1 << 20, &n, &why) == NULL);
  CHECK_TEXT(why, "it is not a regular file");
  CHECK(base_file_read(pipe_path, 100, &n, &why) == NULL);
  CHECK_TEXT(why, "it is not a regular file");
  CHECK(base_file_read(folder, 100, &n, &why) == NULL);
  CHECK_TEXT(why, "it is a folder");
  unlink(path), unlink(pipe_path);
  CHECK(base_file_read(path, 100, &n, &why) == NULL);
  CHECK_TEXT(why, "there is no such file");
  rmdir(folder);
}
