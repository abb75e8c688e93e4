zwang sweep parts/pendulum.zw --over L=1..2:1e12 --over m=1..2:1e12
