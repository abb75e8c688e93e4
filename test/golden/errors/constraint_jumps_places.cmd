zwang run constraint_jumps_places.zw --at 0.25,1 --quiet --out constraint_jumps_places.csv
