"""JUnit's XML, as the usual readers of it (CI servers, editors) understand it."""

from collections.abc import Iterable
from typing import Literal
from xml.etree import ElementTree

from msgspec import Struct

from protocol.codec import printable


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
    kind: str = ""
    """Of failure or error, in a word."""
    output: str = ""
    """What was printed meanwhile."""


def to_junit(suite: str, cases: Iterable[Case], seconds: float | None = None) -> str:
    """The cases as a document with one test suite; and how long they took, if that is known."""
    cases = list(cases)
    counts = {
        kind: str(sum(case.result == result for case in cases))
        for kind, result in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
    }
    whole = {"name": _clean(suite), "tests": str(len(cases)), **counts}
    if seconds is not None:
        whole["time"] = f"{seconds:.3f}"
    suites = ElementTree.Element("testsuites")
    parent = ElementTree.SubElement(suites, "testsuite", whole)
    for case in cases:
        _add(parent, case)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, "unicode", xml_declaration=True) + "\n"


def _add(parent: ElementTree.Element, case: Case) -> None:
    named = {"name": _clean(case.name), "classname": _clean(case.classname)}
    child = ElementTree.SubElement(parent, "testcase", named)
    if case.result != "passed":
        told = {"message": _clean(case.message)}
        if case.kind and case.result != "skipped":
            told["type"] = _clean(case.kind)
        ElementTree.SubElement(child, case.result, told).text = _clean(case.text)
    if case.output:
        ElementTree.SubElement(child, "system-out").text = _clean(case.output)


def _clean(text: str) -> str:
    """Without what no XML can hold, not even escaped, and what rules a terminal."""
    return printable(text, but="\n\t")
