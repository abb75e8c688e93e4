python3 -c "print('coord x\nkinetic ' + '('*200000 + 'x' + ')'*200000)" > deep.zw; zwang check deep.zw
