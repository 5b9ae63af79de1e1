#!/bin/sh
# A tour of Milepost, for whoever connects another system to it: from an empty database to a finished experiment, by every
# operation of the specification and a few of ours. Each request is shown with its answer. It needs curl and a server that
# has nothing in it yet, such as `npm run dev` starts:
#
#   MILEPOST_URL=http://localhost:8080 MILEPOST_USER=admin MILEPOST_PASSWORD='...' sh docs/tutorials/tour.sh
#
# What it prints stands in tour.txt. It ends with 0, or says on stderr what is in the way: 2 a setting is missing,
# 3 not signed in, 5 there is something in the database, 6 nobody is there, 1 an answer was not the expected one.
set -eu

# --- How requests are sent -------------------------------------------------------------------------------------------

fail() { # exit code, sentences
  code=$1
  shift
  printf '%s\n' "$@" >&2
  exit "$code"
}

command -v curl >/dev/null || fail 2 'This tour needs curl, which is not installed here.'
[ -n "${MILEPOST_PASSWORD-}" ] || fail 2 'Set MILEPOST_PASSWORD to the password of an administrator.' \
  'Also read: MILEPOST_URL (http://localhost:8080) and MILEPOST_USER (admin).'
server=${MILEPOST_URL:-http://localhost:8080}
server=${server%/}
server=${server%/api/v2}
admin=${MILEPOST_USER:-admin}

# Passwords and secrets are in files that only we can read, and never in arguments, which everybody on a machine can see.
umask 077
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP

quoted() { printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g'; } # as curl's files want it, and JSON, too
lines_quoted() { quoted "$1" | sed 's/$/\\n/' | tr -d '\n'; }
sign_in() { printf 'user = "%s"\n' "$(quoted "$2:$3")" >"$folder/$1"; } # a name for the file, username, password
hold_secret() { printf 'header = "Authorization: Bearer %s"\n' "$(quoted "$2")" >"$folder/$1"; }

as=admin # whose file goes with a request
shown=   # what to show in place of a long body
sign_in admin "$admin" "$MILEPOST_PASSWORD"
cluster_password=$(od -An -tx1 -N16 /dev/urandom | tr -d ' \n') # of the account that the tour makes for a worker

send() { # method, path, body, headers: leaves $status, and the answer in files
  method=$1 path=$2 body=$3
  shift 3
  for header in "$@"; do
    set -- "$@" --header "$header"
    shift
  done
  [ -z "$body" ] || set -- "$@" --header 'Content-Type: application/json' --data-binary @-
  status=$(printf '%s' "$body" | curl --silent --show-error --globoff --max-time 60 --config "$folder/$as" \
    --request "$method" --dump-header "$folder/headers" --output "$folder/answer" --write-out '%{http_code}' "$@" "$server$path" \
    2>"$folder/complaint") || fail 6 "Nobody answers at $server: $(cat "$folder/complaint")" \
    'Is the server running, and is MILEPOST_URL its address?'
}

ask() { # method, path, the expected status, body, headers: sends it and shows both sides
  expected=$3
  printf '\n%s %s\n' "$1" "$2"
  method=$1 path=$2 body=${4-}
  shift $(($# > 4 ? 4 : $#))
  for header in "$@"; do printf '%s\n' "$header"; done
  [ -z "$body" ] || printf '%s\n' "${shown:-$body}" | hide_password
  shown=
  send "$method" "/api/v2$path" "$body" "$@"
  printf '=> %s\n' "$status"
  printf '%s\n' "$(cat "$folder/answer")" | hide_password
  [ "$status" = "$expected" ] || fail 1 '' "The tour ends here: it expected $expected, and the answer was $status."
}

hide_password() { sed "s/$cluster_password/********/g"; }
header() { grep -i "^$1:" "$folder/headers" | sed 's/^[^:]*: *//' | tr -d '\r'; }
show_header() { printf '%s: %s\n' "$1" "$(header "$1")"; }
value() { tr ',{}[]' '\n\n\n\n\n' <"$folder/answer" | sed -n "s/^\"$1\"://p" | tr -d '"' | sed -n 1p; } # the first of that name
chapter() { printf '\n\n## %s\n' "$1"; }
say() {
  printf '\n'
  printf '# %s\n' "$@"
}

# --- Is somebody there, may we come in, is it empty? -------------------------------------------------------------------

send GET /-/versions ''
grep -q '"2.0":"/api/v2"' "$folder/answer" || fail 6 "What answers at $server is not a Milepost that speaks version 2.0."
send GET '/api/v2/users?limit=2' ''
case $status in
200) ;;
401) fail 3 "The server does not let $admin in with this password: check MILEPOST_USER and MILEPOST_PASSWORD." ;;
403) fail 3 "$admin is known, but is no administrator: the tour makes accounts and workflows." ;;
*) fail 1 "The server answered $status: $(cat "$folder/answer")" ;;
esac
for list in cohorts workflows external_systems scantypes; do
  send GET "/api/v2/$list?limit=1" ''
  [ "$(cat "$folder/answer")" = "{\"$list\":[]}" ] || fail 5 "There are $list in this database already. The tour is for an empty one:" \
    'stop `npm run dev`, delete its folder .data, start it again, and take the new password.'
