#!/bin/sh
# Runs $PROGRAM and ends it, with all that it started, when standard input closes: however whoever holds its other end came to
# their end. It kills its whole process group: start it as the leader of one.
("$PROGRAM" "$@" </dev/null; kill -KILL 0) &
cat >/dev/null
kill -KILL 0
