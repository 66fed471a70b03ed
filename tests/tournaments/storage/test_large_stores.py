"""Large tournaments: reading what a store has takes no more memory for it, and no needless work."""

import tracemalloc
from collections.abc import Callable

from tests.tournaments.small_run import key, numbers, result, row, start
from tournaments.storage import reader
from tournaments.storage.store import Store


def test_a_long_schedule_is_never_held_in_memory(store: Store) -> None:
    start(store)
    tracemalloc.start()
    try:
        store.set_schedule(map(row, range(50_000)), "", legs=2, rounds=1)
        missing = sum(1 for _ in store.missing())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert missing == store.counts().scheduled == 50_000
    assert peak < 2_000_000


def test_no_reading_sorts_or_searches_through_all_matches(store: Store) -> None:
    start(store, 3)
    store.add(row(0), result(0))
    statements: list[str] = []
    store._database._connection.set_trace_callback(statements.append)
    for _ in (*store.missing(), *store.finished(), *store.records()):
        pass
    store.counts()
    store.find(key(0)[:8])
    store._database._connection.set_trace_callback(None)
    plans = [
        step
        for statement in statements
        for *_, step in store._database.all(f"EXPLAIN QUERY PLAN {statement}")
    ]
    assert not [step for step in plans if "TEMP B-TREE" in step or "AUTOMATIC" in step]
    scans = {step for step in plans if step.startswith("SCAN ") and step != "SCAN CONSTANT ROW"}
    assert scans == {
        "SCAN bots USING COVERING INDEX sqlite_autoindex_bots_1",  # all labels, once
        "SCAN schedule",
        "SCAN schedule USING COVERING INDEX schedule_key",
        "SCAN tournament",
        "SCAN voids",
    }


def test_counting_goes_from_index_to_index_in_the_order_of_the_keys(store: Store) -> None:
    start(store, 3)
    plan = [step for *_, step in store._database.all(f"EXPLAIN QUERY PLAN {reader._COUNTS}", (3,))]
    finished = plan.index("SEARCH schedule USING COVERING INDEX schedule_key (key=?)")
    assert plan[finished + 1] == "USING INDEX sqlite_autoindex_matches_1 FOR IN-OPERATOR"
    assert not [step for step in plan if step.startswith("SEARCH matches")]


def work(store: Store, action: Callable[[], object]) -> int:
    """What the database does meanwhile, in hundreds of its machine's instructions."""
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    connection = store._database._connection
    connection.set_progress_handler(step, 100)
    action()
    connection.set_progress_handler(None, 100)
    return steps


def test_what_is_finished_is_not_looked_for_in_all_that_is_still_to_be_played(
    store: Store,
) -> None:
    start(store, 5_000)
    for number in range(5):
        store.add(row(number), result(number))
    assert work(store, lambda: list(store.unfinished())) > 500
    assert work(store, lambda: list(store.finished_rows())) < 20
    assert numbers(store.finished()) == [0, 1, 2, 3, 4]


def test_what_is_not_finished_is_looked_for_from_a_number_on(store: Store) -> None:
    start(store, 1_000)
    with store.transaction():
        for number in range(998):
            store.add(row(number), result(number))
    assert list(store.unfinished(996)) == [998, 999]
    assert work(store, lambda: list(store.unfinished(996))) < 10
