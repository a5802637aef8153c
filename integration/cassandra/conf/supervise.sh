#!/bin/sh
# usage: supervise.sh GRACE FOLDER COMMAND...
#
# Runs COMMAND, a server, while it has users. The standard input is a FIFO that every user keeps open for writing, so
# end of file means that the last user has ended or was killed. A user writes its name and a newline. It has been
# counted when FOLDER/users/NAME exists. Empty lines only test whether the FIFO is still read.
#
# After the last user, the server gets SIGTERM, and SIGKILL after GRACE seconds. SIGTERM is repeated each second, because a
# process can lose it between fork and exec. When the server has ended, its state is removed. The folder is removed, too,
# unless the server ended by itself or the file of a user still exists (the user failed or was killed): then the logs are
# kept. Descriptor 3 is a lock that is free when all processes have ended.
#
# If FOLDER/again is a FIFO, a server that ended while it has users keeps its state, and is started again when "start"
# is written there.
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

# tell sends a signal to the running server, which the file identifies, because it may have been started again.
tell() { kill "$1" "$(cat "$folder/node1/pid")" 2>/dev/null; }

launch "$@"
echo "$$" >"$folder/supervisor"

(
	while IFS= read -r user <&4; do
		[ -z "$user" ] || : >"$folder/users/$user"
	done
	exec 4<&-
	: >"$folder/ending"
	while [ "$grace" -gt 0 ] && tell -TERM; do
		sleep 1
		grace=$((grace - 1))
	done
	tell -KILL
	[ ! -p "$folder/again" ] || echo end >"$folder/again"
) &
exec 4<&-

# A signal interrupts wait, so wait again until the server has ended.
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

# The other processes of this process group only watch the server.
trap '' HUP INT TERM
kill -TERM 0
wait
rm -rf -- "$folder/node1/state"
if [ -e "$folder/ending" ] && rmdir "$folder/users" 2>/dev/null; then
	rm -rf -- "$folder"
fi
