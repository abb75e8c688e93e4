printf 'model \"A\"\ncoord \xc0\xaf\n' > overlong.zw; zwang check overlong.zw
