zwang run double_operator.zw --out a.csv --out b.csv
