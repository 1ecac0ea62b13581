/*
 * schema.c: the tables. Instants are RFC 3339 UTC with milliseconds, costs are integers in
 * micro-USD, sets and records are JSON. Triggers keep events from being deleted, except those of a
 * session that is marked as deleted. The four task tables were specified elsewhere, column by
 * column; hence their different style and the REAL costs.
 */
#include "store/schema.h"

#include "base/base.h"

/* Checks that many columns share; each takes the column's name. */
#define INSTANT(c)             \
    " CHECK (" c " GLOB '????" \
    "-??"                      \
    "-??T??:??:??.???Z')" /* no trigraphs */
#define JSON(c)    " CHECK (json_valid(" c "))"
#define COUNT(c)   " CHECK (" c " >= 0)"
#define FLAG(c)    " CHECK (" c " IN (0, 1))"
#define SURFACE(c) " CHECK (" c " IN ('tui', 'web', 'headless', 'rpc'))"

/* The five axes, as in every record of a state. */
#define AXES                                                                                   \
    "work_mode TEXT NOT NULL CHECK (work_mode IN\n"                                            \
    "  ('chat', 'plan', 'build', 'review', 'repair', 'research')),\n"                          \
    "run_control TEXT NOT NULL CHECK (run_control IN ('manual', 'assisted', 'autonomous')),\n" \
    "permission_profile TEXT NOT NULL CHECK (permission_profile IN\n"                          \
    "  ('restricted', 'normal', 'trusted', 'unrestricted')),\n"                                \
    "model_mode TEXT NOT NULL CHECK (model_mode IN ('fast', 'smart', 'deep')),\n"              \
    "surface TEXT NOT NULL" SURFACE("surface") ",\n"

/* clang-format off */
static const char *const task_tables[] = {
    "CREATE TABLE tasks (\n"
    "id TEXT PRIMARY KEY,\n"
    "work_mode TEXT NOT NULL,\n"
    "run_control TEXT NOT NULL,\n"
    "permission_profile TEXT NOT NULL,\n"
    "model_mode TEXT NOT NULL,\n"
    "status TEXT NOT NULL, -- todo | running | verifying | reviewing | done | blocked | paused |"
    " failed | cancelled | retrying\n"
    "dependency_blockers TEXT, -- JSON array of task IDs\n"
    "retry_count INTEGER DEFAULT 0,\n"
    "max_retries INTEGER DEFAULT 3,\n"
    "checkpoint_ref TEXT, -- git ref or patch file\n"
    "cost_budget REAL,\n"
    "cost_spent REAL DEFAULT 0,\n"
    "created_at TEXT, -- Temporal.Instant ISO\n"
    "started_at TEXT,\n"
    "completed_at TEXT,\n"
    "next_action_at TEXT, -- Temporal.ZonedDateTime for scheduled\n"
    "intent_claim TEXT -- for parallel workers: \"I will edit src/foo.ts lines 10-50\"\n"
    ") STRICT",
    "CREATE TABLE task_scheduler (\n"
    "task_id TEXT PRIMARY KEY REFERENCES tasks(id),\n"
    "status TEXT NOT NULL, -- queued | due | claimed | dispatched | consumed | expired\n"
    "due_at TEXT,\n"
    "claimed_by TEXT,\n"
    "dispatched_at TEXT,\n"
    "consumed_at TEXT,\n"
    "expires_at TEXT\n"
    ") STRICT",
    "CREATE TABLE task_runtime (\n"
    "task_id TEXT PRIMARY KEY REFERENCES tasks(id),\n"
    "process_pid INTEGER,\n"
    "worktree_path TEXT,\n"
    "current_model TEXT,\n"
    "context_usage_percent REAL,\n"
    "last_heartbeat_at TEXT, -- Temporal.Instant\n"
    "FOREIGN KEY (task_id) REFERENCES tasks(id)\n"
    ") STRICT",
    "CREATE TABLE task_transitions (\n"
    "id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "task_id TEXT NOT NULL,\n"
    "from_status TEXT NOT NULL,\n"
    "to_status TEXT NOT NULL,\n"
    "reason TEXT,\n"
    "scope TEXT,\n"
    "timestamp TEXT NOT NULL -- Temporal.Instant\n"
    ") STRICT",
    "CREATE INDEX tasks_status ON tasks (status)",
    "CREATE INDEX task_transitions_task ON task_transitions (task_id, id)",
    NULL,
};

