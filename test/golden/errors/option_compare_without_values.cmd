zwang run parts/pendulum.zw --compare L=
