-- The tables of version 1, never changed again: what came later are steps of their own (`migrations.STEPS`).
-- Times are integer milliseconds UTC, JSON is canonical text, digests are 16-byte blobs.
-- `id` is internal; `uid` is what people and links see. Bodies over 4 KiB live in `texts`, once each.

CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- `digest` names the uncompressed UTF-8 bytes. `body` is text where codec is 'raw', else a zlib blob.
CREATE TABLE texts(
  id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, codec TEXT NOT NULL CHECK(codec IN ('raw', 'zlib')),
  size INTEGER NOT NULL, body ANY NOT NULL
) STRICT;

CREATE TABLE suites(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, digest BLOB NOT NULL UNIQUE, source TEXT, text_id INTEGER REFERENCES texts
) STRICT;
CREATE TABLE tasks(
  id INTEGER PRIMARY KEY, suite_id INTEGER NOT NULL REFERENCES suites, key TEXT NOT NULL,
  stimulus BLOB NOT NULL, oracle BLOB NOT NULL, domain TEXT, intent TEXT, task_type TEXT, kind TEXT, difficulty TEXT,
  priority TEXT, risk TEXT, weight REAL, body TEXT NOT NULL, UNIQUE(key, stimulus, oracle)
) STRICT;
-- `origin`: 'suite', or 'run' where the tag was given after a run. Typed values stay in the task's body.
CREATE TABLE task_tags(
  task_id INTEGER NOT NULL REFERENCES tasks, tag TEXT NOT NULL, value TEXT NOT NULL, origin TEXT NOT NULL,
  PRIMARY KEY(tag, value, task_id)
) STRICT, WITHOUT ROWID;

-- `text_id` is the whole setup by value; `setup_parts` is the same in parts, for joins.
CREATE TABLE setups(
  id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, agent_kind TEXT NOT NULL, model TEXT, name TEXT,
  text_id INTEGER NOT NULL REFERENCES texts
) STRICT;
CREATE TABLE setup_parts(
  setup_id INTEGER NOT NULL REFERENCES setups, part TEXT NOT NULL, factor TEXT NOT NULL, evidence TEXT NOT NULL,
  digest BLOB NOT NULL, text_id INTEGER REFERENCES texts, PRIMARY KEY(setup_id, part)
) STRICT, WITHOUT ROWID;

