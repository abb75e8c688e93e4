zwang run potential_jumps_with_place.zw --quiet --out potential_jumps_with_place.csv
