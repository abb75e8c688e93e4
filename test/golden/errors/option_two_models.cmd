zwang run parts/pendulum.zw parts/faulty.zw
