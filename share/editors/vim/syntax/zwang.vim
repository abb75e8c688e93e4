" Models of zwang
if exists('b:current_syntax') | finish | endif
syntax case match
syntax keyword zwangClause along among and angle as at by capsule carry circle column corners cubic cylindrical damping density ellipsoid elliptic else energetic every extend falling free from hertz hinge hold hull impact impose in inertia inside length limit line linear mass mesh moreau newton normal not of on only or outside over paraboloid paradox pitch pivoting planar plane poisson polygon preload radius rational refuse release report rest restitution rising rolling rotated rubber screw segment sequential set size slider sphere spherical spin std steady steps stiffness stop through to torus turning uniform universal until velocity viscous weld while with yaw
syntax match zwangStatement /\v(^|[{;])\s*\zs<(orientation|constraint|potential|tolerance|contacts|cylinder|function|integral|particle|bushing|contact|gravity|initial|kinetic|surface|torsion|beyond|couple|memory|method|output|resist|sample|spring|torque|coord|curve|event|force|frame|input|joint|model|param|plate|point|quasi|shell|slide|stage|state|table|trace|ball|body|cone|disc|part|plot|pull|rate|roll|rope|show|box|for|let|put|rod|run|use)>/
syntax match zwangFunction /\v<(sqrt|abs|sign|exp|log|sin|cos|tan|asin|acos|atan|sinh|cosh|tanh|atan2|min|max|hypot|step|smoothstep|if|dot|cross|norm|pos|vel|acc|omega|alpha|axis|energy|kinetic|potential|momentum|angmomentum|reaction|moment|power|gap|friction|slip|state|loss|control|delay|rotation|sum)>\ze\s*\(/
syntax keyword zwangConstant t pi world base true false
syntax match zwangNumber /\v<\d+\.?\d*([eE][-+]?\d+)?>/
syntax match zwangUnit /\v([[:space:][:digit:])])@<=\[[^\]]*\]/
syntax region zwangText start=/"/ end=/"/ oneline
syntax match zwangComment /#.*$/
highlight default link zwangStatement Statement
highlight default link zwangClause Keyword
highlight default link zwangFunction Function
highlight default link zwangConstant Constant
highlight default link zwangNumber Number
highlight default link zwangUnit Type
highlight default link zwangText String
highlight default link zwangComment Comment
let b:current_syntax = 'zwang'
