zwang run constraint_lost_on_the_way.zw --quiet --out table_constraint_lost_on_the_way.csv
