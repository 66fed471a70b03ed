-- The run folder's database, version 1. Objects and lists are JSON text, times ISO 8601 in UTC.

CREATE TABLE tournament (
    one         INTEGER PRIMARY KEY CHECK (one = 1),
    name        TEXT NOT NULL,
    root        TEXT NOT NULL,   -- what all deals come from: `seed N` or `secret HEX`
    commitment  TEXT,            -- SHA-256 of the secret; null where there is a seed
    comparable  TEXT NOT NULL,   -- the settings that make results comparable, canonical
    settings    TEXT NOT NULL,   -- the other settings, as of the last run
    created     TEXT NOT NULL
) STRICT;

CREATE TABLE bots (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    version  INTEGER NOT NULL,        -- 1, 2, ...: a new one for each change of the files
    hash     TEXT NOT NULL,
    label    TEXT NOT NULL UNIQUE,    -- `name`, or `name@2` for a later version
    source   TEXT NOT NULL,           -- what the file said of it
    in_use   INTEGER NOT NULL CHECK (in_use IN (0, 1)),
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
    w       INTEGER NOT NULL REFERENCES bots
) STRICT;

CREATE UNIQUE INDEX schedule_key ON schedule (key);

CREATE VIEW seated AS  -- the schedule with the bots' labels, seat -> label
SELECT number, key, match, cycle, leg, json_object(
    'N', (SELECT label FROM bots WHERE id = n),
    'E', (SELECT label FROM bots WHERE id = e),
    'S', (SELECT label FROM bots WHERE id = s),
    'W', (SELECT label FROM bots WHERE id = w)
) AS seats
FROM schedule;

CREATE TABLE matches (
    key       TEXT PRIMARY KEY,
    match     TEXT NOT NULL UNIQUE,  -- the id that bots were told
    winner    TEXT,                  -- a side; null is a draw
    reason    TEXT NOT NULL,
    forfeited TEXT,                  -- the side that did, if one did
    score     TEXT NOT NULL,         -- side -> score
    points    TEXT NOT NULL,         -- side -> points of the finished deals, bags at long-run worth
    deals     INTEGER NOT NULL,      -- finished ones
    faults    TEXT NOT NULL,         -- seat -> kind -> how many
    logs      TEXT NOT NULL,         -- seat -> standard error, of seats at fault
    finished  TEXT NOT NULL
) STRICT;

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
