zwang parts --format latex
