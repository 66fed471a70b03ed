"""JUnit's XML, as the usual readers of it (CI servers, editors) understand it."""

import re
from collections.abc import Iterable
from typing import Final, Literal
from xml.etree import ElementTree

from msgspec import Struct

_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML can hold, not even escaped."""


class Case(Struct, frozen=True):
    """Something that was tried."""

    name: str
    classname: str
    """What it was tried on."""
    result: Literal["passed", "failure", "error", "skipped"] = "passed"
    """`failure`: it does not hold. `error`: that can't be said."""
    message: str = ""
    """A sentence."""
    text: str = ""
    """More about it."""


def to_junit(suite: str, cases: Iterable[Case], seconds: float) -> str:
    """The cases as a document with one test suite, which took so long."""
    cases = list(cases)
    counts = {
        kind: str(sum(case.result == result for case in cases))
        for kind, result in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
    }
    whole = {"name": _clean(suite), "tests": str(len(cases)), **counts, "time": f"{seconds:.3f}"}
    suites = ElementTree.Element("testsuites")
    parent = ElementTree.SubElement(suites, "testsuite", whole)
    for case in cases:
        named = {"name": _clean(case.name), "classname": _clean(case.classname)}
        child = ElementTree.SubElement(parent, "testcase", named)
        if case.result != "passed":
            told = {"message": _clean(case.message)}
            ElementTree.SubElement(child, case.result, told).text = _clean(case.text)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, "unicode", xml_declaration=True) + "\n"


def _clean(text: str) -> str:
    return _FORBIDDEN.sub(lambda found: repr(found[0])[1:-1], text)
