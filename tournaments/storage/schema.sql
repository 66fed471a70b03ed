-- The run folder's database, version 3. Objects and lists are JSON text, times ISO 8601 in UTC.

CREATE TABLE tournament (
    one         INTEGER PRIMARY KEY CHECK (one = 1),
    name        TEXT NOT NULL,
    root        TEXT NOT NULL,   -- what all deals come from: `seed N` or `secret HEX`
    commitment  TEXT,            -- SHA-256 of the secret; null where there is a seed
    comparable  TEXT NOT NULL,   -- the settings that make results comparable, canonical
    settings    TEXT NOT NULL,   -- the other settings, as of the last run
    created     TEXT NOT NULL,
    final       TEXT,            -- when it became final; null before
    entered     TEXT NOT NULL,   -- digest of all that the schedule was made of
    drawn       INTEGER NOT NULL,  -- rounds that results have drawn
    undrawn     INTEGER NOT NULL   -- matches of the rounds that are still to be drawn
) STRICT;

CREATE TABLE bots (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    version  INTEGER NOT NULL,        -- 1, 2, ...: a new one for each change of the files
    hash     TEXT NOT NULL,
    label    TEXT NOT NULL UNIQUE,    -- `name`, or `name@2` for a later version
    source   TEXT NOT NULL,           -- what the file said of it
    status   TEXT NOT NULL CHECK (
        status IN ('playing', 'withdrawn', 'superseded', 'disqualified', 'absent')
    ),
    UNIQUE (name, version),
    UNIQUE (name, hash)
) STRICT;

CREATE TABLE schedule (
    number  INTEGER PRIMARY KEY,
    key     TEXT NOT NULL,
    match   TEXT NOT NULL,
    cycle   INTEGER NOT NULL,
    leg     INTEGER NOT NULL,
    n       INTEGER NOT NULL REFERENCES bots,
    e       INTEGER NOT NULL REFERENCES bots,
    s       INTEGER NOT NULL REFERENCES bots,
    w       INTEGER NOT NULL REFERENCES bots,
    retired INTEGER NOT NULL DEFAULT 0
    -- 1: played by bots that play no more, and taken into account after all others. No CHECK: of a
    -- long table that has one SQLite makes no fast copy (`Database.to_try`).
) STRICT;

CREATE UNIQUE INDEX schedule_key ON schedule (key);

-- All that results have drawn, numbered from 0 without a gap. Nothing of it is lost where bots leave
-- and rounds are fewer: the schedule has what holds, under the same numbers (found ten times as fast
-- as keys, which come in no order), and has the rest again when that does.
CREATE TABLE drawn (
    number  INTEGER PRIMARY KEY,
    key     TEXT NOT NULL,
    match   TEXT NOT NULL,
    cycle   INTEGER NOT NULL,
    leg     INTEGER NOT NULL,
    n       INTEGER NOT NULL REFERENCES bots,
    e       INTEGER NOT NULL REFERENCES bots,
    s       INTEGER NOT NULL REFERENCES bots,
    w       INTEGER NOT NULL REFERENCES bots
) STRICT;

CREATE TABLE matches (
    key       TEXT PRIMARY KEY,
    match     TEXT NOT NULL UNIQUE,  -- the id that bots were told
    cycle     INTEGER NOT NULL,
    leg       INTEGER NOT NULL,
    n         INTEGER NOT NULL REFERENCES bots,
    e         INTEGER NOT NULL REFERENCES bots,
    s         INTEGER NOT NULL REFERENCES bots,
    w         INTEGER NOT NULL REFERENCES bots,
    winner    TEXT,                  -- a side; null is a draw
    reason    TEXT NOT NULL,
    forfeited TEXT,                  -- the side that did, if one did
    offender  TEXT,                  -- the seat whose fault it was
    score     TEXT NOT NULL,         -- side -> score
    points    TEXT NOT NULL,         -- side -> points of the finished deals, bags at long-run worth
    deals     INTEGER NOT NULL,      -- finished ones
    faults    TEXT NOT NULL,         -- seat -> kind -> how many
    logs      TEXT NOT NULL,         -- seat -> standard error, of seats at fault
    ms        REAL NOT NULL,         -- how long it took
    finished  TEXT NOT NULL
) STRICT;

-- Matches beside the schedule of which a bot plays no more and all are ranked. An encounter is two
-- sides in a cycle, whoever sits where.
CREATE VIEW retirable AS
SELECT *, count(*) OVER (PARTITION BY cycle, low, high) AS finished_legs
FROM (
    SELECT *, min(ns, ew) AS low, max(ns, ew) AS high
    FROM (
        SELECT *, (min(n, s) << 32) + max(n, s) AS ns, (min(e, w) << 32) + max(e, w) AS ew
        FROM matches
        WHERE NOT EXISTS (
            SELECT 1 FROM schedule WHERE schedule.key = matches.key AND NOT schedule.retired
        ) AND (
            SELECT max(status != 'playing') AND NOT max(status IN ('disqualified', 'absent'))
            FROM bots WHERE id IN (n, e, s, w)
        )
    )
);

-- What was drawn and holds: of bots that play, or that are ranked and have finished all legs. Legs
-- of an encounter are numbered one after the other.
CREATE VIEW holding AS
WITH unranked AS (SELECT id FROM bots WHERE status IN ('disqualified', 'absent')),
    gone AS (SELECT id FROM bots WHERE status != 'playing')
SELECT * FROM drawn
WHERE NOT (n IN unranked OR e IN unranked OR s IN unranked OR w IN unranked) AND (
    NOT (n IN gone OR e IN gone OR s IN gone OR w IN gone) OR NOT EXISTS (
        SELECT 1 FROM drawn AS other
        WHERE other.number BETWEEN drawn.number - drawn.leg AND drawn.number + 3
            AND other.number - other.leg = drawn.number - drawn.leg
            AND other.key NOT IN (SELECT key FROM matches)
    )
);

-- By themselves, as they are a hundred times as long: who reads all results need not pass over them.
CREATE TABLE records (
    key       TEXT PRIMARY KEY REFERENCES matches,
    record    BLOB NOT NULL          -- JSON lines, zlib
) STRICT;

-- Matches that the arena failed, by the tries of the last run.
CREATE TABLE voids (
    key     TEXT PRIMARY KEY,
    tries   INTEGER NOT NULL,
    reason  TEXT NOT NULL,
    time    TEXT NOT NULL
) STRICT;
