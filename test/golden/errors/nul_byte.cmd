printf 'model \"A\"\ncoord x\nkinetic x\0^2/2\n' > nul.zw; zwang check nul.zw
