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
#
# Where FOLDER/again is a FIFO, a server that ended while it has users keeps its state and runs anew when somebody
# writes "start" there.
PATH=$PATH:/usr/bin:/bin
grace=$1 folder=$2
shift 2
exec 4<&0 </dev/null
ulimit -n "$(ulimit -Hn)" 2>/dev/null

launch() {
	"$@" 4<&- &
	server=$!
	echo "$server" >"$folder/node1/pid"
}

# What runs now: the watcher of the users knows it by this file, because it may have been started since.
tell() { kill "$1" "$(cat "$folder/node1/pid")" 2>/dev/null; }

launch "$@"
echo "$$" >"$folder/supervisor"

(
	while IFS= read -r user <&4; do
		[ -z "$user" ] || : >"$folder/users/$user"
	done
	exec 4<&-
	: >"$folder/ending"
	tell -TERM
	while [ "$grace" -gt 0 ] && tell -0; do
		sleep 1
		grace=$((grace - 1))
	done
	tell -KILL
	[ ! -p "$folder/again" ] || echo end >"$folder/again"
) &
exec 4<&-

# A signal interrupts wait, so wait again until the server is really gone.
trap 'kill -TERM "$server" 2>/dev/null' HUP INT TERM
while :; do
	wait "$server"
	while kill -0 "$server" 2>/dev/null; do
		wait "$server"
	done
	[ -p "$folder/again" ] && [ ! -e "$folder/ending" ] || break
	order=
	read -r order <"$folder/again"
	[ "$order" = start ] || break
	launch "$@" >>"$folder/node1/logs/output.log" 2>&1
	[ ! -e "$folder/ending" ] || tell -KILL
done

# Whoever is left of this process group only watched the server.
trap '' HUP INT TERM
kill -TERM 0
wait
rm -rf -- "$folder/node1/state"
if [ -e "$folder/ending" ] && rmdir "$folder/users" 2>/dev/null; then
	rm -rf -- "$folder"
fi
