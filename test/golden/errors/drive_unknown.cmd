zwang move drive_unknown.zw --drive "A.angel=0..6"
