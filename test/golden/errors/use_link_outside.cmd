ln -s /etc/hostname link.zw; zwang check use_link_outside.zw; s=$?; rm link.zw; exit $s
