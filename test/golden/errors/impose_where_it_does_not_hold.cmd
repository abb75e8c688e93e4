zwang run impose_where_it_does_not_hold.zw --quiet
