zwang run division_by_zero_on_the_way.zw --out table_division.csv 2> log_division; s=$?; grep '^zwang:' log_division | sed 's/[0-9]\{5,\}/…/g' >&2; exit $s