/* The session 'project' is for everything that happens outside a conversation. */
static const char *const session_tables[] = {
    "CREATE TABLE sessions (\n"
    "id TEXT PRIMARY KEY CHECK (length(id) > 0),\n"
    "project TEXT NOT NULL, -- real path of the workspace\n"
    "title TEXT NOT NULL DEFAULT '',\n"
    "surface TEXT NOT NULL" SURFACE("surface") ",\n"
    "provider TEXT,\n"
    "model TEXT,\n"
    "parent_id TEXT REFERENCES sessions(id), -- forked from\n"
    "forked_at_seq INTEGER CHECK (forked_at_seq >= 0), -- the last event both share\n"
    "created_at TEXT NOT NULL" INSTANT("created_at") ",\n"
    "updated_at TEXT NOT NULL" INSTANT("updated_at") ",\n"
    "archived_at TEXT" INSTANT("archived_at") ",\n"
    "CHECK ((parent_id IS NULL) = (forked_at_seq IS NULL))\n"
    ") STRICT",
    "CREATE INDEX sessions_parent ON sessions (parent_id) WHERE parent_id IS NOT NULL",
    "CREATE TABLE events (\n"
    "id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "session_id TEXT NOT NULL REFERENCES sessions(id),\n"
    "seq INTEGER NOT NULL CHECK (seq > 0), -- 1, 2, 3 … within the session\n"
    "time TEXT NOT NULL" INSTANT("time") ",\n"
    "surface TEXT NOT NULL" SURFACE("surface") ",\n"
    "kind TEXT NOT NULL CHECK (length(kind) > 0),\n"
    "data TEXT NOT NULL" JSON("data") ",\n"
    "UNIQUE (session_id, seq)\n"
    ") STRICT",
    "CREATE INDEX events_kind_time ON events (kind, time)",
    "CREATE INDEX events_time ON events (time)",
    "CREATE TRIGGER events_never_change BEFORE UPDATE ON events BEGIN\n"
    "  SELECT raise(ABORT, 'events are never changed');\n"
    "END",
    "CREATE TRIGGER events_never_go BEFORE DELETE ON events BEGIN\n"
    "  SELECT raise(ABORT, 'events are never deleted');\n"
    "END",
    "INSERT INTO sessions (id, project, title, surface, created_at, updated_at)\n"
    "  SELECT 'project', '', 'outside any conversation', 'headless', t, t\n"
    "  FROM (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now') AS t)",
    NULL,
};

