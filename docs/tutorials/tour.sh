#!/bin/sh
# An API tour for developers who integrate with Milepost. It takes an experiment from an empty database to a final state, calls
# every specified operation at least once, and prints each request with its response. It needs curl and an empty installation:
#
#   npm run dev -- --data tour-data
#   MILEPOST_URL=http://localhost:8080 MILEPOST_USER=admin MILEPOST_PASSWORD='...' sh docs/tutorials/tour.sh
#
# tour.txt has the output. Exit codes: 0 done, 1 unexpected response, 2 missing setting, 3 not signed in, 5 database not empty,
# 6 server not reachable.
set -eu

# --- Functions -------------------------------------------------------------------------------------------------------

fail() { # exit code, lines of the message
  code=$1
  shift
  printf '%s\n' "$@" >&2
  exit "$code"
}

command -v curl >/dev/null || fail 2 'The tour needs curl. Install it and try again.'
[ -n "${MILEPOST_PASSWORD-}" ] || fail 2 'Set MILEPOST_PASSWORD to the password of an administrator.' \
  'Optional: MILEPOST_URL (default http://localhost:8080) and MILEPOST_USER (default admin).'
server=${MILEPOST_URL:-http://localhost:8080}
server=${server%/}
server=${server%/api/v2}
admin=${MILEPOST_USER:-admin}

# Passwords and secrets go into private files. Other users of the machine can see command-line arguments.
umask 077
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP

quoted() { printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g'; } # for curl config files and JSON
lines_quoted() { quoted "$1" | sed 's/$/\\n/' | tr -d '\n'; }
sign_in() { printf 'user = "%s"\n' "$(quoted "$2:$3")" >"$folder/$1"; } # file name, username, password
hold_secret() { printf 'header = "Authorization: Bearer %s"\n' "$(quoted "$2")" >"$folder/$1"; }

as=admin # the credentials to send
shown=   # printed instead of a long body
sign_in admin "$admin" "$MILEPOST_PASSWORD"
cluster_password=$(od -An -tx1 -N16 /dev/urandom | tr -d ' \n') # for the worker account

send() { # method, path, body, headers: sets $status and writes the response to files
  method=$1 path=$2 body=$3
  shift 3
  for header in "$@"; do
    set -- "$@" --header "$header"
    shift
  done
  [ -z "$body" ] || set -- "$@" --header 'Content-Type: application/json' --data-binary @-
  status=$(printf '%s' "$body" | curl --silent --show-error --globoff --max-time 60 --config "$folder/$as" \
    --request "$method" --dump-header "$folder/headers" --output "$folder/answer" --write-out '%{http_code}' "$@" "$server$path" \
    2>"$folder/complaint") || fail 6 "Cannot reach $server: $(cat "$folder/complaint")" \
    'Start the server, or set MILEPOST_URL to its address.'
}

ask() { # method, path, expected status, body, headers: sends the request, prints it and the response
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
  [ "$status" = "$expected" ] || fail 1 '' "The tour stopped. Expected status $expected, received $status."
}

hide_password() { sed "s/$cluster_password/********/g"; }
header() { grep -i "^$1:" "$folder/headers" | sed 's/^[^:]*: *//' | tr -d '\r'; }
show_header() { printf '%s: %s\n' "$1" "$(header "$1")"; }
value() { tr ',{}[]' '\n\n\n\n\n' <"$folder/answer" | sed -n "s/^\"$1\"://p" | tr -d '"' | sed -n 1p; } # the first field with that name
chapter() { printf '\n\n## %s\n' "$1"; }
say() {
  printf '\n'
  printf '# %s\n' "$@"
}

# --- Checks ----------------------------------------------------------------------------------------------------------

send GET /-/versions ''
grep -q '"2.0":"/api/v2"' "$folder/answer" || fail 6 "The server at $server is not a Milepost server with API version 2.0."
send GET '/api/v2/users?limit=2' ''
case $status in
200) ;;
401) fail 3 "Sign-in as $admin failed. Check MILEPOST_USER and MILEPOST_PASSWORD." ;;
403) fail 3 "$admin is not an administrator. The tour creates accounts and workflows." ;;
*) fail 1 "The server returned $status: $(cat "$folder/answer")" ;;
esac
for list in cohorts workflows external_systems scantypes; do
  send GET "/api/v2/$list?limit=1" ''
  [ "$(cat "$folder/answer")" = "{\"$list\":[]}" ] || fail 5 "The database already has $list. The tour needs an empty installation." \
    'Start one in a new folder: npm run dev -- --data tour-data'
done

# --- The tour ----------------------------------------------------------------------------------------------------------

chapter 'Configuration'

say 'A configuration defines roles, accounts, external systems and scan types. It is a YAML document:'
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

