zwang view parts/pendulum.zw --out page.pdf
