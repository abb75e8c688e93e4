zwang run parts/pendulum.zw --points 99999999999999999999 --out -
