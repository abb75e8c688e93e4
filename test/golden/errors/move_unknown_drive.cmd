zwang move move_unknown_drive.zw --drive "Q=0..1"
