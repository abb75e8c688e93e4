zwang run parts/pendulum.zw --quiet=yes