static const char *const mode_tables[] = {
    "CREATE TABLE mode_state (\n"
    "session_id TEXT PRIMARY KEY REFERENCES sessions(id),\n"
    "version INTEGER NOT NULL CHECK (version > 0), -- grows by one with each change\n"
    AXES
    "scope TEXT NOT NULL,\n"
    "approval_mode TEXT NOT NULL DEFAULT 'suggest'\n"
    "  CHECK (approval_mode IN ('suggest', 'auto', 'never')),\n"
    "paused INTEGER NOT NULL DEFAULT 0" FLAG("paused") ",\n"
    "trust INTEGER NOT NULL DEFAULT 0" FLAG("trust") ",\n"
    "updated_at TEXT NOT NULL" INSTANT("updated_at") "\n"
    ") STRICT",
    "CREATE TABLE mode_transitions (\n"
    "id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "session_id TEXT NOT NULL REFERENCES sessions(id),\n"
    "number INTEGER NOT NULL CHECK (number > 0), -- 1, 2, 3 … within the session\n"
    "from_state TEXT NOT NULL" JSON("from_state") ",\n"
    "to_state TEXT NOT NULL" JSON("to_state") ",\n"
    "reason TEXT NOT NULL,\n"
    "scope TEXT NOT NULL CHECK (scope IN ('now', 'after-current-tool', 'after-current-unit',\n"
    "  'next-milestone', 'for-next-unit')),\n"
    "actor TEXT NOT NULL\n"
    "  CHECK (actor IN ('user', 'model', 'controller', 'remote', 'schedule')),\n"
    "outcome TEXT NOT NULL CHECK (outcome IN\n"
    "  ('pending', 'applied', 'superseded', 'refused', 'cancelled')),\n"
    "data TEXT NOT NULL" JSON("data") ", -- the whole row as surfaces show it\n"
    "requested_at TEXT NOT NULL" INSTANT("requested_at") ",\n"
    "settled_at TEXT" INSTANT("settled_at") ",\n"
    "superseded_by INTEGER, -- a number of the same session\n"
    "UNIQUE (session_id, number),\n"
    "CHECK ((outcome = 'pending') = (settled_at IS NULL))\n"
    ") STRICT",
    "CREATE INDEX mode_transitions_pending ON mode_transitions (session_id)\n"
    "  WHERE outcome = 'pending'",
    "CREATE TABLE decisions (\n"
    "id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "session_id TEXT NOT NULL REFERENCES sessions(id),\n"
    "event_id INTEGER REFERENCES events(id),\n"
    "tool TEXT NOT NULL,\n"
    "action TEXT NOT NULL, -- what was about to happen, in one line\n"
    "class TEXT NOT NULL,\n"
    "verdict TEXT NOT NULL CHECK (verdict IN ('allow', 'ask', 'deny')),\n"
    "layer TEXT NOT NULL,\n"
    "rule TEXT NOT NULL,\n"
    "reason TEXT NOT NULL,\n"
    "hint TEXT,\n"
    "paths TEXT NOT NULL DEFAULT '[]'" JSON("paths") ",\n"
    "hosts TEXT NOT NULL DEFAULT '[]'" JSON("hosts") ",\n"
    "programs TEXT NOT NULL DEFAULT '[]'" JSON("programs") ",\n"
    AXES
    "scope TEXT NOT NULL,\n"
    "cage TEXT, -- what confined it, and what this kernel could not\n"
    "answer TEXT,\n"
    "answered_by TEXT,\n"
    "decided_at TEXT NOT NULL" INSTANT("decided_at") ",\n"
    "answered_at TEXT" INSTANT("answered_at") ",\n"
    "CHECK ((answer IS NULL) = (answered_at IS NULL))\n"
    ") STRICT",
    "CREATE INDEX decisions_session ON decisions (session_id, id)",
    "CREATE INDEX decisions_verdict_time ON decisions (verdict, decided_at)",
    NULL,
};

