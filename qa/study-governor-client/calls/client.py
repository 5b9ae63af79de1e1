"""The methods of StudyClient that read and create cohorts, subjects and experiments."""
import datetime

from studyclient.core import Cohort, Experiment, Subject
from studyclient.exceptions import ExperimentExistsError, StudyGovernorNotFoundError, SubjectExistsError

from . import Call, all_are, is_a, raises

DATE = "2026-02-17T10:30:00"


def create_subject(study, **options):
    """Creates a subject that exists already if `exist_ok` is given, and returns its stored fields."""
    cohort = study.cohort()
    label = study.subject(cohort).label if "exist_ok" in options else study.label("subject")
    return study.read(study.client.create_subject(cohort, label, **options))


def create_existing_subject(study):
    one = study.subject()
    return raises(SubjectExistsError, lambda: study.client.create_subject(one.cohort, one.label))


def update_subject(study, value):
    """Creates a linked subject again with an external ID, as a script does that runs twice."""
    one = study.with_id(study.subject())
    study.client.create_subject(one.cohort, one.label, external_ids={"XNAT": value}, exist_ok=True)
    return study.read(one)["external_ids"]


def find_subject(study, by_label):
    one = study.subject()
    cohort = one.cohort.label if by_label else one.cohort
    return study.client.get_subject_by_label(cohort, one.label).id == one.id


def create_experiment(study, date=DATE, **options):
    """Creates an experiment that exists already if `exist_ok` is given, and returns its stored fields."""
    subject = study.subject()
    label = study.experiment(subject).label if "exist_ok" in options else study.label("experiment")
    return study.read(study.client.create_experiment(subject, label, date, **options))


def create_existing_experiment(study):
    one = study.experiment()
    return raises(ExperimentExistsError, lambda: study.client.create_experiment(one.subject, one.label, DATE))


def update_experiment(study, value):
    one = study.with_id(study.experiment())
    study.client.create_experiment(one.subject, one.label, DATE, external_ids={"XNAT": value}, exist_ok=True)
    return study.read(one)["external_ids"]


def find_experiment(study, by_label):
    one = study.experiment()
    parents = (one.subject.cohort, one.subject)
    labels = (parent.label for parent in parents)
    return study.client.get_experiment_by_label(*(labels if by_label else parents), one.label).id == one.id


def describe_cohort(study, *description):
    return study.read(study.client.create_cohort(study.label("cohort"), *description))["description"]


def list_after(study, make, name):
    """The list after an object was created."""
    make()
    return getattr(study.client, name)()


def not_found(action):
    return raises(StudyGovernorNotFoundError, action)


untracked = lambda stored: stored["state"]["label"] == "untracked"
linked = lambda stored: stored["external_ids"] == {"XNAT": "A1"}
at_date = lambda stored: stored["scandate"].startswith(DATE)
IDS = {"external_ids": {"XNAT": "A1"}}
BORN = {"date_of_birth": "1950-12-31"}

COHORTS = [
    ("get_cohort(id)", lambda s: s.client.get_cohort(s.cohort().id), is_a(Cohort)),
    ("get_cohort(unknown id)", lambda s: not_found(lambda: s.client.get_cohort(999_999))),
    ("get_cohort_by_label(label)", lambda s: s.client.get_cohort_by_label(s.cohort().label), is_a(Cohort)),
    ("get_cohort_by_label(unknown label)", lambda s: not_found(lambda: s.client.get_cohort_by_label("none"))),
    ("get_cohorts()", lambda s: list_after(s, s.cohort, "get_cohorts"), all_are(Cohort)),
    ("create_cohort(label)", describe_cohort, lambda text: not text),
    ("create_cohort(label, description)", lambda s: describe_cohort(s, "a few words"), "a few words"),
]
SUBJECTS = [
    ("get_subject(id)", lambda s: s.client.get_subject(s.subject().id), is_a(Subject)),
    ("get_subject_by_label(cohort, label)", lambda s: find_subject(s, by_label=False)),
    ("get_subject_by_label(label of a cohort, label)", lambda s: find_subject(s, by_label=True)),
    ("get_subjects()", lambda s: list_after(s, s.subject, "get_subjects"), all_are(Subject)),
    ("create_subject(cohort, label)", lambda s: create_subject(s)["date_of_birth"], None),
    ("create_subject(date_of_birth)", lambda s: create_subject(s, **BORN)["date_of_birth"], "1950-12-31"),
    ("create_subject(external_ids)", lambda s: create_subject(s, **BORN, **IDS), linked),
    ("create_subject(existing label)", create_existing_subject),
    ("create_subject(existing label, exist_ok)", lambda s: create_subject(s, exist_ok=True, **BORN)["date_of_birth"], "1950-12-31"),
    ("create_subject(exist_ok, new external_ids)", lambda s: create_subject(s, exist_ok=True, **IDS), linked),
    ("create_subject(exist_ok, other external_ids)", lambda s: update_subject(s, "A2"), {"XNAT": "A2"}),
    ("create_subject(exist_ok, same external_ids)", lambda s: update_subject(s, "A1"), {"XNAT": "A1"}),
]
EXPERIMENTS = [
    ("get_experiments()", lambda s: list_after(s, s.experiment, "get_experiments"), all_are(Experiment)),
    ("get_experiment(id)", lambda s: s.client.get_experiment(s.experiment().id), is_a(Experiment)),
    ("get_experiment_by_label(cohort, subject, label)", lambda s: find_experiment(s, by_label=False)),
    ("get_experiment_by_label(labels)", lambda s: find_experiment(s, by_label=True)),
    ("create_experiment(subject, label, scandate)", create_experiment, untracked),
    ("create_experiment(datetime)", lambda s: create_experiment(s, datetime.datetime(2026, 2, 17, 10, 30)), at_date),
    ("create_experiment(workflow)", lambda s: create_experiment(s, workflow=s.workflow()), untracked),
    ("create_experiment(label of a workflow)", lambda s: create_experiment(s, workflow="scans"), untracked),
    ("create_experiment(external_ids)", lambda s: create_experiment(s, **IDS), linked),
    ("create_experiment(id of a subject)", lambda s: s.client.create_experiment(s.subject().id, "a", DATE), is_a(Experiment)),
    ("create_experiment(existing label)", create_existing_experiment),
    ("create_experiment(existing label, exist_ok)", lambda s: create_experiment(s, exist_ok=True), untracked),
    ("create_experiment(exist_ok, new external_ids)", lambda s: create_experiment(s, exist_ok=True, **IDS), linked),
    ("create_experiment(exist_ok, other external_ids)", lambda s: update_experiment(s, "A2"), {"XNAT": "A2"}),
    ("create_experiment(exist_ok, same external_ids)", lambda s: update_experiment(s, "A1"), {"XNAT": "A1"}),
]
CALLS = [Call("StudyClient", *rest) for rest in COHORTS + SUBJECTS + EXPERIMENTS]
