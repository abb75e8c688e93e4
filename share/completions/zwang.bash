# completion of zwang's command line for bash

_zwang()
{
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  local -a words=()
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "run derive eval check geometry stability continue move inverse linearise structure chaos sweep verify view format lsp examples parts --help --version" -- "$word")
    return
  fi
  case $before in
    --method) words=($(zwang run --method list 2>/dev/null | awk '{ print $1 }') list) ;;
    --form)
      words=(lagrange lagrange:independent maggi appell appell:independent appell:substituted appell:pseudo
        nielsen nielsen:independent nielsen:pseudo tzenov tzenov:independent tzenov:pseudo hamel voronets
        chaplygin kane hamilton gauss udwadia bychkov list)
      ;;
    --as) words=(text latex c json) ;;
    --show) words=(T V "T'" "T''" S R g gamma) ;;
    --format) words=(text json) ;;
    --device) words=(cpu gpu) ;;
    --contact-solver) words=(own siconos) ;;
    --contacts) words=(events auto) ;;
    --beyond) words=(impact slip stop) ;;
    --out | --plot | --map | --film | --motion)
      compopt -o default
      return
      ;;
    --set | --drive | --along | --input | --compare | --until | --tol | --digits | --step | --at | --every | --points | --region | --energy | --geodesic | --released | --state | --states | --inputs | --outputs | --columns | --period | --over | --and | --sobol | --random | --seed | --results | --basin | --threads | --fps | --size | --frame) return ;;
  esac
  if ((${#words[@]} == 0)) && [[ $word == -* ]]; then
    case $command in
      run) words=(--set --input --until --tol --digits --method --step --contact-solver --contacts --beyond --at --every --points --out --columns --units --plot --compare --certify --conserved --estimate --resume --quiet
        --help --version) ;;
      derive) words=(--set --form --show --as --format --quiet --help --version) ;;
      eval) words=(--set --input --form --state --released --explain --format --quiet --help --version) ;;
      check) words=(--set --format --quiet --help --version) ;;
      geometry) words=(--set --at --region --embed --map --curvature --energy --geodesic --plot --as --format --quiet --help --version) ;;
      stability) words=(--set --state --period --orbit --all --over --points --plot --format --quiet --help --version) ;;
      chaos) words=(--set --state --until --period --tol --section --manifolds --out --plot --format --quiet --help --version) ;;
      continue) words=(--set --over --and --state --period --orbit --all --points --tol --plot --format --quiet --help --version) ;;
      structure) words=(--set --at --format --quiet --help --version) ;;
      move) words=(--set --drive --until --tol --method --at --every --points --out --columns --units --all --format --plot --compare --quiet --help --version) ;;
      inverse) words=(--set --motion --along --format --quiet --help --version) ;;
      linearise) words=(--set --at --rest --steady --inputs --outputs --symbolic --format --out --quiet --help --version) ;;
      sweep) words=(--set --over --sobol --random --seed --results --basin --until --tol --method --step --every --points
        --out --plot --resume --threads --device --quiet --help --version) ;;
      verify) words=(--set --states --format --quiet --help --version) ;;
      view) words=(--set --input --until --tol --digits --method --step --contact-solver --contacts --beyond --every --points --out --live --film --fps --size --frame --open --watch --form
        --compare --quiet --help --version) ;;
      format) words=(--write --check --quiet --help --version) ;;
      parts) words=(--format --quiet --help --version) ;;
      *) words=(--quiet --help --version) ;;
    esac
  fi
  if ((${#words[@]} > 0)); then
    mapfile -t COMPREPLY < <(compgen -W "${words[*]}" -- "$word")
  elif [[ $command == examples ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(zwang examples 2>/dev/null | awk '{ print $1 }')" -- "$word")
  elif [[ $command == parts ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(zwang parts 2>/dev/null | sed -n 's/^use std "\([^"]*\)".*/\1/p')" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -X '!*.zw' -- "$word"; compgen -d -S / -- "$word")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace
  fi
}
complete -F _zwang zwang