static const char *const work_tables[] = {
    "CREATE TABLE usage (\n"
    "id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "session_id TEXT NOT NULL REFERENCES sessions(id),\n"
    "event_id INTEGER REFERENCES events(id),\n"
    "task_id TEXT REFERENCES tasks(id),\n"
    "provider TEXT NOT NULL,\n"
    "model TEXT NOT NULL,\n"
    "input_tokens INTEGER NOT NULL DEFAULT 0" COUNT("input_tokens") ",\n"
    "output_tokens INTEGER NOT NULL DEFAULT 0" COUNT("output_tokens") ",\n"
    "cache_read_tokens INTEGER NOT NULL DEFAULT 0" COUNT("cache_read_tokens") ",\n"
    "cache_write_tokens INTEGER NOT NULL DEFAULT 0" COUNT("cache_write_tokens") ",\n"
    "reasoning_tokens INTEGER NOT NULL DEFAULT 0" COUNT("reasoning_tokens") ",\n"
    "cost_micro_usd INTEGER" COUNT("cost_micro_usd") ", -- NULL: the price is not known\n"
    "time TEXT NOT NULL" INSTANT("time") "\n"
    ") STRICT",
    "CREATE INDEX usage_session ON usage (session_id, id)",
    "CREATE INDEX usage_time ON usage (time)",
    "CREATE TABLE snapshots (\n"
    "id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "session_id TEXT NOT NULL REFERENCES sessions(id),\n"
    "event_id INTEGER REFERENCES events(id),\n"
    "kind TEXT NOT NULL CHECK (kind IN ('before', 'after', 'edit', 'restore')),\n"
    "worktree TEXT NOT NULL,\n"
    "commit_id TEXT NOT NULL, -- in snapshots.git\n"
    "label TEXT NOT NULL DEFAULT '',\n"
    "details TEXT NOT NULL DEFAULT '{}'" JSON("details")
    ", -- modes, empty directories, what was skipped\n"
    "bytes INTEGER NOT NULL DEFAULT 0" COUNT("bytes") ",\n"
    "created_at TEXT NOT NULL" INSTANT("created_at") ",\n"
    "pruned_at TEXT" INSTANT("pruned_at") "\n"
    ") STRICT",
    "CREATE INDEX snapshots_session ON snapshots (session_id, id)",
    "CREATE TABLE goals (\n"
    "id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "session_id TEXT NOT NULL REFERENCES sessions(id),\n"
    "objective TEXT NOT NULL,\n"
    "status TEXT NOT NULL CHECK (status IN\n"
    "  ('active', 'paused', 'blocked', 'usage_limited', 'budget_limited', 'complete')),\n"
    "reason TEXT,\n"
    "token_budget INTEGER" COUNT("token_budget") ",\n"
    "tokens_used INTEGER NOT NULL DEFAULT 0" COUNT("tokens_used") ",\n"
    "created_at TEXT NOT NULL" INSTANT("created_at") ",\n"
    "updated_at TEXT NOT NULL" INSTANT("updated_at") ",\n"
    "cleared_at TEXT" INSTANT("cleared_at") "\n"
    ") STRICT",
    "CREATE UNIQUE INDEX goals_current ON goals (session_id) WHERE cleared_at IS NULL",
    "CREATE TABLE queue (\n"
    "id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "session_id TEXT NOT NULL REFERENCES sessions(id),\n"
    "kind TEXT NOT NULL CHECK (length(kind) > 0),\n"
    "position INTEGER NOT NULL,\n"
    "data TEXT NOT NULL" JSON("data") ",\n"
    "created_at TEXT NOT NULL" INSTANT("created_at") ",\n"
    "taken_at TEXT" INSTANT("taken_at") ",\n"
    "dropped_at TEXT" INSTANT("dropped_at") ",\n"
    "CHECK (taken_at IS NULL OR dropped_at IS NULL)\n"
    ") STRICT",
    "CREATE INDEX queue_waiting ON queue (session_id, position)\n"
    "  WHERE taken_at IS NULL AND dropped_at IS NULL",
    "CREATE TABLE coach_state (\n"
    "session_id TEXT PRIMARY KEY REFERENCES sessions(id),\n"
    "version INTEGER NOT NULL CHECK (version > 0),\n"
    "counters TEXT NOT NULL DEFAULT '{}'" JSON("counters") ",\n"
    "given TEXT NOT NULL DEFAULT '[]'" JSON("given") ", -- hints already given\n"
    "updated_at TEXT NOT NULL" INSTANT("updated_at") "\n"
    ") STRICT",
    "CREATE TABLE workers (\n"
    "id TEXT PRIMARY KEY CHECK (length(id) > 0),\n"
    "host TEXT NOT NULL,\n"
    "pid INTEGER NOT NULL CHECK (pid > 0),\n"
    "sf_version TEXT NOT NULL,\n"
    "status TEXT NOT NULL,\n"
    "session_id TEXT REFERENCES sessions(id),\n"
    "task_id TEXT REFERENCES tasks(id),\n"
    "project TEXT NOT NULL,\n"
    "worktree_path TEXT,\n"
    "branch TEXT,\n"
    "started_at TEXT NOT NULL" INSTANT("started_at") ",\n"
    "last_heartbeat_at TEXT NOT NULL" INSTANT("last_heartbeat_at") ",\n"
    "ended_at TEXT" INSTANT("ended_at") "\n"
    ") STRICT",
    "CREATE TABLE leases (\n"
    "resource TEXT PRIMARY KEY CHECK (length(resource) > 0),\n"
    "worker_id TEXT NOT NULL REFERENCES workers(id),\n"
    "fencing_token INTEGER NOT NULL CHECK (fencing_token > 0), -- grows with each holder\n"
    "acquired_at TEXT NOT NULL" INSTANT("acquired_at") ",\n"
    "expires_at TEXT NOT NULL" INSTANT("expires_at") ",\n"
    "released_at TEXT" INSTANT("released_at") "\n"
    ") STRICT",
    NULL,
};

