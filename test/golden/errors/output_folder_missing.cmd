zwang run parts/pendulum.zw --out not_here/table.csv
