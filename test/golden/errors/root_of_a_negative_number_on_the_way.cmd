zwang run root_of_a_negative_number_on_the_way.zw --out table.csv
