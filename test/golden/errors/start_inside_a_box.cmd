zwang run start_inside_a_box.zw
