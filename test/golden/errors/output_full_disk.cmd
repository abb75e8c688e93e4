zwang run parts/pendulum.zw --quiet --out - > /dev/full
