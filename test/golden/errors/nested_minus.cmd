python3 -c "print('coord x\nkinetic ' + '-'*200000 + 'x')" > minus.zw; zwang check minus.zw
