"""What Schemathesis must know of Milepost that the document cannot say. Everything here is narrow, and says why."""

import itertools
import json
import os
import re

import schemathesis
from hypothesis import strategies as st
from schemathesis.openapi.checks import JsonSchemaError, RejectedPositiveData

study = json.loads(os.environ["FUZZ_STUDY"])
caller = os.environ["FUZZ_CALLER"]
numbers = itertools.count(1)

# Formats of our own: texts that a pattern describes badly or not at all.
days = st.dates().map(str)
minutes = st.integers(0, 59)
zones = st.sampled_from(["", ".5", "Z", "+02:00"])
clocks = st.builds("{:02}:{:02}:{:02}{}".format, st.integers(0, 23), minutes, minutes, zones)
schemathesis.openapi.format("scan-date", st.one_of(days, st.builds("{}T{}".format, days, clocks)))
everything = ["*", "{*}"]
some = ["id", "{label,uri}", "subjects{id},*", "{*,cohort{label}}", "{state{label}}"]
schemathesis.openapi.format("field-mask", st.sampled_from([*everything, *some]))


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(numbers)
    from_another_address(case, number)
    with_key_of_its_own(case, number)
    spare_own_account(case)
    not_wait(case)


def from_another_address(case, number):
    """Failed sign-ins are limited per address and account, and a check fails on purpose: each has its own address."""
    case.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def with_key_of_its_own(case, number):
    """A key that came with another request is refused, and the request with it. One in ten keeps its key."""
    key = case.headers.get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch("[!-~]{1,240}", key) and number % 10 > 0:
        case.headers["Idempotency-Key"] = f"{key}-{number}"


def spare_own_account(case):
    """Who takes away their own rights, name or password cannot call any more: it happens to another account instead."""
    path, own = case.path_parameters or {}, study["accounts"][caller]
    if case.operation.path == "/users/{id}" and str(path.get("id")) == str(own) and locks_out(case):
        path["id"] = study["accounts"][study["other"]]
    if case.operation.path.startswith("/users/{username}") and str(path.get("username")).casefold() == caller:
        path["username"] = study["other"]


def locks_out(case):
    changed = case.body if isinstance(case.body, dict) else {}
    return case.method == "DELETE" or not {"password", "username", "active"}.isdisjoint(changed)


def not_wait(case):
    """A claim may wait for 30 s until there is something to do, and nothing comes here."""
    if case.operation.path == "/worker/claims" and isinstance(case.body, dict):
        wanted = case.body.get("wait_seconds")
        # Not `True`, which Python takes for 1.
        if wanted is not True and wanted in range(1, 31):
            case.body["wait_seconds"] = 0


@schemathesis.hook
def filter_failure(context, failure, case, response):
    return not (is_masked(failure, case) or is_beyond_the_schema(failure, response))


def is_masked(failure, case):
    """Fields that X-Fields does not name are left out, also those that the schema requires."""
    lacks = isinstance(failure, JsonSchemaError) and failure.schema_path[-1:] in (["required"], ["anyOf"])
    return lacks and case.headers.get("X-Fields") not in (None, "", *everything)


# What no schema can say of a value that it allows: how the fault is told, and why.
BEYOND_THE_SCHEMA = {
    r".* holds a NUL character.*": "every text is without, and saying so at each would hide what is particular",
    r"X-Fields .*": "a mask has a grammar, with braces in braces",
    r"(/config_definition|/workflow_definition|/condition|/callback_arguments) .*": "a text with a grammar of its own",
    r"/external_(ids|urls) \S+ (is text, but not the JSON text|must be) .*": "declared as text, which holds an object",
    r"/state_map/.*": "names states of the workflow",
    r"[/?]scandate \S+ must be a date.*": "a day that no calendar has",
    r"/password .*": "easily guessed ones are refused",
    r"/attempt \S+ is required without a secret.*": "only the caller knows whether there is one",
    r"/end_time \S+ must not be before the start.*": "depends on what is stored",
    r"\S+ \S+ and \S+ do not mean the same .*": "two references, each of which may be right",
    r"\S+ \S+ cannot be changed here: use .*": "a reference may be sent back as it was read, and differ from what is stored",
    r"/label .* speaks of .*": "a condition of the workflow names the callback",
    r"/success \S+ cannot be true without an end_time.*": "depends on what is stored",
    r"\?offset .*": "cannot be combined with ?after",
    r"\?object_id \S+ needs \?object_kind.*": "ids are counted by kind",
    r"/label \S+ is not the label of this subject.*": "is typed again by whoever erases it",
    r"/date \S+ lies in the future.*": "depends on the day",
    r"/expires_at \S+ must lie ahead.*": "depends on the day",
}


def is_beyond_the_schema(failure, response):
    if not isinstance(failure, RejectedPositiveData) or response.status_code != 400:
        return False
    faults = [f"{error['pointer']} {error['detail']}" for error in response.json()["errors"]]
    return bool(faults) and all(any(re.fullmatch(beyond, one, re.S) for beyond in BEYOND_THE_SCHEMA) for one in faults)
