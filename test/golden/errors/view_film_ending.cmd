zwang view parts/pendulum.zw --film film.avi
