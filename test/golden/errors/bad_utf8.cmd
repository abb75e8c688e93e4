printf 'model \"A\"\ncoord x\nkinetic x\xff\x27^2/2\n' > bad.zw; zwang check bad.zw