say 'POST adds what is new and keeps what exists. PUT also overwrites what exists.'
ask PUT /service/config/import-config 200 '{"config_definition": "external_systems: [{system_name: XNAT, url: https://xnat.example.org}]"}'
ask GET /external_systems 200
ask GET /external_systems/by-name/XNAT 200
ask GET "/external_systems/$(value id)" 200
ask GET /scantypes 200
scantype=$(value id)
ask GET "/scantypes/$scantype" 200
ask GET /roles 200
ask GET "/roles/$role" 200

say 'Create an account for a person. The role superuser allows moving experiments.'
ask POST /users 201 "{\"username\": \"ann\", \"email\": \"ann@example.org\", \"password\": \"$cluster_password\"}"
ann=$(value id)
ask PUT "/users/$ann" 200 '{"name": "Ann Example"}'
ask PUT /users/ann/roles/superuser 200
ask DELETE /users/ann/roles/user 200
ask GET "/users/$ann" 200
ask GET /users 200

chapter 'A workflow'

say 'Two transitions leave arrived. One requires an XNAT ID. The other can be taken by people only.' \
  'In segmenting, a program of yours runs. Its result decides the next state.'
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
say 'Importing the same file again changes nothing, so a script can import it at every start.'
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
say 'You can change a callback without importing a file. run_timeout is in minutes.'
ask PUT "/callbacks/$callback" 200 '{"description": "Measures the hippocampus", "run_timeout": 720}'
ask GET "/callbacks/$callback" 200 '' 'X-Fields: label,description,run_timeout'

chapter 'A cohort and its subjects'

ask POST /cohorts 201 '{"label": "memory-clinic"}'
cohort=$(value id)
ask PUT "/cohorts/$cohort" 200 '{"description": "Seen by the memory clinic"}'
say 'Store the URLs of the cohort in external systems. POST adds several, PUT sets one, DELETE removes one.'
ask POST "/cohorts/$cohort/external_urls" 201 '{"external_urls": {"FORMS": "https://forms.example.org/mc"}}'
ask PUT "/cohorts/$cohort/external_urls/XNAT" 201 '{"external_url": "https://xnat.example.org/data/projects/MC"}'
ask DELETE "/cohorts/$cohort/external_urls/FORMS" 200
ask GET "/cohorts/$cohort/external_urls" 200

say 'A response can get lost. With an Idempotency-Key you can repeat a request: it runs once and returns the same response.'
subject='{"label": "MC-0041", "cohort_label": "memory-clinic", "date_of_birth": "1950-12-31"}'
ask POST /subjects 201 "$subject" 'Idempotency-Key: subject-MC-0041'
ask POST /subjects 201 "$subject" 'Idempotency-Key: subject-MC-0041'
show_header Idempotency-Replayed
subject=$(value id)
say 'Without the key, the second request fails as a duplicate. A problem has a code for programs and a detail for people.'
ask POST /subjects 409 '{"label": "MC-0041", "cohort_label": "memory-clinic"}'
say 'An invalid request returns a list of errors, each with its position.'
ask POST /subjects 400 '{"lable": "MC-0042", "cohort_label": "memory-clinic"}'
ask POST /subjects 201 '{"label": "MC-0042", "cohort_label": "memory-clinic"}'

say 'Lists are complete unless you set a limit. A page names the next page in the header Link.'
ask GET '/subjects?limit=1' 200
show_header Link
next=$(header Link | sed 's/^<[^>]*\/api\/v2\([^>]*\)>.*/\1/')
ask GET "$next" 200
ask GET '/subjects?cohort_label=memory-clinic&offset=1' 200
say 'Every resource has a URL by ID, and most also by label. X-Fields selects fields.'
ask GET "/subjects/$subject" 200 '' 'X-Fields: {label,cohort{label}}'
say 'ETag is the version of a resource. With If-Match, a change succeeds only if the version is still the same.'
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

say 'External IDs of the subject, as a map or as links with IDs of their own. Both show the same data.'
ask POST "/subjects/$subject/external_ids" 201 '{"external_ids": {"FORMS": "P-41"}}'
ask PUT "/subjects/$subject/external_ids/XNAT" 201 '{"external_id": "XNAT_S00041"}'
ask DELETE "/subjects/$subject/external_ids/FORMS" 200
ask POST /external_subject_links 201 "{\"subject_id\": $subject, \"external_system\": \"FORMS\", \"external_id\": \"P-0041\"}"
ask GET "/external_subject_links/$(value id)" 200
ask GET "/subjects/$subject/external_ids" 200
say 'A subject has at most one link to each external system. POST creates it, PUT replaces it.'
ask POST /external_subject_links 409 "{\"subject_id\": $subject, \"external_system\": \"XNAT\", \"external_id\": \"XNAT_S00042\"}"
ask PUT /external_subject_links 201 "{\"subject_id\": $subject, \"external_system\": \"XNAT\", \"external_id\": \"XNAT_S00042\"}"
ask GET /external_subject_links 200 '' 'X-Fields: external_subject_links{subject{label},external_system{system_name},external_id}'

