zwang move parts/mechanism.zw --drive y=0..1
