python3 -c "print('coord x\nkinetic x' + chr(39)*100000)" > primes.zw; zwang check primes.zw
