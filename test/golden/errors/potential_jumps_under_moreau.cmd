zwang run potential_jumps_under_moreau.zw --method moreau --step 0.03 --quiet --out potential_jumps_under_moreau.csv
