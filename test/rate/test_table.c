// The table of rates: what it says of itself, and that docs/numerics.md prints it.
#include "check.h"
#include "contact/contact.h"
#include "rate/rate.h"

#include <stdio.h>
#include <stdlib.h>

// features in words, with commas
static void put_features(base_text* out, engine_features f)
{
  const char* before = "";
  if (f == ENGINE_EVERY_FEATURE) base_text_printf(out, "everything");
  if (!f) base_text_printf(out, "nothing of this");
  for (int i = 0; i < ENGINE_FEATURES && f != ENGINE_EVERY_FEATURE; i++) {
    if (!(f >> i & 1)) continue;
    base_text_printf(out, "%s%s", before, engine_feature_name(i));
    before = ", ";
  }
}

static void put_rates(base_text* out)
{
  base_text_printf(out, "| rate | of one state | eight | series | twice the digits | takes |\n"
                        "| --- | --- | --- | --- | --- | --- |\n");
  for (int i = 0; i < RATES; i++) {
    const rate_way* r = &rate_table[i];
    base_text_printf(out, "| %s | %s | %s | %s | %s | ", r->name, r->one ? "yes" : "",
                     r->eight ? "yes" : "", r->series ? "yes" : "", r->twice ? "yes" : "");
    put_features(out, r->takes);
    base_text_printf(out, " |\n");
  }
}

static void put_ways(base_text* out)
{
  base_text_printf(out, "| accelerations | takes |\n| --- | --- |\n");
  for (int i = 0; i < CONTACT_WAYS; i++) {
    base_text_printf(out, "| %s | ", contact_ways[i].name);
    put_features(out, contact_ways[i].takes);
    base_text_printf(out, " |\n");
  }
}

static void check_printed(void (*put)(base_text* out))
{
  const char* root = getenv("ZWANG_SOURCE");
  char path[4096];
  snprintf(path, sizeof path, "%s/docs/numerics.md", root ? root : ".");
  size_t length;
  const char* why;
  char* page = base_file_read(path, SIZE_MAX, &length, &why);
  base_text table = {0};
  put(&table);
  if (!page || !strstr(page, table.at))
    check_fail(__FILE__, __LINE__, "docs/numerics.md does not hold\n%s", table.at);
  base_text_free(&table);
  free(page);
}

TEST(the_manual_prints_the_tables)
{
  check_printed(put_rates);
  check_printed(put_ways);
}

TEST(some_rate_of_one_state_takes_everything)
{
  CHECK(!rate_refusal(RATE_ONE, ENGINE_EVERY_FEATURE));
  for (int i = 0; i < ENGINE_FEATURES; i++) CHECK(!rate_refusal(RATE_ONE, 1u << i));
}

TEST(what_no_rate_takes_is_named)
{
  CHECK_TEXT(rate_refusal(RATE_EIGHT, ENGINE_CORNERS), "its equations have corners or jumps");
  CHECK_TEXT(rate_refusal(RATE_SERIES, ENGINE_CORNERS | ENGINE_HOLDS_JUMP),
             "it is held at a jump of its forces");
  CHECK(!rate_refusal(RATE_SERIES, ENGINE_CORNERS));
  CHECK_TEXT(rate_refusal(RATE_TWICE, ENGINE_STAGES | ENGINE_CHANGES), "it has stages");
}
