python3 -c "print('coord x\nkinetic ' + '('*200000)" > deep_open.zw; zwang check deep_open.zw
