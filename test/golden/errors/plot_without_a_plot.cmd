zwang run parts/pendulum.zw --quiet --plot picture.svg
