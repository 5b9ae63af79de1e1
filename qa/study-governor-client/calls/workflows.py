"""State, Workflow, Transition, Action, CallbackExecution and ExternalSystem."""
import datetime

from studyclient.core import Action, CallbackExecution, Experiment, State, Subject, Transition, Workflow

from . import Call, all_are, assign, is_a


def resolve(study, **options):
    """Ends an open execution and returns the stored one."""
    execution = study.execution()
    execution.resolve("finished", "success", **options)
    return study.read(execution)


def started(study):
    execution = study.execution()
    study.client.put(execution.uri, json={"status": "running"})
    execution.clearcache()
    return execution


def waiting(study):
    execution = started(study)
    study.client.put(execution.uri, json={"status": "waiting"})
    return execution


def ended(study):
    execution = started(study)
    study.client.put(execution.uri, json={"status": "finished", "result": "success"})
    return execution


def set_end(study, value):
    return assign(study, study.action(), "end_time", value)


noon = lambda text: text.startswith("2099-02-17T12:00:00")

STATE = [
    ("label", lambda s: s.state().label, "untracked"),
    ("callback", lambda s: s.state("processing").callback, is_a(str)),
    ("lifespan", lambda s: s.state().lifespan, None),
    ("freetext", lambda s: s.state().freetext, "Not seen yet"),
    ("workflow", lambda s: s.state().workflow, is_a(Workflow)),
    ("experiments", lambda s: [s.experiment(), s.state().experiments][1], all_are(Experiment)),
]
WORKFLOW = [
    ("label", lambda s: s.workflow().label, "scans"),
    ("states", lambda s: sorted(state.label for state in s.workflow().states), ["created", "done", "processing", "untracked"]),
]
TRANSITION = [
    ("source_state", lambda s: s.transition().source_state, is_a(State)),
    ("destination_state", lambda s: s.transition().destination_state, is_a(State)),
    ("conditions", lambda s: s.transition().conditions, None),
]
ACTION = [
    ("experiment", lambda s: s.action().experiment, is_a(Experiment)),
    ("transition", lambda s: s.action().transition, is_a(Transition)),
    ("success", lambda s: s.action().success, False),
    ("success = True", lambda s: assign(s, s.action(), "success", True), True),
    ("return_value", lambda s: s.action().return_value, lambda text: not text),
    ("return_value = text", lambda s: assign(s, s.action(), "return_value", "text"), "text"),
    ("freetext", lambda s: s.action().freetext, "as planned"),
    ("start_time", lambda s: s.action().start_time, is_a(str)),
    ("end_time", lambda s: s.action().end_time, None),
    ("end_time = text", lambda s: set_end(s, "2099-02-17 12:00:00"), noon),
    ("end_time = datetime", lambda s: set_end(s, datetime.datetime(2099, 2, 17, 12)), noon),
    ("executions", lambda s: s.action().executions, all_are(CallbackExecution)),
]
EXECUTION = [
    ("resolve(status, result)", lambda s: resolve(s)["result"], "success"),
    ("resolve(result_values)", lambda s: resolve(s, result_values={"volume": 7})["result_values"], {"volume": 7}),
    ("resolve(run_log)", lambda s: resolve(s, run_log="run")["run_log"], "run"),
    ("resolve(wait_log)", lambda s: resolve(s, wait_log="wait")["result_log"], "wait"),
    ("subject", lambda s: s.execution().subject, is_a(Subject)),
    ("experiment", lambda s: s.execution().experiment, is_a(Experiment)),
    ("action", lambda s: s.execution().action, is_a(Action)),
    ("external_systems", lambda s: s.execution().external_systems["XNAT"], "https://xnat.example.org"),
    ("status", lambda s: s.execution().status, is_a(str)),
    ("status = running", lambda s: assign(s, s.execution(), "status", "running"), "running"),
    ("status = waiting", lambda s: assign(s, started(s), "status", "waiting"), "waiting"),
    ("result", lambda s: s.execution().result, "none"),
    ("result = success", lambda s: assign(s, started(s), "result", "success"), "success"),
    ("run_log", lambda s: s.execution().run_log, lambda log: not log),
    ("run_log = text", lambda s: assign(s, started(s), "run_log", "text"), "text"),
    ("wait_log", lambda s: s.execution().wait_log, lambda log: not log),
    ("wait_log = text", lambda s: assign(s, started(s), "wait_log", "text", "result_log"), "text"),
    ("result_values", lambda s: s.execution().result_values, lambda values: not values),
    ("result_values = object", lambda s: assign(s, started(s), "result_values", {"volume": 7}), {"volume": 7}),
    ("created", lambda s: s.execution().created, is_a(datetime.datetime)),
    ("run_start before the run", lambda s: s.execution().run_start, None),
    ("run_start", lambda s: started(s).run_start, is_a(datetime.datetime)),
    ("wait_start", lambda s: waiting(s).wait_start, is_a(datetime.datetime)),
    ("finished", lambda s: ended(s).finished, is_a(datetime.datetime)),
]
SYSTEM = [
    ("system_name", lambda s: s.external_system().system_name, "XNAT"),
    ("url", lambda s: s.external_system().url, "https://xnat.example.org"),
]
TABLES = {
    "State": STATE,
    "Workflow": WORKFLOW,
    "Transition": TRANSITION,
    "Action": ACTION,
    "CallbackExecution": EXECUTION,
    "ExternalSystem": SYSTEM,
}
CALLS = [Call(owner, *rest) for owner, table in TABLES.items() for rest in table]
