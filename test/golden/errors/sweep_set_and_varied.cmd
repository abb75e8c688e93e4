zwang sweep parts/pendulum.zw --set L=1 --over L=3,4
