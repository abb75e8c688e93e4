zwang run kinetic_jumps_with_place.zw --quiet --out kinetic_jumps_with_place.csv
