zwang move move_from_dead_position.zw --drive "S.s=0.4..0.3"
