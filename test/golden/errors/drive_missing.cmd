zwang move parts/mechanism.zw
