"""Connecting, and the requests of StudyClient."""
import os
import tempfile
from unittest import mock
from urllib.parse import urlparse

import requests
import studyclient
from studyclient.core import Cohort, Workflow
from studyclient.exceptions import StudyGovernorConnectionError, StudyGovernorNoAuthError

from . import Call, is_a, raises


def connect(study, url=None, password=None):
    return studyclient.connect(url or study.url, user=study.user, password=password or study.password)


def connect_with_netrc(study):
    with tempfile.NamedTemporaryFile("w", suffix=".netrc") as file:
        file.write(f'machine {urlparse(study.url).netloc} login {study.user} password "{study.password}"\n')
        file.flush()
        with mock.patch.dict(os.environ, NETRC=file.name):
            return studyclient.connect(study.url)


def with_block(study):
    with connect(study) as client:
        return len(client.get_json("/workflows")["workflows"])


def get_with_query(study):
    query = {"subject_id": study.experiment().subject.id, "limit": 1}
    return len(study.client.get("/experiments", query=query).json()["experiments"])


def delete_link(study):
    return study.client.delete(f"{study.with_id(study.subject()).uri}/external_ids/XNAT").json()["external_ids"]


def status_at(study, address):
    return requests.get(address, auth=(study.user, study.password)).status_code


MODULE = [
    ("connect(url, user, password)", connect, is_a(studyclient.StudyClient)),
    ("connect(url) with a netrc file", connect_with_netrc, is_a(studyclient.StudyClient)),
    ("connect(url with a slash at the end)", lambda s: connect(s, s.url + "/").get_json("/cohorts"), is_a(dict)),
    ("connect(wrong password)", lambda s: raises(StudyGovernorNoAuthError, lambda: connect(s, password="wrong"))),
    ("connect(wrong address)", lambda s: raises(StudyGovernorConnectionError, lambda: connect(s, "http://127.0.0.1:9"))),
]
CLIENT = [
    ("__enter__ and __exit__", with_block, 1),
    ("disconnect()", lambda s: s.client.disconnect(), None),
    ("detect_api_version()", lambda s: s.client.detect_api_version(), None),
    ("version", lambda s: s.client.version, lambda version: len(version) == 3),
    ("api_version", lambda s: s.client.api_version, 2),
    ("url_for(object)", lambda s: status_at(s, s.client.url_for(s.cohort())), 200),
    ("get(path)", lambda s: s.client.get("/cohorts").status_code, 200),
    ("get(path, query)", get_with_query, 1),
    ("get_json(path)", lambda s: s.client.get_json("/cohorts"), is_a(dict)),
    ("head(path)", lambda s: s.client.head("/cohorts").status_code, 200),
    ("post(path, json)", lambda s: s.client.post("/cohorts", json={"label": s.label("cohort")}).status_code, 201),
    ("put(path, json)", lambda s: s.client.put(s.cohort().uri, json={"description": "x"}).status_code, 200),
    ("delete(path)", delete_link, {}),
    ("clearcache()", lambda s: s.client.clearcache(), None),
    ("create_object(class, uri)", lambda s: s.client.create_object(Cohort, s.cohort().uri).label, is_a(str)),
    ("create_object(class, data)", lambda s: s.client.create_object(Workflow, s.read(s.workflow())).label, "scans"),
    ("external_systems", lambda s: s.client.external_systems["XNAT"].url, "https://xnat.example.org"),
]
CALLS = [Call("studyclient", *rest) for rest in MODULE] + [Call("StudyClient", *rest) for rest in CLIENT]
