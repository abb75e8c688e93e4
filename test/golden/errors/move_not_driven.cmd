zwang move move_not_driven.zw
