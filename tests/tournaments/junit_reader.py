"""A reader of JUnit's XML, as strict as the schema of Jenkins that CI servers go by."""

from typing import Final
from xml.etree import ElementTree

SUITE: Final = {
    *("name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id"),
    *("package", "group", "file", "log", "url"),
}
CASE: Final = {"name", "classname", "group", "time"}
RESULTS: Final = {"failure": "failures", "error": "errors", "skipped": "skipped"}
ATTRIBUTES: Final = {
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"type", "message"},
    "system-out": set[str](),
}


def read(xml: str) -> ElementTree.Element:
    """The one suite of a document. Raises AssertionError for what the schema does not allow."""
    assert xml.startswith("<?xml version='1.0' encoding='utf-8'?>\n<testsuites>")
    root = ElementTree.fromstring(xml.encode())
    assert root.tag == "testsuites"
    (suite,) = root
    assert suite.tag == "testsuite"
    assert set(suite.attrib) <= SUITE
    assert suite.get("name")
    cases = list(suite)
    assert int(suite.attrib["tests"]) == len(cases)
    for tag, counter in RESULTS.items():
        assert int(suite.attrib[counter]) == len(suite.findall(f"testcase/{tag}"))
    for case in cases:
        _check(case)
    return suite


def _check(case: ElementTree.Element) -> None:
    assert case.tag == "testcase"
    assert set(case.attrib) <= CASE
    assert case.get("name")
    assert sum(child.tag in RESULTS for child in case) <= 1
    for child in case:
        assert set(child.attrib) <= ATTRIBUTES[child.tag]
        assert not list(child)


def result(case: ElementTree.Element) -> str:
    """`passed`, or how it did not."""
    return next((child.tag for child in case if child.tag in RESULTS), "passed")
