python3 -c "print('coord x\nkinetic ' + 'a'*1000000)" > name.zw; zwang check name.zw; s=$?; rm name.zw; exit $s
