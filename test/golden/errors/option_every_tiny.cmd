zwang run parts/pendulum.zw --every 1e-300 --out -
