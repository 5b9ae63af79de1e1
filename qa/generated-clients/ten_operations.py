"""Calls ten operations with the client that openapi-python-client generated. Prints one line for each."""

import base64
import sys

from milepost_client import Client
from milepost_client.api.audit_log import list_audit
from milepost_client.api.cohorts import create_cohort, get_cohort, update_cohort
from milepost_client.api.experiments import create_experiment, set_experiment_state
from milepost_client.api.page_data import list_experiment_rows
from milepost_client.api.service_operations import import_workflow
from milepost_client.api.state_counts import get_workflow_counts
from milepost_client.api.subjects import create_subject
from milepost_client.models import (
    CreateCohortBody,
    CreateExperimentBody,
    CreateSubjectBody,
    ImportWorkflowBody,
    Problem,
    SetExperimentStateBody,
    UpdateCohortBody,
)

base_url, username, password = sys.argv[1:]
credentials = base64.b64encode(f"{username}:{password}".encode()).decode()
client = Client(
    base_url=base_url,
    headers={"Authorization": f"Basic {credentials}"},
    raise_on_unexpected_status=True,
)


def call(operation, status, **parameters):
    name = operation.__name__.rsplit(".", 1)[-1]
    response = operation.sync_detailed(client=client, **parameters)
    if response.status_code != status or response.parsed is None:
        raise SystemExit(f"{name} returned {response.status_code}: {response.content.decode()}")
    print(f"python: {name} {status}")
    return response.parsed


definition = "label: py\nstates: [{label: arrived, transitions: [{destination: done}]}, {label: done}]\n"
workflow = call(import_workflow, 201, body=ImportWorkflowBody(workflow_definition=definition))
cohort = call(create_cohort, 201, body=CreateCohortBody(label="py", description=None))
call(update_cohort, 200, id=cohort.id, body=UpdateCohortBody(description="Python"))
assert call(get_cohort, 200, id=cohort.id).description == "Python"
subject = call(create_subject, 201, body=CreateSubjectBody(label="py/1", cohort_label="py"))
body = CreateExperimentBody(label="py 1", subject_id=subject.id, workflow_label="py")
experiment = call(create_experiment, 201, body=body)
assert experiment.state.label == "arrived" and experiment.external_ids.additional_properties == {}
moved = call(set_experiment_state, 200, id=experiment.id, body=SetExperimentStateBody(state_label="done"))
assert moved.success and moved.state.label == "done"
rows = call(list_experiment_rows, 200, cohort_id=cohort.id).experiments
assert [row.state.label for row in rows] == ["done"]
assert call(get_workflow_counts, 200, id=workflow.id, cohort_id=cohort.id).experiments == 1
entries = call(list_audit, 200, experiment_id=experiment.id).entries
assert [entry.operation for entry in entries] == ["setExperimentState", "createExperiment"]

problem = call(list_experiment_rows, 400, cohort_id=4_000_000_000)
assert isinstance(problem, Problem) and problem.errors[0].pointer == "?cohort_id"
