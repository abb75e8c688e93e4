python3 -c "print('# nothing\n'*5500000)" > large.zw; zwang check large.zw; s=$?; rm large.zw; exit $s
