"""Cohort, Subject and Experiment."""
import datetime

import studyclient
from studyclient.core import Action, Cohort, Experiment, ExternalMap, State, Subject
from studyclient.exceptions import StudyGovernorResponseError

from . import Call, all_are, assign, is_a


def set_link(study, thing, value, fields="external_ids", setter="set_external_id"):
    """Links an object that has no link, or the link A1, and returns its stored links."""
    getattr(thing, setter)("XNAT", value)
    return study.read(thing)[fields]


def set_url(study, cohort, value):
    return set_link(study, cohort, value, "external_urls", "set_external_url")


def move(study, *args, **kwargs):
    one = study.experiment()
    one.set_state(*args, **kwargs)
    return study.read(one)["state"]["label"]


def move_with_text(study):
    one = study.experiment()
    one.set_state("processing", freetext="as planned")
    return study.client.get_json(one.actions[-1].uri)["freetext"]


def move_to(study, value):
    one = study.experiment()
    one.state = value
    return study.read(one)["state"]["label"]


def move_at_other_address(study):
    """The client sends the move to `api_uri`, and only if that begins with the address that it connected to."""
    url = study.url.replace("127.0.0.1", "localhost")
    client = studyclient.connect(url, user=study.user, password=study.password)
    one = study.experiment()
    client.get_experiment(one.id).set_state("processing")
    return study.read(one)["state"]["label"]


def measured(study):
    """The variables of an experiment whose execution ended with a volume."""
    execution = study.execution()
    body = {"status": "finished", "result": "success", "result_values": {"volume": 7}}
    study.client.put(execution.uri, json=body)
    return study.client.create_object(Experiment, study.read(execution)["experiment"]["uri"]).variable_map


def refused(action, status):
    """Whether the client raises this status. Another one is the outcome."""
    try:
        action()
    except StudyGovernorResponseError as error:
        if error.status_code != status:
            raise
        return True


linked_cohort = lambda s: s.with_id(s.cohort(), "external_urls", "external_url")

COHORT = [
    ("id", lambda s: s.cohort().id, is_a(int)),
    ("label", lambda s: s.cohort().label, is_a(str)),
    ("label = text", lambda s: assign(s, s.cohort(), "label", "renamed"), "renamed"),
    ("description", lambda s: s.cohort().description, "2026-01-01"),
    ("description = text", lambda s: assign(s, s.cohort(), "description", "text"), "text"),
    ("description = date", lambda s: assign(s, s.cohort(), "description", datetime.date(2026, 3, 4)), "2026-03-04"),
    ("external_urls", lambda s: s.cohort().external_urls, is_a(ExternalMap)),
    ("raw_external_urls", lambda s: dict(linked_cohort(s).raw_external_urls), {"XNAT": "A1"}),
    ("set_external_url(new)", lambda s: set_url(s, s.cohort(), "A1"), {"XNAT": "A1"}),
    ("set_external_url(other value)", lambda s: set_url(s, linked_cohort(s), "A2"), {"XNAT": "A2"}),
    ("set_external_url(same value)", lambda s: set_url(s, linked_cohort(s), "A1"), {"XNAT": "A1"}),
    ("subjects", lambda s: s.subject().cohort.subjects, all_are(Subject)),
]
SUBJECT = [
    ("id", lambda s: s.subject().id, is_a(int)),
    ("label", lambda s: s.subject().label, is_a(str)),
    ("label = text", lambda s: assign(s, s.subject(), "label", "renamed"), "renamed"),
    ("external_ids", lambda s: s.subject().external_ids, is_a(ExternalMap)),
    ("raw_external_ids", lambda s: dict(s.with_id(s.subject()).raw_external_ids), {"XNAT": "A1"}),
    ("set_external_id(new)", lambda s: set_link(s, s.subject(), "A1"), {"XNAT": "A1"}),
    ("set_external_id(other value)", lambda s: set_link(s, s.with_id(s.subject()), "A2"), {"XNAT": "A2"}),
    ("set_external_id(same value)", lambda s: set_link(s, s.with_id(s.subject()), "A1"), {"XNAT": "A1"}),
    ("set_external_id(unknown system)", lambda s: refused(lambda: s.subject().set_external_id("PACS", "A1"), 404)),
    ("date_of_birth", lambda s: s.subject().date_of_birth, "1950-12-31"),
    ("date_of_birth = text", lambda s: assign(s, s.subject(), "date_of_birth", "1960-01-02"), "1960-01-02"),
    ("date_of_birth = date", lambda s: assign(s, s.subject(), "date_of_birth", datetime.date(1960, 1, 2)), "1960-01-02"),
    ("cohort", lambda s: s.subject().cohort, is_a(Cohort)),
    ("experiments", lambda s: s.experiment().subject.experiments, all_are(Experiment)),
]
EXPERIMENT = [
    ("id", lambda s: s.experiment().id, is_a(int)),
    ("label", lambda s: s.experiment().label, is_a(str)),
    ("external_ids", lambda s: s.experiment().external_ids, is_a(ExternalMap)),
    ("raw_external_ids", lambda s: dict(s.with_id(s.experiment()).raw_external_ids), {"XNAT": "A1"}),
    ("set_external_id(new)", lambda s: set_link(s, s.experiment(), "A1"), {"XNAT": "A1"}),
    ("set_external_id(other value)", lambda s: set_link(s, s.with_id(s.experiment()), "A2"), {"XNAT": "A2"}),
    ("set_external_id(same value)", lambda s: set_link(s, s.with_id(s.experiment()), "A1"), {"XNAT": "A1"}),
    ("set_external_id(unknown system)", lambda s: refused(lambda: s.experiment().set_external_id("PACS", "A1"), 404)),
    ("scandate", lambda s: s.experiment().scandate, lambda date: date.startswith("2026-02-17T10:30:00")),
    ("subject", lambda s: s.experiment().subject, is_a(Subject)),
    ("actions", lambda s: s.action().experiment.actions, all_are(Action)),
    ("state", lambda s: s.experiment().state, is_a(State)),
    ("state = label", lambda s: move_to(s, "processing"), "processing"),
    ("state = state", lambda s: move_to(s, s.state("processing")), "processing"),
    ("set_state(label)", lambda s: move(s, "processing"), "processing"),
    ("set_state(state)", lambda s: move(s, s.state("processing")), "processing"),
    ("set_state(label, freetext)", move_with_text, "as planned"),
    ("set_state(label) at another address", move_at_other_address, "processing"),
    ("set_state(no transition)", lambda s: refused(lambda: move(s, "done"), 409)),
    ("set_state(unknown state)", lambda s: refused(lambda: move(s, "nowhere"), 404)),
    ("variable_map", lambda s: dict(s.experiment().variable_map), {}),
    ("variable_map after a run", lambda s: dict(measured(s)), {"volume": 7}),
]
TABLES = {"Cohort": COHORT, "Subject": SUBJECT, "Experiment": EXPERIMENT}
CALLS = [Call(owner, *rest) for owner, table in TABLES.items() for rest in table]
