"""The calls. Each has its class, its text, a function that makes it in a study, and the expected result or a check of the result."""
import re
from typing import Any, Callable, NamedTuple


class Call(NamedTuple):
    owner: str
    text: str
    make: Callable[[Any], Any]
    expected: Any = True

    @property
    def member(self):
        return re.match(r"(?:del )?(\w+)", self.text)[1]

    def outcome(self, study):
        study.client.clearcache()
        try:
            result = self.make(study)
        except Exception as error:
            return describe(error)
        fits = self.expected(result) if callable(self.expected) else result == self.expected
        return "works" if fits else f"returns {result!r}"


def describe(error):
    """The same text on every run: without addresses and ids."""
    name = type(error).__name__
    status = getattr(error, "status_code", None)
    text = re.sub(r"https?://\S+", "<address>", str(error)).partition("\n")[0]
    return f"{name}: status {status}" if status else f"{name}: {text}"


def raises(expected, action):
    try:
        action()
    except expected:
        return True
    return False


def assign(study, thing, name, value, stored=None):
    """Sets the property and returns the stored value of the field."""
    setattr(thing, name, value)
    return study.read(thing)[stored or name]


def is_a(kind):
    return lambda result: isinstance(result, kind)


def all_are(kind):
    return lambda result: bool(result) and all(isinstance(one, kind) for one in result)
