P=$(command -v zwang); PATH= $P view parts/pendulum.zw --film film.mp4