done

# --- The tour ----------------------------------------------------------------------------------------------------------

chapter 'The surroundings'

say 'A configuration names roles, accounts, other systems and types of scans. It is a text in YAML:'
configuration="\
roles: [{name: worker, description: Runs callbacks, permissions: [worker_run]}]
users: [{username: cluster, email: cluster@example.org, password: $cluster_password, roles: [worker]}]
external_systems: [{system_name: XNAT, url: https://old.example.org}, {system_name: FORMS, url: https://forms.example.org}]
scantypes: [{modality: MR, protocol: T1}, {modality: MR, protocol: FLAIR}]"
printf '\n%s\n' "$configuration" | hide_password
shown='{"config_definition": "(this text)"}'
ask POST /service/config/import-config 201 "{\"config_definition\": \"$(lines_quoted "$configuration")\"}"
cluster=$(sed 's/.*"users"//' "$folder/answer" | tr ',{' '\n\n' | sed -n 's/^"id"://p')
role=$(sed 's/.*"roles"//' "$folder/answer" | tr ',{' '\n\n' | sed -n 's/^"id"://p' | sed -n 1p)
sign_in cluster cluster "$cluster_password"

say 'POST leaves alone what is there; PUT overwrites it.'
ask PUT /service/config/import-config 200 '{"config_definition": "external_systems: [{system_name: XNAT, url: https://xnat.example.org}]"}'
ask GET /external_systems 200
ask GET /external_systems/by-name/XNAT 200
ask GET "/external_systems/$(value id)" 200
ask GET /scantypes 200
scantype=$(value id)
ask GET "/scantypes/$scantype" 200
ask GET /roles 200
ask GET "/roles/$role" 200

say 'An account for a person, who may move experiments: for that there is the role superuser.'
ask POST /users 201 "{\"username\": \"ann\", \"email\": \"ann@example.org\", \"password\": \"$cluster_password\"}"
ann=$(value id)
ask PUT "/users/$ann" 200 '{"name": "Ann Example"}'
ask PUT /users/ann/roles/superuser 200
ask DELETE /users/ann/roles/user 200
ask GET "/users/$ann" 200
ask GET /users 200

chapter 'A workflow'

say 'Two ways lead from arrived: one that is open only when the archive knows the experiment, and one for people.' \
  'In segmenting a program of yours has to do something. It decides what follows.'
workflow='label: tour
initial: arrived
states:
  - label: arrived
    freetext: The pictures are in the archive
    transitions:
      - {destination: segmenting, condition: "experiment.external_ids['\''XNAT'\''] != null"}
      - {destination: withdrawn, by: person}
  - label: segmenting
    callbacks:
      - label: segmentation
        function: worker
        callback_arguments: {queue: tour, payload: {series: T1, session: "{{experiment.external_ids.XNAT}}"}}
        variable_map: {volume: /volume_ml}
    transitions:
      - {destination: reported, condition: "callbacks['\''segmentation'\''].result == '\''success'\'' && experiment.variables['\''volume'\''] > 0"}
      - {destination: arrived}
  - label: reported
  - label: withdrawn'
printf '\n%s\n' "$workflow"
definition="{\"workflow_definition\": \"$(lines_quoted "$workflow")\"}"
shown='{"workflow_definition": "(this text)"}'
ask POST /service/config/import-workflow 201 "$definition"
ask GET "/workflows/$(value id)" 200
say 'The same again changes nothing, so a script may import at every start.'
shown='{"workflow_definition": "(this text)"}'
ask POST /service/config/import-workflow 200 "$definition" 'X-Fields: label,outcome'
ask GET /workflows 200
ask GET /workflows/by-label/tour 200
ask GET /workflows/tour/states 200
ask GET /workflows/tour/states/segmenting 200
state=$(value id)
ask GET "/states/$state" 200 '' 'X-Fields: label,callbacks'
ask GET /states 200
ask GET /transitions 200
ask GET "/transitions/$(value id)" 200
ask GET /callbacks 200
callback=$(value id)
say 'A callback can be changed without the file. run_timeout is in minutes.'
ask PUT "/callbacks/$callback" 200 '{"description": "Measures the hippocampus", "run_timeout": 720}'
ask GET "/callbacks/$callback" 200 '' 'X-Fields: label,description,run_timeout'

chapter 'A cohort and its subjects'

ask POST /cohorts 201 '{"label": "memory-clinic"}'
cohort=$(value id)
ask PUT "/cohorts/$cohort" 200 '{"description": "Seen by the memory clinic"}'
say 'Where the cohort is in other systems. POST adds several at once, PUT sets one, DELETE removes one.'
ask POST "/cohorts/$cohort/external_urls" 201 '{"external_urls": {"FORMS": "https://forms.example.org/mc"}}'
ask PUT "/cohorts/$cohort/external_urls/XNAT" 201 '{"external_url": "https://xnat.example.org/data/projects/MC"}'
ask DELETE "/cohorts/$cohort/external_urls/FORMS" 200
ask GET "/cohorts/$cohort/external_urls" 200

say 'An answer can get lost. With an Idempotency-Key, the same request again has no second effect, but the same answer.'
subject='{"label": "MC-0041", "cohort_label": "memory-clinic", "date_of_birth": "1950-12-31"}'
ask POST /subjects 201 "$subject" 'Idempotency-Key: subject-MC-0041'
ask POST /subjects 201 "$subject" 'Idempotency-Key: subject-MC-0041'
show_header Idempotency-Replayed
subject=$(value id)
say 'Without it, the second is a duplicate. A problem has a code for programs and a sentence for people.'
ask POST /subjects 409 '{"label": "MC-0041", "cohort_label": "memory-clinic"}'
say 'So it is with every fault: what is wrong, where, and what would be right.'
ask POST /subjects 400 '{"lable": "MC-0042", "cohort_label": "memory-clinic"}'
ask POST /subjects 201 '{"label": "MC-0042", "cohort_label": "memory-clinic"}'

say 'Lists are complete unless a limit is asked for. A page names the next one in the header Link.'
ask GET '/subjects?limit=1' 200
show_header Link
next=$(header Link | sed 's/^<[^>]*\/api\/v2\([^>]*\)>.*/\1/')
ask GET "$next" 200
ask GET '/subjects?cohort_label=memory-clinic&offset=1' 200
say 'Everything has an address by id, and most things one by label. X-Fields asks for some fields only.'
ask GET "/subjects/$subject" 200 '' 'X-Fields: {label,cohort{label}}'
say 'ETag is the version of what is shown. With If-Match, a change is made only if nobody else was faster.'
ask GET "/subjects/$subject" 200 '' 'X-Fields: date_of_birth'
show_header ETag
version=$(header ETag)
ask PUT "/subjects/$subject" 200 '{"date_of_birth": "1951-12-31"}' "If-Match: $version"
ask PUT "/subjects/$subject" 412 '{"date_of_birth": "1949-12-31"}' "If-Match: $version"
ask GET /cohorts 200
ask GET "/cohorts/$cohort" 200
ask GET /cohorts/by-label/memory-clinic 200 '' 'X-Fields: {subjects{label}}'
ask GET /cohorts/memory-clinic/subjects 200
ask GET /cohorts/memory-clinic/subjects/MC-0041 200

say 'What the subject is called elsewhere: as a map, or as links with an id of their own. They are two views of one thing.'
ask POST "/subjects/$subject/external_ids" 201 '{"external_ids": {"FORMS": "P-41"}}'
ask PUT "/subjects/$subject/external_ids/XNAT" 201 '{"external_id": "XNAT_S00041"}'
ask DELETE "/subjects/$subject/external_ids/FORMS" 200
ask POST /external_subject_links 201 "{\"subject_id\": $subject, \"external_system\": \"FORMS\", \"external_id\": \"P-0041\"}"
ask GET "/external_subject_links/$(value id)" 200
ask GET "/subjects/$subject/external_ids" 200
say 'There is one link of a subject to a system. POST makes it, PUT replaces it.'
ask POST /external_subject_links 409 "{\"subject_id\": $subject, \"external_system\": \"XNAT\", \"external_id\": \"XNAT_S00042\"}"
ask PUT /external_subject_links 200 "{\"subject_id\": $subject, \"external_system\": \"XNAT\", \"external_id\": \"XNAT_S00042\"}"
ask GET /external_subject_links 200 '' 'X-Fields: external_subject_links{subject{label},external_system{system_name},external_id}'

chapter 'An experiment'

say 'scandate is what the clock beside the scanner showed.'
ask POST /experiments 201 "{\"label\": \"baseline\", \"subject_id\": $subject, \"workflow_label\": \"tour\", \"scandate\": \"2026-03-02T09:30:00\"}"
experiment=$(value id)
ask POST /scans 201 "{\"experiment_id\": $experiment, \"scantype_protocol\": \"T1\"}"
ask GET "/scans/$(value id)" 200
ask GET /scans 200 '' 'X-Fields: scans{experiment{label},scantype{protocol}}'
ask GET '/experiments?state=arrived&scandate=2026-03-02' 200
ask GET "/experiments/$experiment" 200
ask GET /cohorts/memory-clinic/subjects/MC-0041/experiments 200
ask GET /cohorts/memory-clinic/subjects/MC-0041/experiments/baseline 200 '' 'X-Fields: {label,state{label},subject{label}}'

chapter 'Moving it'

say 'The archive does not know the experiment yet, so this way is closed. The refusal says why, and which ways are open.'
ask PUT "/experiments/$experiment/state" 409 '{"state_label": "segmenting"}'
say 'So tell what it is called there.'
ask PUT "/experiments/$experiment/external_ids/XNAT" 201 '{"external_id": "XNAT_E00112"}'
say 'The same as a link: the experiment is given by id, uri or label.'
ask GET /external_experiment_links 200
ask GET "/external_experiment_links/$(value id)" 200 '' 'X-Fields: {experiment{label},external_id}'
ask POST /external_experiment_links 409 '{"experiment": "baseline", "external_system": "XNAT", "external_id": "XNAT_E00113"}'
ask PUT /external_experiment_links 200 '{"experiment": "baseline", "external_system": "XNAT", "external_id": "XNAT_E00113"}' 'X-Fields: external_id'
ask POST "/experiments/$experiment/external_ids" 201 '{"external_ids": {"FORMS": "visit 1"}}'
ask DELETE "/experiments/$experiment/external_ids/FORMS" 200
ask POST /external_experiment_links 201 '{"experiment": "baseline", "external_system": "FORMS", "external_id": "visit-1"}' 'X-Fields: external_id'
ask GET "/experiments/$experiment/external_ids" 200
say 'Now the way is open. expected_state refuses the move if somebody else was faster.'
ask PUT "/experiments/$experiment/state" 200 '{"state_label": "segmenting", "freetext": "The archive has it", "expected_state": "arrived"}'
ask GET "/states/$state/experiments" 200

chapter 'A program does its part'

say 'The move has made an execution of the callback. A program with the permission worker_run takes it from its queue.'
as=cluster
ask POST /worker/claims 200 '{"queues": ["tour"], "wait_seconds": 20}'
execution=$(value id)
hold_secret execution "$(value secret)"
say 'From here on it needs no account: the secret of the claim opens this execution, and nothing else.' \
  'While it works it says so, at least every lease_seconds. Otherwise another gets the work.'
as=execution
ask PUT "/worker/claims/$execution" 200 '{"log": "Segmenting T1\n"}'
say 'Executions that take too long are ended by workers every 15 seconds, or when somebody asks for it. This one has time.'
as=admin
ask POST /service/check_timeouts 200
say 'The end. In the same step the action ends, the variable volume is set, and the experiment moves on.'
as=execution
ask PUT "/callback_executions/$execution" 200 '{"status": "finished", "result": "success", "result_values": {"volume_ml": 3.1}}' \
  'X-Fields: status,result,result_values,run_log,experiment{label,state{label},variable_map}'

as=admin
ask GET "/callback_executions/$execution" 200 '' 'X-Fields: status,result,created,run_start,finished,action{id,success,end_time}'
say 'An action can be corrected afterwards. That is on record, too, and moves nothing.'
ask GET '/actions?limit=1' 200
action=$(value id)
ask PUT "/actions/$action" 200 '{"return_value": "Brought over from the list of the clinic"}' 'X-Fields: id,return_value'
ask GET "/actions/$action" 200
say 'The accounts of this tour can sign in no more; what they did stays on record.'
ask DELETE "/users/$ann" 200
ask DELETE "/users/$cluster" 200

chapter 'The end'

ask GET "/experiments/$experiment/state" 200
[ "$(value label)" = reported ] || fail 1 '' 'The tour ends here: the experiment should be in the state reported.'
say 'How it came there: every move is an action. return_value tells which transitions were tried, and what came of it.'
ask GET "/experiments/$experiment/actions" 200
