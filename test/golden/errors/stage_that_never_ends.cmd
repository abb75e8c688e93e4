timeout 8 zwang run stage_that_never_ends.zw --quiet
