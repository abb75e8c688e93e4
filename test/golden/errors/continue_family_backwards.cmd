zwang continue continue_family_backwards.zw --orbit --over energy=2..1
