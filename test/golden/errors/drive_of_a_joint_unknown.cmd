zwang move drive_of_a_joint_unknown.zw --drive "A.angel=0..6"
