"""A small study on the server, created only with the request methods of the client, so that each call fails only by itself."""
import itertools
import json
import pathlib

from studyclient.core import Action, CallbackExecution, Cohort, Experiment, ExternalSystem, State, Subject, Transition, Workflow

CONFIG = {
    "external_systems": [{"system_name": name, "url": f"https://{name.lower()}.example.org"} for name in ("XNAT", "RIS")],
}
WORKFLOW = pathlib.Path(__file__).with_name("workflow.yaml").read_text()


class Study:
    def __init__(self, client, url, user, password):
        self.client, self.url, self.user, self.password = client, url, user, password
        self.numbers = itertools.count(1)
        self.post("/service/config/import-config", config_definition=json.dumps(CONFIG))
        self.post("/service/config/import-workflow", workflow_definition=WORKFLOW)

    def post(self, path, **body):
        return self.client.post(path, json=body).json()

    def make(self, kind, data):
        """A new object. The client would return a cached one that does not know the last changes."""
        self.client.clearcache()
        return self.client.create_object(kind, data)

    def read(self, thing):
        """The stored object, past every cache of the client."""
        return self.client.get_json(thing.uri)

    def label(self, kind):
        return f"{kind}-{next(self.numbers)}"

    def cohort(self):
        return self.make(Cohort, self.post("/cohorts", label=self.label("cohort"), description="2026-01-01"))

    def subject(self, cohort=None):
        body = {"label": self.label("subject"), "cohort_label": (cohort or self.cohort()).label, "date_of_birth": "1950-12-31"}
        return self.make(Subject, self.post("/subjects", **body))

    def experiment(self, subject=None):
        body = {"label": self.label("experiment"), "subject_id": (subject or self.subject()).id}
        body |= {"scandate": "2026-02-17T10:30:00", "workflow_label": "scans"}
        return self.make(Experiment, self.post("/experiments", **body))

    def action(self):
        """The action of entering `processing`, with an open execution."""
        uri = self.experiment().uri
        self.client.put(f"{uri}/state", json={"state_label": "processing", "freetext": "as planned"})
        return self.make(Action, self.client.get_json(f"{uri}/actions")["actions"][-1])

    def execution(self):
        return self.make(CallbackExecution, self.read(self.action())["executions"][0])

    def transition(self):
        return self.make(Transition, self.client.get_json("/transitions")["transitions"][0])

    def state(self, label="untracked"):
        return self.make(State, self.client.get_json(f"/workflows/scans/states/{label}"))

    def workflow(self):
        return self.make(Workflow, self.client.get_json("/workflows/by-label/scans"))

    def external_system(self, name="XNAT"):
        return self.make(ExternalSystem, self.client.get_json(f"/external_systems/by-name/{name}"))

    def with_id(self, thing, path="external_ids", field="external_id", value="A1"):
        """The same object with a link to XNAT."""
        self.client.put(f"{thing.uri}/{path}/XNAT", json={field: value})
        thing.clearcache()
        return thing