chapter 'An experiment'

say 'scandate is the local time at the scanner.'
ask POST /experiments 201 "{\"label\": \"baseline\", \"subject_id\": $subject, \"workflow_label\": \"tour\", \"scandate\": \"2026-03-02T09:30:00\"}"
experiment=$(value id)
ask POST /scans 201 "{\"experiment_id\": $experiment, \"scantype_protocol\": \"T1\"}"
ask GET "/scans/$(value id)" 200
ask GET /scans 200 '' 'X-Fields: scans{experiment{label},scantype{protocol}}'
ask GET '/experiments?state=arrived&scandate=2026-03-02' 200
ask GET "/experiments/$experiment" 200
ask GET /cohorts/memory-clinic/subjects/MC-0041/experiments 200
ask GET /cohorts/memory-clinic/subjects/MC-0041/experiments/baseline 200 '' 'X-Fields: {label,state{label},subject{label}}'

chapter 'Moving the experiment'

say 'The experiment has no XNAT ID yet, so the move is refused. The response says why, and lists the transitions.'
ask PUT "/experiments/$experiment/state" 409 '{"state_label": "segmenting"}'
say 'Set the XNAT ID.'
ask PUT "/experiments/$experiment/external_ids/XNAT" 201 '{"external_id": "XNAT_E00112"}'
say 'The same as a link. Name the experiment by ID, URI or label.'
ask GET /external_experiment_links 200
ask GET "/external_experiment_links/$(value id)" 200 '' 'X-Fields: {experiment{label},external_id}'
ask POST /external_experiment_links 409 '{"experiment": "baseline", "external_system": "XNAT", "external_id": "XNAT_E00113"}'
ask PUT /external_experiment_links 200 '{"experiment": "baseline", "external_system": "XNAT", "external_id": "XNAT_E00113"}' 'X-Fields: external_id'
ask POST "/experiments/$experiment/external_ids" 201 '{"external_ids": {"FORMS": "visit 1"}}'
ask DELETE "/experiments/$experiment/external_ids/FORMS" 200
ask POST /external_experiment_links 201 '{"experiment": "baseline", "external_system": "FORMS", "external_id": "visit-1"}' 'X-Fields: external_id'
ask GET "/experiments/$experiment/external_ids" 200
say 'Now the move succeeds. expected_state refuses it if the experiment is in another state by then.'
ask PUT "/experiments/$experiment/state" 200 '{"state_label": "segmenting", "freetext": "The archive has it", "expected_state": "arrived"}'
ask GET "/states/$state/experiments" 200

chapter 'A worker'

say 'The move created an execution of the callback. An account with the permission worker_run claims it from its queue.'
as=cluster
ask POST /worker/claims 200 '{"queues": ["tour"], "wait_seconds": 20}'
execution=$(value id)
hold_secret execution "$(value secret)"
say 'From here on, the worker uses the secret of the claim. It gives access to this execution only.' \
  'The worker renews the claim within every lease_seconds. Otherwise another worker gets the execution.'
as=execution
ask PUT "/worker/claims/$execution" 200 '{"log": "Segmenting T1\n"}'
say 'Workers check for timeouts every 15 seconds. You can also request a check. This execution has not timed out.'
as=admin
ask POST /service/check_timeouts 200
say 'Report the result. In the same transaction the action ends, the variable volume is set, and the experiment moves.'
as=execution
ask PUT "/callback_executions/$execution" 200 '{"status": "finished", "result": "success", "result_values": {"volume_ml": 3.1}}' \
  'X-Fields: status,result,result_values,run_log,experiment{label,state{label},variable_map}'

as=admin
ask GET "/callback_executions/$execution" 200 '' 'X-Fields: status,result,created,run_start,finished,action{id,success,end_time}'
say 'You can correct an action later. The history records the correction, and nothing moves.'
ask GET '/actions?limit=1' 200
action=$(value id)
ask PUT "/actions/$action" 200 '{"return_value": "Brought over from the list of the clinic"}' 'X-Fields: id,return_value'
ask GET "/actions/$action" 200
say 'Deactivate the accounts of this tour. The history keeps their changes.'
ask DELETE "/users/$ann" 200
ask DELETE "/users/$cluster" 200

chapter 'The result'

ask GET "/experiments/$experiment/state" 200
[ "$(value label)" = reported ] || fail 1 '' 'The tour stopped. The experiment is not in the state reported.'
say 'The actions of the experiment, one for each state it entered. return_value lists the transitions that were checked.'
ask GET "/experiments/$experiment/actions" 200
