zwang run start_in_each_other.zw
