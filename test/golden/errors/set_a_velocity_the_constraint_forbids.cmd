zwang run set_a_velocity_the_constraint_forbids.zw --quiet
