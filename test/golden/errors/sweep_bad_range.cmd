zwang sweep parts/pendulum.zw --over L=2..1:5