/* Approvals, and pieces of an unfinished answer, which are deleted once it is an event. */
static const char *const agent_tables[] = {
    "CREATE TABLE approvals (\n"
    "id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "session_id TEXT REFERENCES sessions(id), -- NULL: for the whole workspace\n"
    "pattern TEXT NOT NULL CHECK (length(pattern) > 0),\n"
    "decision_id INTEGER REFERENCES decisions(id), -- the question it answered\n"
    "created_at TEXT NOT NULL" INSTANT("created_at") ",\n"
    "revoked_at TEXT" INSTANT("revoked_at") "\n"
    ") STRICT",
    "CREATE UNIQUE INDEX approvals_in_force ON approvals (coalesce(session_id, ''), pattern)\n"
    "  WHERE revoked_at IS NULL",
    "CREATE TABLE partials (\n"
    "id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "session_id TEXT NOT NULL REFERENCES sessions(id),\n"
    "text TEXT NOT NULL\n"
    ") STRICT",
    "CREATE INDEX partials_session ON partials (session_id, id)",
    NULL,
};

/*
 * The index has no text of its own: the view `said` gets it from the event. search_todo lists
 * events that wait to be indexed, so that an upgrade can be done in small steps.
 */
static const char *const lineage_tables[] = {
    "ALTER TABLE sessions ADD COLUMN role TEXT NOT NULL DEFAULT 'talk'\n"
    "  CHECK (role IN ('talk', 'agent')) -- agent: one that a call of the parent's started",
    "UPDATE sessions SET role = 'agent' WHERE parent_id IS NOT NULL AND forked_at_seq = 0",
    "ALTER TABLE sessions ADD COLUMN deleted_at TEXT" INSTANT("deleted_at"),
    "DROP TRIGGER events_never_go",
    "CREATE TRIGGER events_never_go BEFORE DELETE ON events\n"
    "  WHEN (SELECT deleted_at FROM sessions WHERE id = OLD.session_id) IS NULL BEGIN\n"
    "  SELECT raise(ABORT, 'events are never deleted');\n"
    "END",
    "CREATE INDEX decisions_event ON decisions (event_id) WHERE event_id IS NOT NULL",
    "CREATE INDEX usage_event ON usage (event_id) WHERE event_id IS NOT NULL",
    "CREATE INDEX snapshots_event ON snapshots (event_id) WHERE event_id IS NOT NULL",
    "CREATE INDEX approvals_decision ON approvals (decision_id) WHERE decision_id IS NOT NULL",
    "CREATE VIEW said AS SELECT id, event_words(kind, data) AS text FROM events\n"
    "  WHERE kind IN ('user', 'assistant', 'steer', 'shell')",
    "CREATE VIRTUAL TABLE words USING fts5(text, content='said', content_rowid='id',\n"
    "  tokenize='unicode61 remove_diacritics 2')",
    "CREATE TABLE search_todo (\n"
    "id INTEGER PRIMARY KEY, -- the next event to be indexed …\n"
    "last INTEGER NOT NULL -- … up to this one\n"
    ") STRICT",
    "INSERT INTO search_todo (id, last) SELECT min(id), max(id) FROM events HAVING count(*) > 0",
    NULL,
};

static const char *const goal_tables[] = {
    "ALTER TABLE goals ADD COLUMN time_used_ms INTEGER NOT NULL DEFAULT 0" COUNT("time_used_ms"),
    NULL,
};
/*
 * Accepted plans with their text, and what a run needs to know of a task. The trigger holds what
 * the code promises: the row of a move is written first.
 */
