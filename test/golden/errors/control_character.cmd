printf 'model \"A\"\ncoord x\nkinetic x\x01^2/2\n' > control.zw; zwang check control.zw
