-- The run folder's database, version 2. Objects and lists are JSON text, times ISO 8601 in UTC.

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

-- The matches of all rounds that results have drawn, as in `schedule`, where those are that hold:
-- who has left may come back.
CREATE TABLE drawn (
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
        WHERE key NOT IN (SELECT key FROM schedule) AND (
            SELECT max(status != 'playing') AND NOT max(status IN ('disqualified', 'absent'))
            FROM bots WHERE id IN (n, e, s, w)
        )
    )
);

-- Of the rounds that results have drawn the matches of bots that play; and where one plays no more,
-- but all are ranked, those of encounters that were played to their last leg. Legs follow each other.
CREATE VIEW still_drawn AS
SELECT * FROM drawn
WHERE (
    SELECT NOT max(status != 'playing') OR (
        NOT max(status IN ('disqualified', 'absent')) AND (
            SELECT min(legs.key IN (SELECT key FROM matches))
            FROM drawn AS legs
            WHERE legs.number BETWEEN drawn.number - 3 AND drawn.number + 3
                AND legs.number - legs.leg = drawn.number - drawn.leg
        )
    )
    FROM bots WHERE id IN (n, e, s, w)
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
