python3 -c "print('coord x\nkinetic ' + 'sin('*50000 + 'x' + ')'*50000)" > functions.zw; zwang check functions.zw
