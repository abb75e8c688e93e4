zwang run parts/pendulum.zw --plot not_here/picture.svg