static const char *const plan_tables[] = {
    "CREATE TABLE plans (\n"
    "id TEXT PRIMARY KEY CHECK (length(id) > 0),\n"
    "session_id TEXT REFERENCES sessions(id),\n"
    "name TEXT NOT NULL CHECK (length(name) > 0),\n"
    "digest TEXT NOT NULL CHECK (length(digest) = 64), -- SHA-256 of the text\n"
    "text TEXT NOT NULL,\n"
    "accepted_by TEXT NOT NULL,\n"
    "accepted_at TEXT NOT NULL" INSTANT("accepted_at") ",\n"
    "dropped_at TEXT" INSTANT("dropped_at") "\n"
    ") STRICT",
    "CREATE UNIQUE INDEX plans_current ON plans (name) WHERE dropped_at IS NULL",
    "ALTER TABLE tasks ADD COLUMN plan_id TEXT REFERENCES plans(id)", /* NULL: not from a plan */
    "ALTER TABLE tasks ADD COLUMN session_id TEXT REFERENCES sessions(id)", /* it is worked on in */
    "ALTER TABLE tasks ADD COLUMN path TEXT NOT NULL DEFAULT ''", /* M1/S1/T1 */
    "ALTER TABLE tasks ADD COLUMN title TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE tasks ADD COLUMN position INTEGER NOT NULL DEFAULT 0" COUNT("position"),
    "ALTER TABLE tasks ADD COLUMN priority INTEGER NOT NULL DEFAULT 5",
    "ALTER TABLE tasks ADD COLUMN spec TEXT NOT NULL DEFAULT '{}'" JSON("spec"),
    "ALTER TABLE tasks ADD COLUMN fence INTEGER NOT NULL DEFAULT 0" COUNT("fence"),
    "ALTER TABLE tasks ADD COLUMN holder TEXT",
    "ALTER TABLE tasks ADD COLUMN lease_until TEXT" INSTANT("lease_until"),
    "ALTER TABLE tasks ADD COLUMN last_error TEXT",
    "ALTER TABLE tasks ADD COLUMN failure_digest TEXT", /* of what failed, to know it again */
    "ALTER TABLE tasks ADD COLUMN verdict TEXT", /* of the last verification */
    "ALTER TABLE tasks ADD COLUMN carried_from TEXT REFERENCES tasks(id)", /* was done there */
    "CREATE UNIQUE INDEX tasks_path ON tasks (plan_id, path) WHERE plan_id IS NOT NULL",
    "CREATE INDEX tasks_holder ON tasks (lease_until) WHERE status IN ('running', 'verifying')",
    "ALTER TABLE task_transitions ADD COLUMN actor TEXT", /* machine, verdict or person */
    "ALTER TABLE task_transitions ADD COLUMN fence INTEGER", /* of the holder that moved it */
    "CREATE TRIGGER tasks_moves_are_written BEFORE UPDATE OF status ON tasks\n"
    "  WHEN OLD.status <> NEW.status AND NOT EXISTS (SELECT 1 FROM task_transitions AS t\n"
    "    WHERE t.id = (SELECT max(id) FROM task_transitions WHERE task_id = OLD.id)\n"
    "    AND t.from_status = OLD.status AND t.to_status = NEW.status) BEGIN\n"
    "  SELECT raise(ABORT, 'a move of a task is written before it is made');\n"
    "END",
    NULL,
};
/* clang-format on */

const struct sf_store_migration sf_store_migrations[] = {
    { 1, "task tables", task_tables },
    { 2, "sessions and events", session_tables },
    { 3, "modes and decisions", mode_tables },
    { 4, "usage, snapshots, goals, queue, coach, workers, leases", work_tables },
    { 5, "approvals, pieces of answers", agent_tables },
    { 6, "lineage, search", lineage_tables },
    { 7, "time of goals", goal_tables },
    { 8, "plans, holders of tasks", plan_tables },
};
const size_t sf_store_migration_count = SF_COUNT(sf_store_migrations);

const struct sf_store_table sf_store_tables[] = {
    { "sessions", 2 },       { "plans", 8 },        { "tasks", 1 },
    { "task_scheduler", 1 }, { "task_runtime", 1 }, { "task_transitions", 1 },
    { "events", 2 },         { "mode_state", 3 },   { "mode_transitions", 3 },
    { "decisions", 3 },      { "usage", 4 },        { "snapshots", 4 },
    { "goals", 4 },          { "queue", 4 },        { "coach_state", 4 },
    { "workers", 4 },        { "leases", 4 },       { "approvals", 5 },
    { "partials", 5 },       { "search_todo", 6 },
};
const size_t sf_store_table_count = SF_COUNT(sf_store_tables);

int sf_store_schema_version(void)
{
    return sf_store_migrations[sf_store_migration_count - 1].version;
}
