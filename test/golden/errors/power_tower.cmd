printf 'coord x\nkinetic x^2*9^9^9^9\n' > tower.zw; zwang check tower.zw
