#!/bin/bash
# Stands before runc for tests of Podman. Over its API, Podman 4 asks for limits of 1048576 open files and processes
# whatever its settings say, and a root without CAP_SYS_RESOURCE may not raise its own: this asks for what there is.
lower() {
  [[ $2 == unlimited ]] || rules+="s/(\"type\":\"RLIMIT_$1\",\"hard\":)1048576,\"soft\":1048576/\\1$2,\"soft\":$2/;"
}
lower NOFILE "$(ulimit -Hn)"
lower NPROC "$(ulimit -Hu)"
words=("$@")
for i in "${!words[@]}"; do
  case ${words[i]} in
    --bundle | -b) file=${words[i + 1]}/config.json ;;
    --process | -p) file=${words[i + 1]} ;;
    *) continue ;;
  esac
  [[ -f $file && $rules ]] && sed -Ei "$rules" "$file"
done
exec runc "$@"
