import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { QueueState, RunPlace } from '../../store/queue-state.ts'

/** A run as its rows tell. */
export interface RunRecord {
  readonly seq: number
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly trigger: string
  readonly createdAt: number
  readonly input: string
  readonly replayOf: string | null
  readonly parentSeq: number | null
  readonly node: string | null
  readonly index: number | null
  readonly isAwaited: boolean
  readonly status: 'succeeded' | 'failed' | 'cancelled' | null
  readonly finishedAt: number | null
  readonly error: string | null
  readonly steps: string | null
  /** Where it is; null where it has ended. */
  readonly state: QueueState | null
  /** Of one that is parked. */
  readonly dueAt: number | null
}

/** A row of the queue that came, changed its state or went, in the order in which they did. */
export interface StateChange {
  readonly seq: number
  /** Null where there was no row, or is none. */
  readonly from: QueueState | null
  readonly to: QueueState | null
}

const RUNS = `
  SELECT r.seq, r.id, f.name AS flowId, r.flow_version AS flowVersion, r.trigger, r.created_at AS createdAt,
    CAST(r.input AS TEXT) AS input, r.replay_of AS replayOf, c.parent_seq AS parentSeq, n.name AS node,
    c.child_index AS "index", coalesce(c.is_awaited, 0) AS isAwaited, o.status,
    o.finished_at AS finishedAt, o.error, o.steps,
    iif(o.seq IS NULL, coalesce(q.state, 'queued'), NULL) AS state, q.due_at AS dueAt
  FROM runs r JOIN names f ON f.no = r.flow
    LEFT JOIN children c ON c.seq = r.seq LEFT JOIN names n ON n.no = c.node
    LEFT JOIN outcomes o ON o.seq = r.seq LEFT JOIN queue q ON q.seq = r.seq`

/** The table notes by itself what becomes of its rows. */
const NOTE_CHANGES = `
  CREATE TABLE state_changes (no INTEGER PRIMARY KEY, seq INTEGER NOT NULL, before TEXT, after TEXT) STRICT;
  CREATE TRIGGER queue_came AFTER INSERT ON queue BEGIN
    INSERT INTO state_changes (seq, before, after) VALUES (NEW.seq, NULL, NEW.state);
  END;
  CREATE TRIGGER queue_changed AFTER UPDATE OF state ON queue WHEN OLD.state <> NEW.state BEGIN
    INSERT INTO state_changes (seq, before, after) VALUES (NEW.seq, OLD.state, NEW.state);
  END;
  CREATE TRIGGER queue_went AFTER DELETE ON queue BEGIN
    INSERT INTO state_changes (seq, before, after) VALUES (OLD.seq, OLD.state, NULL);
  END`

/** To be done once to a store that nobody has open, before it is played on. */
export function noteStateChanges(folder: string): void {
  const db = new DatabaseSync(join(folder, 'millrace.db'))
  db.exec(NOTE_CHANGES)
  db.close()
}

/** A draft was tried out with it. What it runs by Run flow is not one, and has its input; nor is what repeats that. */
export function isTest({ parentSeq, replayOf, input }: RunRecord): boolean {
  return parentSeq === null && replayOf === null && draftOf(input) !== undefined
}

/** The number of the draft that a test began with. */
export function draftOf(input: string): number | undefined {
  return (JSON.parse(input) as { draft?: number } | null)?.draft
}

/** What the oracle asks, whichever store it is. */
export type RecordReader = Pick<Records, keyof Records>

/** The rows of the store, read by somebody who is no part of the service. */
export class Records {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(folder: string) {
    this.#db = new DatabaseSync(join(folder, 'millrace.db'), { readOnly: true })
  }

  all(): RunRecord[] {
    return this.#ask(`${RUNS} ORDER BY r.seq`).map(recordOf)
  }

  open(): RunRecord[] {
    return this.#ask(`${RUNS} WHERE o.seq IS NULL ORDER BY r.seq`).map(recordOf)
  }

