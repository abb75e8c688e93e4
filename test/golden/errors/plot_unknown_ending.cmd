zwang run parts/pendulum.zw --plot picture.bmp