CREATE TABLE experiments(
  id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, parent_run_id INTEGER REFERENCES runs, base_seed TEXT NOT NULL,
  primary_metric TEXT NOT NULL, plan TEXT NOT NULL, verdict TEXT, result TEXT, stats_version TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX experiments_parent ON experiments(parent_run_id) WHERE parent_run_id IS NOT NULL;

-- `tree` is the path of padded ids from the root: ORDER BY root_id DESC, tree puts branches under their parents.
-- `exec` says how it was executed (concurrency, executor, host), as JSON. `tasks` and `repeats` are NULL if unplanned.
CREATE TABLE runs(
  id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, name TEXT NOT NULL, parent_id INTEGER REFERENCES runs,
  root_id INTEGER NOT NULL, tree TEXT NOT NULL, experiment_id INTEGER REFERENCES experiments, arm TEXT,
  suite_id INTEGER REFERENCES suites, setup_id INTEGER REFERENCES setups, factor TEXT, factor_part TEXT,
  transform TEXT, start TEXT, origin TEXT NOT NULL, status TEXT NOT NULL, base_seed TEXT, code TEXT, exec TEXT,
  created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER, tasks INTEGER, repeats INTEGER,
  planned INTEGER NOT NULL, done INTEGER NOT NULL DEFAULT 0, passed INTEGER NOT NULL DEFAULT 0,
  partial INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, not_counted INTEGER NOT NULL DEFAULT 0,
  reach_once REAL, reach_majority REAL, reach_mean REAL, reach_weighted REAL,
  tokens INTEGER, cost REAL, unknown_cost INTEGER NOT NULL DEFAULT 0, summary TEXT,
  plan_text_id INTEGER REFERENCES texts, rev INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_tree ON runs(root_id DESC, tree);
CREATE INDEX runs_rev ON runs(rev);
CREATE INDEX runs_name ON runs(name, id);
CREATE INDEX runs_suite ON runs(suite_id, created_at, id, reach_mean);
CREATE INDEX runs_parent ON runs(parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX runs_experiment ON runs(experiment_id) WHERE experiment_id IS NOT NULL;
CREATE INDEX runs_live ON runs(status) WHERE status IN ('queued', 'running', 'paused');

-- `final` marks the attempt that speaks for its slot (run, task, repeat).
CREATE TABLE trials(
  id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, run_id INTEGER NOT NULL REFERENCES runs,
  task_id INTEGER NOT NULL REFERENCES tasks, repeat INTEGER NOT NULL, attempt INTEGER NOT NULL,
  final INTEGER NOT NULL DEFAULT 0, seed TEXT, status TEXT NOT NULL, end_reason TEXT, end_text TEXT,
  mode TEXT, owner TEXT, decisive_step INTEGER, depth INTEGER, depth_of INTEGER,
  steps INTEGER, turns INTEGER, calls INTEGER, tokens_in INTEGER, tokens_out INTEGER, cost REAL,
  model_ms INTEGER, wall_ms INTEGER, failed_requests INTEGER, state_kind TEXT NOT NULL,
  initial_text_id INTEGER REFERENCES texts, final_digest BLOB, cached_from INTEGER REFERENCES trials,
  forked_from INTEGER REFERENCES trials, fork_step INTEGER, started_at INTEGER, ended_at INTEGER, rev INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX trials_slot ON trials(run_id, task_id, repeat, attempt);
CREATE INDEX trials_status ON trials(run_id, status, mode, id, final);
CREATE INDEX trials_task ON trials(task_id, id);
CREATE INDEX trials_rev ON trials(run_id, rev);

-- `flags` are bits: 1 replayed, 2 under a fault, 4 late, 8 ended in error, 16 changed the state.
CREATE TABLE steps(
  id INTEGER PRIMARY KEY, trial_id INTEGER NOT NULL REFERENCES trials, n INTEGER NOT NULL, turn INTEGER NOT NULL,
  kind TEXT NOT NULL, tool TEXT, call_id TEXT, ok INTEGER, flags INTEGER NOT NULL DEFAULT 0,
  at_ms INTEGER, took_ms INTEGER, tokens INTEGER, preview TEXT NOT NULL, body TEXT,
  text_id INTEGER REFERENCES texts, state_digest BLOB, UNIQUE(trial_id, n)
) STRICT;
-- `old` and `new` are JSON; NULL is a value that is not there, 'null' is JSON's null.
CREATE TABLE changes(
  trial_id INTEGER NOT NULL REFERENCES trials, n INTEGER NOT NULL, seq INTEGER NOT NULL, pointer TEXT NOT NULL,
  old TEXT, new TEXT, source TEXT NOT NULL DEFAULT 'exact', PRIMARY KEY(trial_id, n, seq)
) STRICT, WITHOUT ROWID;
-- `messages` is a JSON list of texts.id: every message is stored once, however many requests carried it.
CREATE TABLE exchanges(
  id INTEGER PRIMARY KEY, trial_id INTEGER NOT NULL REFERENCES trials, turn INTEGER NOT NULL, attempt INTEGER NOT NULL,
  who TEXT NOT NULL, model TEXT, options TEXT, messages TEXT NOT NULL, tools_text_id INTEGER REFERENCES texts,
  response_text_id INTEGER REFERENCES texts, request_digest BLOB, status INTEGER, error TEXT, finish TEXT,
  tokens_in INTEGER, tokens_out INTEGER, waited_ms INTEGER, took_ms INTEGER, UNIQUE(trial_id, turn, who, attempt)
) STRICT;

CREATE TABLE gradings(
  id INTEGER PRIMARY KEY, trial_id INTEGER NOT NULL REFERENCES trials, version TEXT NOT NULL, oracle BLOB NOT NULL,
  at INTEGER NOT NULL, status TEXT NOT NULL, mode TEXT, owner TEXT, step INTEGER, parting INTEGER,
  depth INTEGER NOT NULL, depth_of INTEGER NOT NULL, why TEXT NOT NULL, current INTEGER NOT NULL,
  UNIQUE(trial_id, version, oracle)
) STRICT;
CREATE TABLE checks(
  grading_id INTEGER NOT NULL REFERENCES gradings, ord INTEGER NOT NULL, kind TEXT NOT NULL, decides INTEGER NOT NULL,
  path TEXT, verdict TEXT NOT NULL, expected TEXT, actual TEXT, step INTEGER, why TEXT NOT NULL,
  PRIMARY KEY(grading_id, ord)
) STRICT, WITHOUT ROWID;
CREATE TABLE milestones(
  grading_id INTEGER NOT NULL REFERENCES gradings, ord INTEGER NOT NULL, name TEXT NOT NULL, verdict TEXT NOT NULL,
  step INTEGER, expected TEXT, actual TEXT, PRIMARY KEY(grading_id, ord)
) STRICT, WITHOUT ROWID;
CREATE TABLE deviations(
  grading_id INTEGER NOT NULL REFERENCES gradings, ord INTEGER NOT NULL, detector TEXT NOT NULL, tool TEXT,
  step INTEGER NOT NULL, last_step INTEGER, evidence TEXT NOT NULL, PRIMARY KEY(grading_id, ord)
) STRICT, WITHOUT ROWID;
CREATE TABLE claims(
  grading_id INTEGER NOT NULL REFERENCES gradings, ord INTEGER NOT NULL, step INTEGER NOT NULL, pointer TEXT,
  value TEXT, span TEXT NOT NULL, supported INTEGER, tool TEXT, PRIMARY KEY(grading_id, ord)
) STRICT, WITHOUT ROWID;

-- People's words. Rows are only ever added: an undo is a row that replaces another with an empty value.
CREATE TABLE labels(
  id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, trial_uid TEXT NOT NULL, step INTEGER, step_digest BLOB,
  kind TEXT NOT NULL, value TEXT NOT NULL, author TEXT NOT NULL, at INTEGER NOT NULL, reason TEXT, replaces TEXT
) STRICT;
CREATE INDEX labels_trial ON labels(trial_uid, kind, at);
CREATE INDEX labels_author ON labels(author, id);
CREATE TRIGGER labels_stay BEFORE DELETE ON labels BEGIN SELECT RAISE(ABORT, 'labels are never deleted'); END;
CREATE TRIGGER labels_keep BEFORE UPDATE ON labels BEGIN SELECT RAISE(ABORT, 'labels are never changed'); END;

CREATE TABLE cache(
  key BLOB PRIMARY KEY, trial_id INTEGER NOT NULL REFERENCES trials, at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- A lease: one runner a run. `beat` is a count, not a clock: readers watch it move.
CREATE TABLE runners(
  run_id INTEGER PRIMARY KEY REFERENCES runs, uid TEXT NOT NULL, host TEXT, pid INTEGER, pid_started INTEGER,
  beat INTEGER NOT NULL, said TEXT
) STRICT;
CREATE INDEX runners_uid ON runners(uid);
CREATE TABLE commands(
  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES runs, verb TEXT NOT NULL, args TEXT, at INTEGER NOT NULL,
  by TEXT, done_at INTEGER
) STRICT;
CREATE INDEX commands_open ON commands(run_id, id) WHERE done_at IS NULL;
CREATE TABLE imports(
  id INTEGER PRIMARY KEY, format TEXT NOT NULL, source TEXT NOT NULL, digest BLOB, trials INTEGER, skipped TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX imports_digest ON imports(digest);
CREATE TABLE baselines(name TEXT PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES runs, at INTEGER NOT NULL) STRICT;
CREATE TABLE quarantine(
  task_key TEXT NOT NULL, since INTEGER NOT NULL, reason TEXT NOT NULL, until INTEGER, PRIMARY KEY(task_key, since)
) STRICT, WITHOUT ROWID;

-- Views for people with a SQLite shell.
CREATE VIEW v_trials AS
  SELECT r.name AS run, r.uid AS run_uid, k.key AS task, t.repeat, t.attempt, t.final, s.agent_kind, s.model,
         t.status, t.mode, t.owner, t.decisive_step, g.why, t.steps, t.calls, t.tokens_in, t.tokens_out, t.cost,
         t.wall_ms, t.uid AS trial_uid
    FROM trials t JOIN runs r ON r.id = t.run_id JOIN tasks k ON k.id = t.task_id
    LEFT JOIN setups s ON s.id = r.setup_id LEFT JOIN gradings g ON g.trial_id = t.id AND g.current = 1;
CREATE VIEW v_steps AS
  SELECT t.uid AS trial_uid, p.n, p.turn, p.kind, p.tool, p.ok, p.at_ms, p.took_ms, p.flags, p.preview,
         CASE WHEN p.body IS NOT NULL THEN p.body WHEN x.codec = 'raw' THEN x.body ELSE x.codec || ' body' END AS body
    FROM steps p JOIN trials t ON t.id = p.trial_id LEFT JOIN texts x ON x.id = p.text_id;
CREATE VIEW v_tasks_reach AS
  SELECT r.name AS run, r.uid AS run_uid, k.key AS task, sum(t.status = 'passed') AS passes,
         sum(t.status IN ('passed', 'partial', 'failed')) AS counted, count(*) AS ended
    FROM trials t JOIN runs r ON r.id = t.run_id JOIN tasks k ON k.id = t.task_id
   WHERE t.final = 1 GROUP BY t.run_id, t.task_id;
CREATE VIEW v_flips AS
  SELECT e.uid AS experiment_uid, b.arm, k.key AS task, x.repeat, x.status AS control, y.status AS branch,
         CASE WHEN x.status <> 'passed' AND y.status = 'passed' THEN 'fixed'
              WHEN x.status = 'passed' AND y.status <> 'passed' THEN 'broken' ELSE 'same' END AS flip,
         x.uid AS control_uid, y.uid AS branch_uid
    FROM experiments e JOIN runs c ON c.experiment_id = e.id AND c.arm = 'control'
    JOIN runs b ON b.experiment_id = e.id AND b.arm <> 'control'
    JOIN trials x ON x.run_id = c.id AND x.final = 1
    JOIN trials y ON y.run_id = b.id AND y.task_id = x.task_id AND y.repeat = x.repeat AND y.final = 1
    JOIN tasks k ON k.id = x.task_id
   WHERE x.status IN ('passed', 'partial', 'failed') AND y.status IN ('passed', 'partial', 'failed');
