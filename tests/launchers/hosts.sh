#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `lanes gather HOST:DIR` over real ssh to two "hosts" of this machine: network namespaces with a sshd each, and what goes
# wrong on the way. Needs root and Debian's openssh-server; no GPU. No part of ./dev test.
#
# usage: hosts.sh BUILD RECORDINGS
#   BUILD       a build folder with bin/lanes
#   RECORDINGS  a folder of recordings, one a rank (rank0.sqlite or rank0.spool, ...): half of them lie on each host
#
# DELAY=MS delays each direction by so many ms (default 2): by netem where the kernel has it, else by a ProxyCommand.
# The hosts share this machine's clock, so that the truth is 0: each answer of a clock must bound it. Prints a line a case; exit
# status 0 if every one passed.
set -uo pipefail
[ $# -eq 2 ] || { sed -n '/^# usage/,/^# status/p' "$0"; exit 2; }
build=$(realpath "$1") recordings=$(realpath "$2")
delay=${DELAY:-2}
lanes=$build/bin/lanes
out=$(mktemp -d)
daemons=()
spaces=()
finish() {
    local each
    for each in "${daemons[@]}"; do kill "$each" 2>/dev/null; done
    wait 2>/dev/null
    for each in "${spaces[@]}"; do ip netns delete "$each" 2>/dev/null; done
    rm -rf "$out"
}
trap finish EXIT
failed=0
report() { # NAME STATUS DETAILS
    [ "$2" -eq 0 ] && echo "$1: passed${3:+: $3}" || { echo "$1: FAILED: $3"; failed=1; }
}

# ---- two hosts, their keys, and the user's ssh configuration
mkdir -p "$out/keys" "$out/home" /run/sshd
ssh-keygen -q -t ed25519 -N '' -f "$out/keys/user"
netem=no
start_host() { # NUMBER
    local name=lanes-host$1 home=$out/host$1
    mkdir -p "$home/run"
    ssh-keygen -q -t ed25519 -N '' -f "$out/keys/host$1"
    cp "$out/keys/user.pub" "$out/keys/authorized$1"
    ip netns add "$name" || exit 1
    spaces+=("$name")
    ip link add "lanes$1" type veth peer name eth0 netns "$name"
    ip addr add "10.77.$1.1/24" dev "lanes$1"
    ip link set "lanes$1" up
    ip -n "$name" addr add "10.77.$1.2/24" dev eth0
    ip -n "$name" link set eth0 up
    ip -n "$name" link set lo up
    if tc qdisc add dev "lanes$1" root netem delay "${delay}ms" 2>/dev/null; then
        netem=yes
        tc -n "$name" qdisc add dev eth0 root netem delay "${delay}ms"
    fi
    # Each host has lanes in its PATH and a folder of its own as HOME.
    cat >"$out/sshd$1" <<CONF
Port 22
HostKey $out/keys/host$1
AuthorizedKeysFile $out/keys/authorized$1
StrictModes no
PidFile none
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
SetEnv PATH=$build/bin:/usr/bin:/bin HOME=$home LANES_RESOURCES=${LANES_RESOURCES:-}
CONF
    ip netns exec "$name" "$(command -v sshd)" -D -e -f "$out/sshd$1" >"$out/sshd$1.log" 2>&1 &
    daemons+=($!)
}
cat >"$out/slow" <<'PYTHON'
#!/usr/bin/env python3
# A connection that delays each direction by the same time, and drops it after so many bytes have come back.
import os, socket, sys, threading, time
host, delay, most = sys.argv[1], float(sys.argv[2]) / 1000, int(sys.argv[3])
link = socket.create_connection((host, 22))
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
def carry(read, write, limit, end):
    total, late = 0, []
    wake = threading.Condition()
    def put():
        while True:
            with wake:
                while not late:
                    wake.wait()
                due, data = late.pop(0)
            if not data:
                end()
                return
            time.sleep(max(0, due - time.monotonic()))
            write(data)
    writer = threading.Thread(target=put)
    writer.start()
    while True:
        data = read()
        total += len(data)
        with wake:
            late.append((time.monotonic() + delay, data if total <= limit else b""))
            wake.notify()
        if not data or total > limit:
            break
    writer.join()
def write_out(data):
    while data:
        data = data[os.write(1, data):]
def cut():
    os._exit(0)
threading.Thread(target=carry, args=(lambda: os.read(0, 65536), link.sendall, 1 << 60,
                                     lambda: link.shutdown(socket.SHUT_WR)), daemon=True).start()
carry(lambda: link.recv(65536), write_out, most, cut)
PYTHON
chmod +x "$out/slow"
configure() { # BYTES after which the connection is cut
    : >"$out/config"
    local i
    for i in 1 2; do
        cat >>"$out/config" <<CONF
Host node$i
HostName 10.77.$i.2
User root
IdentityFile $out/keys/user
UserKnownHostsFile $out/known
StrictHostKeyChecking accept-new
LogLevel ERROR
CONF
        { [ $netem = yes ] && [ "$1" -ge 1000000000 ]; } || {
            local each=$delay
            [ $netem = yes ] && each=0
            echo "ProxyCommand $out/slow %h $each $1" >>"$out/config"
        }
    done
}
mkdir "$out/bin"
printf '#!/bin/sh\nexec /usr/bin/ssh -F %s "$@"\n' "$out/config" >"$out/bin/ssh"
chmod +x "$out/bin/ssh"
export PATH=$out/bin:$PATH
start_host 1
start_host 2
number=0
shopt -s nullglob
for file in "$recordings"/rank*.sqlite "$recordings"/rank*.spool; do
    cp "$file" "$out/host$((number++ % 2 + 1))/run/"
done
configure 1000000000000
for i in $(seq 40); do
    ssh node1 true 2>/dev/null && ssh node2 true 2>/dev/null && break
    sleep 0.25
done
gather() { # NAME, then options
    local name=$1
    shift
    "$lanes" gather "node1:$out/host1/run" "node2:$out/host2/run" -o "$out/$name.lanes" "$@" >"$out/$name.out" 2>"$out/$name.err"
}

# ---- as it should be: all ranks, and each round bounds the true offset, which is 0
begin=$(date +%s.%N)
gather plain
status=$?
took=$(echo "$(date +%s.%N) $begin" | awk '{printf "%.1f", $1 - $2}')
python3 - "$out/plain.lanes" "$number" "$delay" >"$out/plain.said" 2>&1 <<'PYTHON'
import sqlite3, sys
path, number, delay = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
rows = sqlite3.connect(path).execute("SELECT rank, host, file, rounds FROM rank").fetchall()
assert len(rows) == number, f"{len(rows)} ranks, expected {number}"
halves = []
for rank, host, file, rounds in rows:
    assert file.startswith("node"), file
    for line in (rounds or "").splitlines():
        sent, there, back, asker = line.split(" ", 3)
        assert int(sent) <= int(there) <= int(back), f"the answer of rank {rank}'s clock is outside of its round"
        halves.append((int(back) - int(sent)) / 2e6)
if halves:
    assert min(halves) >= delay * 0.9, f"a round of {2 * min(halves):.2f} ms is shorter than the delay"
    print(f"{number} ranks; {len(halves)} rounds, the narrowest +- {min(halves):.2f} ms at {delay} ms each way")
else:
    print(f"{number} ranks; no rounds: the recordings do not say their boot id, or it is another")
PYTHON
status=$((status + $?))
report "two hosts, ${delay} ms each way by $([ $netem = yes ] && echo netem || echo a ProxyCommand)" $status \
    "$(tail -1 "$out/plain.said") in $took s"

# ---- a login shell that talks, and one that ends its text without a line's end
printf 'echo "Welcome to $HOSTNAME"\nprintf "last login: never"\n' | tee "$out/host1/.bashrc" >"$out/host2/.bashrc"
gather noisy
report "a noisy .bashrc" $? "$(tail -1 "$out/noisy.err")"
rm "$out/host1/.bashrc" "$out/host2/.bashrc"

# ---- whole recordings of two ranks
gather full --full 0-1
status=$?
for file in "$out/full.lanes.full"/*; do
    rank=$(basename "$file" | sed 's/rank0*\([0-9]\).*/\1/')
    cmp -s "$file" "$recordings/rank$rank.${file##*.}" || status=1
done
report "--full 0-1" $status "$(find "$out/full.lanes.full" -type f 2>/dev/null | wc -l) recordings, the same bytes $(tail -1 "$out/full.err")"

# ---- a connection that is cut in the midst: no job, no half file
configure 20000
gather cut
status=$?
[ $status -ne 0 ] && [ ! -e "$out/cut.lanes" ] && status=0 || status=1
report "a connection cut after 20 kB" $status "$(tail -1 "$out/cut.err")"
configure 1000000000000

# ---- a full disk here
(
    trap '' XFSZ
    ulimit -f 4 # kB
    exec "$lanes" gather "node1:$out/host1/run" "node2:$out/host2/run" -o "$out/disk.lanes" 2>"$out/disk.err"
)
status=$?
[ $status -eq 1 ] && [ ! -e "$out/disk.lanes" ] && status=0 || status=1
report "a full disk" $status "$(tail -1 "$out/disk.err")"

# ---- a host without lanes, and one that is not there
sed -i "s|PATH=$build/bin:|PATH=|" "$out/sshd2"
kill "${daemons[1]}"
sleep 0.3
ip netns exec lanes-host2 "$(command -v sshd)" -D -e -f "$out/sshd2" >"$out/sshd2.log" 2>&1 &
daemons+=($!)
sleep 0.5
gather nolanes
status=$?
[ $status -eq 2 ] && grep -q "found no lanes there" "$out/nolanes.err" && status=0 || status=1
report "no lanes there" $status "$(tail -1 "$out/nolanes.err")"
"$lanes" gather "node3.invalid:/tmp" -o "$out/none.lanes" 2>"$out/none.err"
status=$?
[ $status -eq 2 ] && status=0 || status=1
report "no such host" $status "$(tail -1 "$out/none.err")"
exit $failed
