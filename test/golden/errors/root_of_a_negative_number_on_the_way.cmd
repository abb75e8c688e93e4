zwang run root_of_a_negative_number_on_the_way.zw --quiet --out table_root_of_a_negative_number_on_the_way.csv
