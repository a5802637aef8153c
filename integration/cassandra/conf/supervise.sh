#!/bin/sh
# usage: supervise.sh GRACE FOLDER COMMAND...
#
# Runs COMMAND, a server, for as long as it has users. The standard input is a FIFO that every user keeps open for
# writing, so its end means that the last of them is gone, however it went. A user writes its name and a newline, and
# knows that it was counted when FOLDER/users/NAME appears; empty lines only ask whether anybody still reads.
#
# Users gone: the server gets SIGTERM, and SIGKILL after GRACE seconds. When the server has ended, its state is
# removed; the folder goes too, unless the server ended by itself or a user left its name behind (it failed, or was
# killed): then the logs are worth reading. Descriptor 3 is a lock that is free once everything here has ended.
PATH=$PATH:/usr/bin:/bin
grace=$1 folder=$2
shift 2
exec 4<&0 </dev/null
ulimit -n "$(ulimit -Hn)" 2>/dev/null

"$@" 4<&- &
server=$!
echo "$$" >"$folder/supervisor"
echo "$server" >"$folder/node1/pid"

(
	while IFS= read -r user <&4; do
		[ -z "$user" ] || : >"$folder/users/$user"
	done
	exec 4<&-
	: >"$folder/ending"
	kill -TERM "$server" 2>/dev/null
	while [ "$grace" -gt 0 ] && kill -0 "$server" 2>/dev/null; do
		sleep 1
		grace=$((grace - 1))
	done
	kill -KILL "$server" 2>/dev/null
) &
exec 4<&-

# A signal interrupts wait, so wait again until the server is really gone.
trap 'kill -TERM "$server" 2>/dev/null' HUP INT TERM
wait "$server"
while kill -0 "$server" 2>/dev/null; do
	wait "$server"
done

# Whoever is left of this process group only watched the server.
trap '' HUP INT TERM
kill -TERM 0
wait
rm -rf -- "$folder/node1/state"
if [ -e "$folder/ending" ] && rmdir "$folder/users" 2>/dev/null; then
	rm -rf -- "$folder"
fi
