python3 -c "print('coord x\nkinetic ' + '^'.join(['x']*100000))" > powers.zw; zwang check powers.zw
