zwang inverse inverse_no_such_file.zw --motion nowhere.csv
