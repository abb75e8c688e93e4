zwang run parts/pendulum.zw --quiet --out /proc/table.csv
