"""Calls every public member of Study Governor's Python client, and prints a line with class, call and outcome for each call:
CLIENT_PASSWORD=... python3 call_methods.py <address> <username>"""
import collections
import logging
import os
import sys

import studyclient
from calls import client, connection, external_map, inherited, samples, workflows
from study import Study
from studyclient import core

CALLS = connection.CALLS + client.CALLS + samples.CALLS + workflows.CALLS + external_map.CALLS
CALLS += inherited.CALLS


def public_members():
    # The functions of core only format values, and the client calls them itself.
    yield from (("studyclient", name) for name, one in vars(studyclient).items() if is_public_function(name, one))
    for name in [*studyclient.__all__, *(name for name, one in vars(core).items() if isinstance(one, type))]:
        owner = getattr(studyclient, name, None) or getattr(core, name)
        if isinstance(owner, type) and owner.__module__.startswith("studyclient.") and owner is not core.StudyClientBaseObject:
            yield from ((name, member) for member in dir(owner) if not member.startswith("_"))


def is_public_function(name, one):
    is_own = getattr(one, "__module__", "").partition(".")[0] == "studyclient"
    return callable(one) and is_own and not isinstance(one, type) and not name.startswith("_")


def check_coverage():
    called = {(call.owner, call.member) for call in CALLS}
    # Constants are not called.
    missing = sorted({one for one in public_members() if not one[1].isupper()} - called)
    repeated = [key for key, count in collections.Counter(call[:2] for call in CALLS).items() if count > 1]
    if missing or repeated:
        sys.exit(f"Members without a call: {missing}. Calls with the same text: {repeated}.")


def main(url, user):
    check_coverage()
    logging.disable(logging.CRITICAL)
    password = os.environ["CLIENT_PASSWORD"]
    study = Study(studyclient.connect(url, user=user, password=password), url, user, password)
    for call in CALLS:
        print(call.owner, call.text, call.outcome(study), sep="\t", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
