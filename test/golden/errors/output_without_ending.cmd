zwang run parts/pendulum.zw --out table
