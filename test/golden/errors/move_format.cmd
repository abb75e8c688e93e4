zwang move parts/mechanism.zw --drive x=0..1 --format latex
