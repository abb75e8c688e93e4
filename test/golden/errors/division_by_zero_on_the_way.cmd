zwang run division_by_zero_on_the_way.zw --out table.csv
