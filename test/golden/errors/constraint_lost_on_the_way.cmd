zwang run constraint_lost_on_the_way.zw --out table.csv
