zwang run potential_jumps_with_place.zw --quiet --out jump.csv
