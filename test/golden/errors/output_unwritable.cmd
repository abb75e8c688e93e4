zwang run parts/pendulum.zw --quiet --out parts/pendulum.zw/table.csv
