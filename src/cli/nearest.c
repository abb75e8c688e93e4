// The word that may have been meant.
#include "cli/cli.h"

#include <string.h>

// edit distance with rows of one word, up to 31 letters
static int distance(const char* a, const char* b)
{
  int row[32];
  const int n = (int)strlen(b);
  if (n > 31 || strlen(a) > 31) return 99;
  for (int j = 0; j <= n; j++) row[j] = j;
  for (int i = 1; a[i - 1]; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      const int change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      int best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
      row[j] = change < best ? change : best;
    }
  }
  return row[n];
}

const char* cli_nearest(const char* word, const char* const* words)
{
  const char* best = NULL;
  int least = 3;
  for (; *words; words++) {
    const int d = distance(word, *words), length = (int)strlen(*words);
    // of a short word less may be wrong, unless it begins right
    if (d < least && d < (word[0] == **words ? length : (length + 1) / 2)) {
      least = d;
      best = *words;
    }
  }
  return best;
}
