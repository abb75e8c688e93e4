zwang run kinetic_jumps_with_time.zw --quiet --out kinetic_jumps_with_time.csv
