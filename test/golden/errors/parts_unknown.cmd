zwang parts weels
