zwang run start_of_two_names.zw
