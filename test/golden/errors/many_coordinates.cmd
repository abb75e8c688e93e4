python3 -c "print('coord ' + ', '.join('x%d' % i for i in range(300000)))" > many.zw; zwang check many.zw
