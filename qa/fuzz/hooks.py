"""Hooks for rules of Milepost that the OpenAPI document cannot express. Each hook is narrow and gives its reason."""

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

# Custom formats that a pattern cannot describe well.
days = st.dates().map(str)
minutes = st.integers(0, 59)
zones = st.sampled_from(["", ".5", "Z", "+02:00"])
clocks = st.builds("{:02}:{:02}:{:02}{}".format, st.integers(0, 23), minutes, minutes, zones)
schemathesis.openapi.format("scan-date", st.one_of(days, st.builds("{}T{}".format, days, clocks)))
everything = ["*", "{*}"]
some = ["id", "{label,uri}", "subjects{id},*", "{*,cohort{label}}", "{state{label}}"]
# Most operations do not know the fields in `some` and reject the mask.
schemathesis.openapi.format("field-mask", st.sampled_from([*everything * 4, *some]))


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(numbers)
    set_client_address(case, number)
    make_key_unique(case, number)
    protect_own_account(case)
    skip_waiting(case)


def set_client_address(case, number):
    """Failed sign-ins are limited per address and account, and one check causes them. So each request has its own address."""
    case.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def make_key_unique(case, number):
    """A request that reuses the key of another request is rejected. One in ten requests keeps its key."""
    key = case.headers.get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch("[!-~]{1,240}", key) and number % 10 > 0:
        case.headers["Idempotency-Key"] = f"{key}-{number}"


def protect_own_account(case):
    """The caller must not remove their own permissions, username or password. Such a change is redirected to another user."""
    path, own = case.path_parameters or {}, study["accounts"][caller]
    if case.operation.path == "/users/{id}" and str(path.get("id")) == str(own) and locks_out(case):
        path["id"] = study["accounts"][study["other"]]
    if case.operation.path.startswith("/users/{username}") and str(path.get("username")).casefold() == caller:
        path["username"] = study["other"]


def locks_out(case):
    changed = case.body if isinstance(case.body, dict) else {}
    return case.method == "DELETE" or not {"password", "username", "active"}.isdisjoint(changed)


def skip_waiting(case):
    """A claim can wait up to 30 s for an execution, but there will be none."""
    if case.operation.path == "/worker/claims" and isinstance(case.body, dict):
        wanted = case.body.get("wait_seconds")
        # In Python, `True` equals 1.
        if wanted is not True and wanted in range(1, 31):
            case.body["wait_seconds"] = 0


@schemathesis.hook
def filter_failure(context, failure, case, response):
    return not (is_masked(failure, case) or is_beyond_the_schema(failure, response))


def is_masked(failure, case):
    """With X-Fields, the response omits other fields, even those that the schema requires."""
    lacks = isinstance(failure, JsonSchemaError) and failure.schema_path[-1:] in (["required"], ["anyOf"])
    return lacks and case.headers.get("X-Fields") not in (None, "", *everything)


# Errors in values that the schema allows, and the reason why the schema cannot express the rule.
BEYOND_THE_SCHEMA = {
    r".* contains a NUL character.*": "applies to every string, and a pattern on each would hide the specific ones",
    r"X-Fields .*": "a mask has a grammar with nested braces",
    r"(/config_definition|/workflow_definition|/condition|/callback_arguments) .*": "a string with its own grammar",
    r"/external_(ids|urls) \S+ (does not contain|must be) .*": "declared as a string that contains an object",
    r"/state_map/.*": "names states of the workflow",
    r"[/?]scandate \S+ must be a date.*": "a date that does not exist",
    r"/password .*": "weak passwords are rejected",
    r"/attempt \S+ is required without a secret.*": "depends on the credentials of the request",
    r"/end_time \S+ must not be before the start.*": "depends on the stored value",
    r"\S+ \S+ and \S+ refer to different objects.*": "two references that are valid on their own",
    r"\S+ \S+ cannot be changed here. Use .*": "a reference can be sent back, but must equal the stored one",
    r"/label .* refers to .*": "a condition of the workflow refers to the callback",
    r"\?offset .*": "cannot be combined with ?after",
    r"\?object_id \S+ requires \?object_kind.*": "ids are unique per kind",
    r"/label \S+ is not the label of this subject.*": "the caller must repeat the label of the subject",
    r"/date \S+ \S+ is in the future.*": "depends on the current date",
    r"/expires_at \S+ must be in the future.*": "depends on the current date",
}


def is_beyond_the_schema(failure, response):
    if not isinstance(failure, RejectedPositiveData) or response.status_code != 400:
        return False
    errors = [f"{error['pointer']} {error['detail']}" for error in response.json()["errors"]]
    return bool(errors) and all(any(re.fullmatch(pattern, one, re.S) for pattern in BEYOND_THE_SCHEMA) for one in errors)
