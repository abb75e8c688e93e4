zwang run change_still_under_way.zw --quiet
