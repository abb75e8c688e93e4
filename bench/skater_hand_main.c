// The hand-written skater as a program of its own: skater_hand FILE.csv
#include "skater_hand.h"

int main(int argc, char** argv)
{
  return argc == 2 && skater_hand_table(argv[1]) ? 0 : 1;
}
