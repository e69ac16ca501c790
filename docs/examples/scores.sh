#!/bin/sh
# Who has how many points: scores.sh http://192.168.1.20:8000 TABLE TOKEN
curl --silent --show-error --fail --header "Authorization: Bearer $3" "$1/api/v1/tables/$2" |
  python3 -c 'import json, sys; [print(p["place"], p["name"], p["score"]) for p in json.load(sys.stdin)["standing"]["players"]]'
