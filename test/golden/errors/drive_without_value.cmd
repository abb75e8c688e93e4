zwang move parts/mechanism.zw --drive x
