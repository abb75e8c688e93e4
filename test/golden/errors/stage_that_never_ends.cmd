zwang run stage_that_never_ends.zw --out table_stage_that_never_ends.csv 2> log_stage_that_never_ends; s=$?; grep '^zwang:' log_stage_that_never_ends | sed 's/[0-9][0-9.e+]*/N/g' >&2; exit $s
