zwang run parts/pendulum.zw --at ''
