#!/bin/bash
# Plays a task's oracle and its verifier with the docker command alone, in the order that Harbor does it, and prints
# what the verifier wrote. It knows nothing of this project. BASE stands in for the image that the Dockerfile names.
#   bareOracle.sh TASK SOLUTION BASE
set -euo pipefail
task=$1 solution=$2 base=$3
export DOCKER_BUILDKIT=0

context=$(mktemp -d)
container=
image=
cleanup() {
  rm -rf "$context"
  if [ -n "$container" ]; then docker rm -f "$container" > /dev/null; fi
  if [ -n "$image" ]; then docker rmi "$image" > /dev/null 2>&1 || true; fi
}
trap cleanup EXIT

cp -r "$task/environment/." "$context"
sed -i "s|^FROM .*|FROM $base|" "$context/Dockerfile"
image=$(docker build --quiet --network none "$context" 2> /dev/null)
container=$(docker create --network none "$image" sleep infinity)
docker start "$container" > /dev/null

docker exec -u root "$container" bash -c 'mkdir -p /solution /tests /logs/verifier && chmod 777 /logs/verifier'
docker cp "$solution/." "$container:/solution" > /dev/null 2>&1
docker exec "$container" bash /solution/solve.sh >&2
docker cp "$task/tests/." "$container:/tests" > /dev/null 2>&1
docker exec -u root "$container" chmod +x /tests/test.sh
docker exec "$container" bash -c '(/tests/test.sh) > /logs/verifier/test-stdout.txt 2>&1' || true
docker exec "$container" bash -c 'cat /logs/verifier/reward.json 2> /dev/null || cat /logs/verifier/reward.txt'
