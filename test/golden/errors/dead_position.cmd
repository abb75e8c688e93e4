zwang run dead_position.zw --points 2 --quiet --out ends.csv
