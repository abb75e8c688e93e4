"""Models whose numbers are known (numbers.py), and how an answer is read."""
import math

WALKER = """param ga = 0.01
coord th, ph [rad]
kinetic (th'^2 + ph'^2)/2
force th = sin(th - ga)
force ph = sin(th - ga) + (th'^2 - cos(th - ga))*sin(ph)
initial th = 0.2073
initial ph = 0.4146
initial th' = -0.2061
initial ph' = -0.0172
event strike: ph - 2*th = 0 rising { set th = -th; set ph = -2*th; set th' = cos(2*th)*th'; set ph' = cos(2*th)*(1 - cos(2*th))*th' }
run 0 .. 12
"""
IMPACT = """param w = 1.5, z = 0.05, s = 0.5, r = 0.7
coord x
kinetic x'^2/2
potential x^2/2
force x = -2*z*x' + cos(w*t)
constraint stop: s - x >= 0 with restitution r
initial x' = 1
run 0 .. 50
"""
BALL = """param Gam = 1.2, e = 0.5
coord y
kinetic y'^2/2
potential y
constraint floor: y - Gam*sin(t) >= 0 with restitution e
initial y = 2
initial y' = 3
run 0 .. 50
"""
WHEEL = """param al = pi/8, ga = 0.08, k2 = 0
coord th [rad]
kinetic (1 + k2)*th'^2/2
potential cos(th)
initial th = ga - al
initial th' = 0.4
event step: th - (ga + al) = 0 rising { set th = ga - al; set th' = (k2 + cos(2*al))/(k2 + 1)*th' }
run 0 .. 12
"""
BELT = """param vb = 0.2, fs = 1.5, fk = 1
coord x
kinetic x'^2/2
potential x^2/2
force x = fk
constraint belt: x' = vb
stage slip { release belt }
event catch: x' - vb = 0 rising { impose belt }
event break: x - fs = 0 rising { release belt }
initial x = 1.5
initial x' = 0.1
run 0 .. 40
"""
HOOP = """param W = 1.3, eps = 0.01, c = 0.1
coord th
kinetic th'^2/2
force th = W*(eps + sin(th))*cos(th) - sin(th) - c*th'
initial th = -0.7
"""
COLUMN = """param P = 1.3, th0 = 0.01
coord th
kinetic th'^2/2
force th = P*sin(th) - (th - th0) - 0.1*th'
initial th = -1.2
"""
KOITER = """param P = 0.2, eps = 0.01
coord th
kinetic th'^2/2
force th = P*sin(th) - (1 - sqrt(2 + 2*sin(eps))/sqrt(2 + 2*sin(th)))*cos(th) - 0.1*th'
initial th = 0.01
"""
TRUSS = """param P = 0, h = 0.5
coord y
kinetic y'^2/2
force y = -P + 2*(sqrt(1 + h^2)/sqrt(1 + y^2) - 1)*y - 0.1*y'
initial y = h
"""
ZIEGLER = """param P = 1, c = 0.1
coord a, b
kinetic (3*a'^2 + 2*cos(a-b)*a'*b' + b'^2)/2
potential (a^2 + (b-a)^2)/2
force a = -2*c*a' + c*b' + P*sin(a-b)
force b = -c*(b'-a')
"""
TORQUE = """param tau = 0.9, c0 = -0.3, c1 = 1
coord th
kinetic th'^2/2
force th = tau - sin(th) - (c0 + c1*cos(th))*th'
initial th = 1.1
"""
ROTOR = """param Om = 2, ce = 0.1, ci = 0.05
coord x, y
kinetic (x'^2 + y'^2)/2
force x = -(ce+ci)*x' - x - ci*Om*y - (x^2 + y^2)*x
force y = -(ce+ci)*y' - y + ci*Om*x - (x^2 + y^2)*y
"""
WHEELSET = """param V = 30, k3 = 5e8
coord y, psi
kinetic 600*y'^2 + 400*psi'^2
force y = -1.2e7*(y'/V - psi) - 5e5*y - k3*y^3
force psi = -1.6e7*(0.72^2*psi'/V + 0.1*0.72*y/0.46) - 5e5*psi
"""
GALLOP = """param mu = -0.05, b = 1
coord x
kinetic x'^2/2
potential x^2/2
force x = (mu + b*x^2 - x^4)*x'
"""
DUFFING = """param w = 1.2
coord x
kinetic x'^2/2
potential x^2/2 + x^4/4
force x = -0.1*x' + 0.3*cos(w*t)
initial x = 0.1
"""
PENDULUM = """param A = 1.0663
coord x
kinetic x'^2/2
potential -cos(x)
force x = -x'/2 + A*cos(2*t/3)
initial x = -0.2214749
initial x' = 1.95966
"""
POL = """param mu = 1
coord x
kinetic x'^2/2
potential x^2/2
force x = mu*(1 - x^2)*x'
initial x = 2
"""
MATHIEU = """param eps = 0.1, w = 2
coord x
kinetic x'^2/2
potential x^2/2
force x = -0.1*x' - eps*cos(w*t)*x
"""
LATERAL = """param P = 0.5, eps = 0.01
coord th
kinetic th'^2/2
force th = P*sin(th) - (sin(th) - eps)*cos(th) - 0.1*th'
initial th = 0.01
"""
APEX = """param P = 0, h = 3
coord x, y
kinetic (x'^2 + y'^2)/2
potential (sqrt((1 + x)^2 + y^2) - sqrt(1 + h^2))^2/2 + (sqrt((1 - x)^2 + y^2) - sqrt(1 + h^2))^2/2 + P*y
force x = -0.1*x'
force y = -0.1*y'
initial y = h
"""
FOLLOWER = """param P = 0.3, al = 0.25
coord a, b
kinetic (3*a'^2 + 2*cos(a-b)*a'*b' + b'^2)/2
potential (a^2 + (b-a)^2)/2
force a = -0.2*a' + 0.1*b' + P*sin(a - al*b)
force b = -0.1*(b' - a') + P*sin((1 - al)*b)
"""
SERIES = """param P = 0
coord a, b
kinetic (a'^2 + b'^2)/2
potential (sqrt(1 + a^2) - sqrt(1.25))^2 + (sqrt(1 + b^2) - sqrt(2))^2 + P*(a + b)
force a = -0.1*a'
force b = -0.1*b'
initial a = 0.5
initial b = 1
"""
SWING = """param A = 0.95
coord x
kinetic x'^2/2
potential -cos(x)
force x = -x'/2 + A*cos(2*t/3)
"""
NORMAL = """coord x1, x2
kinetic (x1'^2 + x2'^2)/2
potential (x1^2 + x2^2 + (x1 - x2)^2)/2 + x1^4/8
initial x1 = 0.6
initial x2 = 0.637
"""
LIBRATION = """coord x, y, z
kinetic ((x' - y)^2 + (y' + x)^2 + z'^2)/2
potential -1/hypot(x, y, z) - 3*x^2/2 + (x^2 + y^2)/2 + z^2/2
initial x = 0.65
initial y' = 0.2745625892735509183
"""
TONGUES = """param a = 0.5
coord x
kinetic x'^2/2
force x = -(a - 2*cos(2*t))*x
"""
FORCED = """param F = 0.8, mu = 0.2, w = 1.2
coord x
kinetic x'^2/2
potential x^2/2
force x = mu*(1 - x^2)*x' + F*cos(w*t)
initial x = -1.4
initial x' = -0.4
"""
HILL = """coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
force x = 2*y' + 3*x - x/hypot(x, y, z)^3
force y = -2*x' - y/hypot(x, y, z)^3
force z = -z - z/hypot(x, y, z)^3
initial x = 0.65
initial y' = 0.2745625892735509183
"""


def special(kind, number=0, branch=0, what="p"):
    def take(o):
        b = o["branches"][branch]["special"]
        x = [s for s in b if s["kind"] == kind][number]
        return x[what] if isinstance(what, str) else what(x)
    return take


def multiplier(re, im=0.0):
    """the multiplier next to a number, as its distance from it"""
    return lambda o: min(math.hypot(m[0] - re, m[1] - im) for m in o["multipliers"])


def happening(number, side, name):
    return lambda o: o["happenings"][number][side][name]


def period(o):
    return o["period"]
