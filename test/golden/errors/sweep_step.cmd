zwang sweep parts/pendulum.zw --over L=1,2 --step 0.1
