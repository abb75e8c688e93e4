zwang run division_by_zero_on_the_way.zw --quiet --out table_division_by_zero_on_the_way.csv
