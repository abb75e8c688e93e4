zwang run constraint_jumps_velocities.zw --at 0.25,1 --quiet --out constraint_jumps_velocities.csv
