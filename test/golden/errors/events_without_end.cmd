zwang run events_without_end.zw --quiet
