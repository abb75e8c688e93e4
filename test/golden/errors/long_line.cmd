python3 -c "print('coord x\nkinetic ' + 'a+'*1000000 + 'a')" > long.zw; zwang check long.zw; s=$?; rm long.zw; exit $s
