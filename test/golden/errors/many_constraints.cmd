{ echo 'coord x, y'; echo "kinetic x'^2 + y'^2"; for i in $(seq 1200); do echo "constraint k$i: x + $i*y = 0"; done; } > made_many_constraints.zw; zwang check made_many_constraints.zw
