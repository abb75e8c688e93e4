zwang run gauss16_at_singular.zw --method gauss16 --points 2 --quiet --out ends.csv
