# completion of zwang's command line for fish

set -l commands run derive eval check geometry verify examples
set -l takes_model "__fish_seen_subcommand_from run derive eval check geometry verify"

complete -c zwang -f
complete -c zwang -n "not __fish_seen_subcommand_from $commands" -a run -d "integrate the motion"
complete -c zwang -n "not __fish_seen_subcommand_from $commands" -a derive -d "print the equations of motion"
complete -c zwang -n "not __fish_seen_subcommand_from $commands" -a eval -d "accelerations and reactions at one state"
complete -c zwang -n "not __fish_seen_subcommand_from $commands" -a check -d "what the model is"
complete -c zwang -n "not __fish_seen_subcommand_from $commands" -a geometry -d "metric, curvature, flatness"
complete -c zwang -n "not __fish_seen_subcommand_from $commands" -a verify -d "every form agrees"
complete -c zwang -n "not __fish_seen_subcommand_from $commands" -a examples -d "models that come with zwang"
complete -c zwang -l help -d "how to call it"
complete -c zwang -l quiet -d "errors only"
complete -c zwang -l version -d "which version this is"

complete -c zwang -n $takes_model -k -a "(__fish_complete_suffix .zw)"
complete -c zwang -n $takes_model -x -l set -d "another value of a param: NAME=VALUE"
complete -c zwang -n "__fish_seen_subcommand_from derive eval" -x -l form -a "lagrange lagrange:independent maggi appell appell:independent appell:substituted appell:pseudo nielsen nielsen:independent nielsen:pseudo tzenov tzenov:independent tzenov:pseudo hamel voronets chaplygin kane hamilton gauss udwadia bychkov list" \
  -d "form of the equations"
complete -c zwang -n "__fish_seen_subcommand_from derive" -x -l show -a "T V T\' T\'\' S R g gamma" -d "functions alone"
complete -c zwang -n "__fish_seen_subcommand_from derive" -x -l as -a "text latex c json" -d "how it is printed"
complete -c zwang -n "__fish_seen_subcommand_from derive eval check geometry verify" -x -l format -a "text json" -d "how it is printed"
complete -c zwang -n "__fish_seen_subcommand_from geometry" -x -l as -a "text latex json" -d "how it is printed"
complete -c zwang -n "__fish_seen_subcommand_from geometry" -x -l region -d "box of the embedding: x=-1..1"
complete -c zwang -n "__fish_seen_subcommand_from geometry" -l embed -d "look longer for the map"
complete -c zwang -n "__fish_seen_subcommand_from geometry" -r -l plot -d "the picture: .svg .png .pdf .gp"
complete -c zwang -n "__fish_seen_subcommand_from geometry" -x -l at -d "the point of the numbers: x = 1, y = 2"
complete -c zwang -n "__fish_seen_subcommand_from eval" -x -l state -d "the state: x = 1, x' = 2"
complete -c zwang -n "__fish_seen_subcommand_from eval" -x -l released -d "the system without these constraints"
complete -c zwang -n "__fish_seen_subcommand_from eval" -l explain -d "the parts of the acceleration"
complete -c zwang -n "__fish_seen_subcommand_from verify" -x -l states -d "random states to try"
complete -c zwang -n "__fish_seen_subcommand_from examples" -a "(zwang examples 2>/dev/null | string split -f1 ' ')"

complete -c zwang -n "__fish_seen_subcommand_from run" -x -l until -d "end of the run"
complete -c zwang -n "__fish_seen_subcommand_from run" -x -l tol -d "tolerance"
complete -c zwang -n "__fish_seen_subcommand_from run" -x -l method -d "method of integration" \
  -a "list (zwang run --method list 2>/dev/null | string split -f1 ' ')"
complete -c zwang -n "__fish_seen_subcommand_from run" -x -l at -d "results at these times"
complete -c zwang -n "__fish_seen_subcommand_from run" -x -l every -d "results every so often"
complete -c zwang -n "__fish_seen_subcommand_from run" -x -l points -d "number of results"
complete -c zwang -n "__fish_seen_subcommand_from run" -r -l out -d "the table: .csv .json .h5, - for stdout"
complete -c zwang -n "__fish_seen_subcommand_from run" -r -l plot -d "the picture: .svg .png .pdf .gp"
complete -c zwang -n "__fish_seen_subcommand_from run" -x -l compare -d "one run for each value: NAME=V1,V2"
