zwang run constraint_lost_on_the_way.zw --out table_constraint_lost_on_the_way.csv 2> log_constraint_lost_on_the_way; s=$?; grep '^zwang:' log_constraint_lost_on_the_way >&2; exit $s
