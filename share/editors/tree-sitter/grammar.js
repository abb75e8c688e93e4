// Made by tools/grammar.py; `tree-sitter generate --abi 14` makes src/parser.c of it.
module.exports = grammar({
  name: "zwang",
  extras: $ => [/[ \t\r]/, $.comment],
  word: $ => $.name,
  rules: {
    model: $ => repeat(choice($.statement, $.end)),
    // the word that begins a statement may be missing where a line goes on
    statement: $ => prec.right(choice(seq($.keyword, repeat($._part)), repeat1($._part))),
    end: $ => /[\n;{}]/,
    keyword: $ => prec(3, choice("model", "param", "coord", "orientation", "let", "frame", "point", "particle", "body", "rod", "plate", "disc", "ball", "box", "cylinder", "cone", "shell", "kinetic", "potential", "gravity", "force", "torque", "spring", "pull", "torsion", "bushing", "rope", "couple", "function", "state", "rate", "memory", "input", "sample", "table", "joint", "constraint", "resist", "quasi", "surface", "curve", "roll", "slide", "contact", "contacts", "initial", "stage", "event", "output", "integral", "run", "tolerance", "method", "beyond", "plot", "show", "trace", "use", "for", "part", "put")),
    _part: $ => choice($.function, $.clause, $.constant, $.indexed, $.name, $.number, $.text, $.unit, $.sign),
    function: $ => prec(2, choice("sqrt", "abs", "sign", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "atan2", "min", "max", "hypot", "step", "smoothstep", "if", "dot", "cross", "norm", "pos", "vel", "acc", "omega", "alpha", "axis", "energy", "kinetic", "potential", "momentum", "angmomentum", "reaction", "moment", "power", "gap", "friction", "slip", "state", "loss", "control", "delay", "rotation", "sum")),
    clause: $ => prec(1, choice("along", "among", "and", "angle", "as", "at", "ball", "box", "by", "capsule", "carry", "circle", "column", "cone", "corners", "cubic", "cylinder", "cylindrical", "damping", "density", "ellipsoid", "elliptic", "else", "energetic", "every", "extend", "falling", "for", "free", "from", "hertz", "hinge", "hold", "hull", "impact", "impose", "in", "inertia", "inside", "length", "limit", "line", "linear", "mass", "mesh", "moreau", "newton", "normal", "not", "of", "on", "only", "or", "outside", "over", "paraboloid", "paradox", "pitch", "pivoting", "planar", "plane", "point", "poisson", "polygon", "preload", "radius", "rational", "refuse", "release", "report", "rest", "restitution", "rising", "roll", "rolling", "rotated", "rubber", "screw", "segment", "sequential", "set", "size", "slider", "sphere", "spherical", "spin", "std", "steady", "steps", "stiffness", "stop", "through", "to", "torus", "turning", "uniform", "universal", "until", "velocity", "viscous", "weld", "while", "with", "yaw")),
    constant: $ => choice("t", "pi", "world", "base", "true", "false"),
    indexed: $ => seq($.name, $.index),
    index: $ => token.immediate(/\[[^\]\n]*\]/),
    name: $ => /[\p{L}_][\p{L}\p{N}_]*/,
    number: $ => /\d+(\.\d+)?([eE][-+]?\d+)?|\.\d+/,
    text: $ => /"[^"\n]*"/,
    unit: $ => /\[[^\]\n]*\]/,
    sign: $ => /\.\.|[<>]=|[-+*\/^=<>~:,.()'·×−≤≥²³]/,
    comment: $ => token(/#[^\n]*/),
  },
});
