zwang run compare_of_different_columns.zw --compare N=1,2 --out x.csv --plot x.gp --quiet
