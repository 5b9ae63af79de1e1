"""ExternalMap, the mapping behind `external_ids` and `external_urls`, for each class that has one."""
from . import Call

OWNERS = {
    "Cohort.external_urls": lambda s: s.with_id(s.cohort(), "external_urls", "external_url", "A1").external_urls,
    "Subject.external_ids": lambda s: s.with_id(s.subject()).external_ids,
    "Experiment.external_ids": lambda s: s.with_id(s.experiment()).external_ids,
}


def set_item(mapping, system, value):
    """Reads the stored value instead of the mapping, because the mapping of a cohort cannot be read."""
    mapping[system] = value
    parent = mapping._parent
    stored = parent.session.get_json(parent.uri)
    return (stored["external_urls"] if "external_urls" in stored else stored["external_ids"])[system]


def calls_of(name, make):
    return [
        Call("ExternalMap", f"{member} of {name}", action, expected)
        for member, action, expected in [
            ("__getitem__", lambda s: make(s)["XNAT"], "A1"),
            ("__setitem__ (new)", lambda s: set_item(make(s), "RIS", "B1"), "B1"),
            ("__setitem__ (other value)", lambda s: set_item(make(s), "XNAT", "A2"), "A2"),
            ("__setitem__ (same value)", lambda s: set_item(make(s), "XNAT", "A1"), "A1"),
            ("__iter__", lambda s: list(make(s)), ["XNAT"]),
            ("__len__", lambda s: len(make(s)), 1),
            ("__contains__", lambda s: "XNAT" in make(s), True),
            ("get", lambda s: make(s).get("RIS", "none"), "none"),
            ("keys", lambda s: list(make(s).keys()), ["XNAT"]),
            ("values", lambda s: list(make(s).values()), ["A1"]),
            ("items", lambda s: list(make(s).items()), [("XNAT", "A1")]),
            ("__str__", lambda s: str(make(s)), "{'XNAT': 'A1'}"),
            ("__repr__", lambda s: repr(make(s)), "<ExternalIdMap {'XNAT': 'A1'}>"),
        ]
    ]


CALLS = [call for name, make in OWNERS.items() for call in calls_of(name, make)]
