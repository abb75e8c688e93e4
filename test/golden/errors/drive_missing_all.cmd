zwang move parts/mechanism.zw --all
