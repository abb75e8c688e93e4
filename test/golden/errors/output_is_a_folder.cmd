mkdir -p out.csv; zwang run parts/pendulum.zw --out out.csv; s=$?; rmdir out.csv; exit $s
