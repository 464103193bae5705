# For scripts that let peers talk to simulators: each simulator is on a domain of its own. Wants `programs`, the folder of the programs.

sim='' data=''
trap 'stop' EXIT

# A domain that no other test uses at the same time; the lock is held until the script ends.
claim_domain() {
    local locks=${TMPDIR:-/tmp}/sim_api_test_domains lock
    mkdir -p "$locks"
    for domain in $(seq 1 100); do
        exec {lock}> "$locks/$domain"
        if flock --nonblock "$lock"; then return; fi
        exec {lock}>&-
    done
    echo "All test domains are in use." >&2
    exit 1
}

# start WORLD MAPPING FLAG...: leaves the number of the domain in `domain` and where the API is in `address`.
start() {
    claim_domain
    data=$(mktemp --directory)
    # Students' commands read the login files of whoever runs this, if there are any.
    HOME=$data ROS_DOMAIN_ID=$domain ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST \
        "$programs/sim" up --config /dev/null --bind 127.0.0.1:0 --data "$data" --domain "$domain" --world "$1" \
        --ros-service-mapping "$2" "${@:3}" > "$data/log" 2>&1 &
    sim=$!
    for _ in $(seq 600); do
        grep --quiet 'The simulator is running' "$data/log" && break
        kill -0 $sim || break
        sleep 0.1
    done
    address=$(sed --quiet 's|.* API  *\(http://[^/]*\)/.*|\1|p' "$data/log")
    [[ -n $address ]] || { cat "$data/log" >&2; exit 1; }
}

stop() {
    if [[ -n $sim ]]; then
        kill "$sim" 2>/dev/null || true
        wait "$sim" 2>/dev/null || true
        rm -rf "$data"
        sim=''
    fi
}

# peer NAME COMMAND...: with what the simulator had to say, should it fail.
peer() {
    echo "== $1"
    timeout 400 "${@:2}" || { [[ -z $sim ]] || cat "$data/log" >&2; echo "$1: failed" >&2; exit 1; }
}
