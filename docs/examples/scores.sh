#!/bin/sh
# Who has how many points, or in one line why nobody knows: scores.sh http://192.168.1.20:8000 TABLE TOKEN
answer=$(curl --silent --show-error --header "Authorization: Bearer $3" "$1/api/v1/tables/$2") || exit
printf %s "$answer" | python3 -c '
import json, sys
try:
    told = json.load(sys.stdin)
except ValueError:
    sys.exit("what answers there is no Rollcall")
if "standing" not in told:
    sys.exit("refused: " + told["detail"])
for player in told["standing"]["players"]:
    print(player["place"], player["name"], player["score"])'
