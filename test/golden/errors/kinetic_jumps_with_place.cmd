zwang run kinetic_jumps_with_place.zw --quiet --out jump.csv
