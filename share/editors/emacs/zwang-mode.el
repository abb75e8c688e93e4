;;; zwang-mode.el --- models of zwang -*- lexical-binding: t -*-

(defvar zwang-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    ;; signs are no part of names: in `g*cos(a)` the function begins behind the star
    (dolist (sign '(?' ?+ ?- ?* ?/ ?^ ?= ?< ?> ?~ ?. ?& ?|))
      (modify-syntax-entry sign "." table))
    (modify-syntax-entry ?_ "_" table)
    table))

(defvar zwang-font-lock-keywords
  `((,(concat "\\(?:^\\|[{;]\\)\\s-*" (regexp-opt '("model" "param" "coord" "orientation" "let" "frame" "point" "particle" "body" "rod" "plate" "disc" "ball" "box" "cylinder" "cone" "shell" "kinetic" "potential" "gravity" "force" "torque" "spring" "pull" "torsion" "bushing" "rope" "couple" "function" "state" "rate" "memory" "input" "sample" "table" "joint" "constraint" "resist" "quasi" "surface" "curve" "roll" "slide" "contact" "contacts" "initial" "stage" "event" "output" "integral" "run" "tolerance" "method" "beyond" "plot" "show" "trace" "use" "for" "part" "put") 'symbols)) 1 font-lock-keyword-face)
    (,(concat (regexp-opt '("sqrt" "abs" "sign" "exp" "log" "sin" "cos" "tan" "asin" "acos" "atan" "sinh" "cosh" "tanh" "atan2" "min" "max" "hypot" "step" "smoothstep" "if" "dot" "cross" "norm" "pos" "vel" "acc" "omega" "alpha" "axis" "energy" "kinetic" "potential" "momentum" "angmomentum" "reaction" "moment" "power" "gap" "friction" "slip" "state" "loss" "control" "delay" "rotation" "sum") 'symbols) "\\s-*(") 1 font-lock-function-name-face)
    (,(regexp-opt '("t" "pi" "world" "base" "true" "false") 'symbols) . font-lock-constant-face)
    (,(regexp-opt '("along" "among" "and" "angle" "as" "at" "ball" "box" "by" "capsule" "carry" "circle" "column" "cone" "corners" "cubic" "cylinder" "cylindrical" "damping" "density" "ellipsoid" "elliptic" "else" "energetic" "every" "extend" "falling" "for" "free" "from" "hertz" "hinge" "hold" "hull" "impact" "impose" "in" "inertia" "inside" "length" "limit" "line" "linear" "mass" "mesh" "moreau" "newton" "normal" "not" "of" "on" "only" "or" "outside" "over" "paraboloid" "paradox" "pitch" "pivoting" "planar" "plane" "point" "poisson" "polygon" "preload" "radius" "rational" "refuse" "release" "report" "rest" "restitution" "rising" "roll" "rolling" "rotated" "rubber" "screw" "segment" "sequential" "set" "size" "slider" "sphere" "spherical" "spin" "std" "steady" "steps" "stiffness" "stop" "through" "to" "torus" "turning" "uniform" "universal" "until" "velocity" "viscous" "weld" "while" "with" "yaw") 'symbols) . font-lock-builtin-face)
    ("[ \t0-9)]\\(\\[[^]\n]*\\]\\)" 1 font-lock-type-face)))

;;;###autoload
(define-derived-mode zwang-mode prog-mode "zwang"
  "Models of zwang."
  (setq-local comment-start "# ")
  (setq-local font-lock-defaults '(zwang-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.zw\\'" . zwang-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(zwang-mode . ("zwang" "lsp"))))

(provide 'zwang-mode)
;;; zwang-mode.el ends here
