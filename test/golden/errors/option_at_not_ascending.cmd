zwang run parts/pendulum.zw --at 3,2,1 --out - > /dev/null