  byId(id: string): RunRecord | undefined {
    return this.#ask(`${RUNS} WHERE r.id = ?`, id).map(recordOf)[0]
  }

  bySeq(seq: number): RunRecord | undefined {
    return this.#ask(`${RUNS} WHERE r.seq = ?`, seq).map(recordOf)[0]
  }

  childrenOf(parentSeq: number, node: string): RunRecord[] {
    return this.#ask(
      `${RUNS} WHERE c.parent_seq = ? AND n.name = ? ORDER BY c.child_index`,
      parentSeq,
      node
    ).map(recordOf)
  }

  /** The state of the wait of a run for the children of one of its nodes. */
  waitState(runSeq: number, node: string): string | undefined {
    const [row] = this.#ask('SELECT state FROM waits WHERE run_seq = ? AND node = ?', runSeq, node)
    return row === undefined ? undefined : String(row.state)
  }

  openWaits(): { runId: string; node: string; kind: string; id: string | null }[] {
    return this.#ask(
      `SELECT r.id AS runId, w.node, w.kind, w.id FROM waits w JOIN runs r ON r.seq = w.run_seq
       WHERE w.state = 'open' ORDER BY w.no`
    ) as never
  }

  kept(): Map<string, string> {
    const rows = this.#ask('SELECT context, key, value FROM kept_values')
    return new Map(rows.map(({ context, key, value }) => [`${context} ${key}`, String(value)]))
  }

  /** What runs have printed, in order. */
  messages(): { readonly runSeq: number; readonly text: string }[] {
    return this.#ask('SELECT run_seq AS runSeq, text FROM messages ORDER BY no') as never
  }

  /** The items that the watches of a flow have noted. */
  noted(flowId: string): number[] {
    return this.#ask('SELECT seen FROM triggers WHERE flow_id = ? AND seen IS NOT NULL', flowId).flatMap(
      ({ seen }) => idsIn(String(seen))
    )
  }

  /** The number of the run that was accepted last; 0 where there is none. */
  newest(): number {
    return Number(this.#ask('SELECT coalesce(max(seq), 0) AS seq FROM runs')[0]!.seq)
  }

  /** Runs that were accepted, have ended, or began to wait, all in all: it only grows while something goes on. */
  progress(): number {
    const [row] = this.#ask(
      `SELECT (SELECT coalesce(max(seq), 0) FROM runs) + (SELECT coalesce(max(no), 0) FROM waits)
         - (SELECT count(*) FROM queue) AS progress`
    )
    return Number(row!.progress)
  }

  /** What became of rows of the queue; and where a run may be that has none there. */
  stateChanges(): { readonly changes: readonly StateChange[]; readonly absent: readonly RunPlace[] } {
    const rows = this.#ask('SELECT seq, before AS "from", after AS "to" FROM state_changes ORDER BY no')
    return { changes: rows as unknown as StateChange[], absent: ['none', 'queued', 'ended'] }
  }

  /** How many entries its journal has. */
  entriesOf(runSeq: number): number {
    return Number(this.#ask('SELECT count(*) AS count FROM journal WHERE run_seq = ?', runSeq)[0]!.count)
  }

  count(table: string): number {
    return Number(this.#ask(`SELECT count(*) AS count FROM ${table}`)[0]!.count)
  }

  close(): void {
    this.#db.close()
  }

  #ask(sql: string, ...values: (string | number)[]): Record<string, unknown>[] {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement.all(...values) as Record<string, unknown>[]
  }
}

function recordOf(row: Record<string, unknown>): RunRecord {
  return { ...row, isAwaited: row.isAwaited === 1 } as unknown as RunRecord
}

/** What a watch has seen, as it is stored: ids of sixteen digits, one after the other. */
export function idsIn(seen: string): number[] {
  return ((JSON.parse(seen) as { seen: string }).seen.match(/.{16}/g) ?? []).map(Number)
}
