zwang run events_without_end.zw --out table_events_without_end.csv 2> log_events_without_end; s=$?; grep '^zwang:' log_events_without_end >&2; exit $s
