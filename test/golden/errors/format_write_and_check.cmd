printf 'coord x\nkinetic x\x27^2/2\npotential x^2/2\ninitial x = 1\n' > a.zw; zwang format a.zw --write --check
