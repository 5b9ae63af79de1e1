"""The members that all objects inherit from StudyClientBaseObject, once per class."""
import logging

import requests

from . import Call

# How to get an object of each class, and a field with another value, which PUT changes if the class has one.
CLASSES = {
    "Cohort": (lambda s: s.cohort(), "description", "text"),
    "Subject": (lambda s: s.subject(), "date_of_birth", "1960-01-01"),
    "Experiment": (lambda s: s.experiment(), "label", "other"),
    "State": (lambda s: s.state(), "freetext", "text"),
    "Workflow": (lambda s: s.workflow(), "label", "other"),
    "Transition": (lambda s: s.transition(), "condition", "true"),
    "Action": (lambda s: s.action(), "return_value", "text"),
    "CallbackExecution": (lambda s: s.execution(), "run_log", "text"),
    "ExternalSystem": (lambda s: s.external_system("RIS"), "url", "https://other.example.org"),
}


def reads_itself(study, address):
    """Whether the address answers with the object."""
    return requests.get(address, auth=(study.user, study.password), headers={"Accept": "*/*"}).status_code == 200


def set_fields(study, thing, field, value):
    thing.set_fields(**{field: value})
    return study.read(thing)[field] == value


def set_caching(thing, value):
    thing.caching = value
    return thing.caching


def delete_caching(thing):
    del thing.caching
    return thing.caching


def clear(thing):
    thing.clearcache()
    return thing._data


def calls_of(owner, make, field, value):
    return [
        Call(owner, "uri", lambda s: s.client.get(make(s).uri).status_code, 200),
        Call(owner, "session", lambda s: make(s).session is s.client),
        Call(owner, "api_uri", lambda s: reads_itself(s, make(s).api_uri)),
        Call(owner, "web_uri", lambda s: make(s).web_uri.startswith(s.url)),
        Call(owner, "external_uri()", lambda s: reads_itself(s, make(s).external_uri())),
        Call(owner, "external_uri(query)", lambda s: make(s).external_uri({"a": "b"}).endswith("?a=b")),
        Call(owner, "logger", lambda s: isinstance(make(s).logger, logging.Logger)),
        Call(owner, f"set_fields({field})", lambda s: set_fields(s, make(s), field, value)),
        Call(owner, "clearcache()", lambda s: clear(make(s)), {}),
        Call(owner, "caching", lambda s: make(s).caching),
        Call(owner, "caching = False", lambda s: set_caching(make(s), False), False),
        Call(owner, "del caching", lambda s: delete_caching(make(s)), True),
        Call(owner, "__str__ and __repr__", lambda s: (lambda one: str(one) == repr(one) and str(one).startswith("<"))(make(s))),
    ]


CALLS = [call for owner, parts in CLASSES.items() for call in calls_of(owner, *parts)]
