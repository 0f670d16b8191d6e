import { fromAllJobs, jobOf, jobsTable, seqOfJob } from '../../store/postgres/queue/job-rows.ts'
import { sqlDueAt, sqlStateOf } from '../../store/postgres/queue/job-states.ts'
import { idsIn, type RecordReader, type RunRecord, type StateChange } from '../oracle/records.ts'
import type { BlockingReader } from './blocking-reader.ts'

const RUNS = `
  SELECT r.seq, r.id, r.flow_id AS "flowId", r.flow_version AS "flowVersion", r.trigger,
    r.created_at AS "createdAt", convert_from(r.input, 'UTF8') AS input, r.replay_of AS "replayOf",
    c.parent_seq AS "parentSeq", c.node, c.child_index AS "index", coalesce(c.is_awaited, 0) = 1 AS "isAwaited", o.status,
    o.finished_at AS "finishedAt", o.error, o.steps, ${sqlStateOf('j')} AS state, ${sqlDueAt('j')} AS "dueAt"
  FROM millrace.runs r
    LEFT JOIN millrace.children c ON c.seq = r.seq
    LEFT JOIN millrace.outcomes o ON o.seq = r.seq
    LEFT JOIN ${jobOf('r.seq', 'r.flow_id')}
  ORDER BY r.seq`

const WAITS = `
  SELECT w.run_seq AS "runSeq", r.id AS "runId", w.node, w.kind, w.id, w.state
  FROM millrace.waits w JOIN millrace.runs r ON r.seq = w.run_seq ORDER BY w.run_seq, w.created_at, w.node`

const KEPT = 'SELECT context, key, value FROM millrace.kept_values'

const JOBS = `SELECT count(*) AS count FROM ${fromAllJobs}`

const ENTRIES = 'SELECT run_seq AS "runSeq", count(*) AS count FROM millrace.journal GROUP BY run_seq'

const MESSAGES = 'SELECT run_seq::float8 AS "runSeq", text FROM millrace.messages ORDER BY no, place'

const SEEN = 'SELECT flow_id AS "flowId", seen FROM millrace.triggers WHERE seen IS NOT NULL'

const CHANGES = 'SELECT seq, "from", "to" FROM simulation.state_changes ORDER BY no'

/** The table of jobs notes by itself what becomes of its rows. To be done once, before any is in it. */
export const NOTE_STATE_CHANGES = `
  CREATE TABLE simulation.state_changes (no bigserial, seq bigint NOT NULL, "from" text, "to" text);
  CREATE FUNCTION simulation.note_state_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE was text; is_now text; run bigint;
  BEGIN
    IF TG_OP <> 'INSERT' THEN was := ${sqlStateOf('OLD')}; run := ${seqOfJob('OLD')}; END IF;
    IF TG_OP <> 'DELETE' THEN is_now := ${sqlStateOf('NEW')}; run := ${seqOfJob('NEW')}; END IF;
    IF was IS DISTINCT FROM is_now THEN
      INSERT INTO simulation.state_changes (seq, "from", "to") VALUES (run, was, is_now);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER note_state_change AFTER INSERT OR UPDATE OR DELETE ON ${jobsTable}
    FOR EACH ROW EXECUTE FUNCTION simulation.note_state_change()`

interface WaitRow {
  readonly runSeq: number
  readonly runId: string
  readonly node: string
  readonly kind: string
  readonly id: string | null
  readonly state: string
}

interface Snapshot {
  readonly version: number
  readonly runs: readonly RunRecord[]
  readonly waits: readonly WaitRow[]
  readonly kept: ReadonlyMap<string, string>
  readonly jobs: number
  /** How many the journal has, by run. */
  readonly entries: ReadonlyMap<number, number>
}

/** The rows of PostgreSQL's store, all of them read at once, and again when anything was done to them. */
export class PostgresRecords implements RecordReader {
  readonly #reader: BlockingReader
  readonly #version: () => number
  #last: Snapshot | undefined

  /** `version` changes with every statement that is done. */
  constructor(reader: BlockingReader, version: () => number) {
    this.#reader = reader
    this.#version = version
  }

  all(): RunRecord[] {
    return [...this.#now().runs]
  }

  open(): RunRecord[] {
    return this.#now().runs.filter(({ status }) => status === null)
  }

  byId(id: string): RunRecord | undefined {
    return this.#now().runs.find((run) => run.id === id)
  }

  bySeq(seq: number): RunRecord | undefined {
    return this.#now().runs.find((run) => run.seq === seq)
  }

  childrenOf(parentSeq: number, node: string): RunRecord[] {
    const children = this.#now().runs.filter((run) => run.parentSeq === parentSeq && run.node === node)
    return children.toSorted((a, b) => a.index! - b.index!)
  }

  waitState(runSeq: number, node: string): string | undefined {
    return this.#now().waits.find((wait) => wait.runSeq === runSeq && wait.node === node)?.state
  }

  openWaits(): { runId: string; node: string; kind: string; id: string | null }[] {
    const open = this.#now().waits.filter(({ state }) => state === 'open')
    return open.map(({ runId, node, kind, id }) => ({ runId, node, kind, id }))
  }

  kept(): Map<string, string> {
    return new Map(this.#now().kept)
  }

  /** Read for themselves: they are asked for once, at the end. */
  messages(): ReturnType<RecordReader['messages']> {
    const [messages] = this.#reader.ask([MESSAGES])
    return messages as never
  }

  /** The same. */
  noted(flowId: string): number[] {
    const [seen] = this.#reader.ask([SEEN])
    return seen!.filter((row) => row.flowId === flowId).flatMap((row) => idsIn(String(row.seen)))
  }

  newest(): number {
    return this.#now().runs.at(-1)?.seq ?? 0
  }

  progress(): number {
    const { waits, jobs } = this.#now()
    return this.newest() + waits.length - jobs
  }

  /** Read for itself: it is asked once, at the end. */
  stateChanges(): ReturnType<RecordReader['stateChanges']> {
    const [changes] = this.#reader.ask([CHANGES])
    return { changes: changes as unknown as StateChange[], absent: ['none', 'ended'] }
  }

  entriesOf(runSeq: number): number {
    return this.#now().entries.get(runSeq) ?? 0
  }

  count(table: string): number {
    const { runs, jobs } = this.#now()
    if (table === 'runs') return runs.length
    // What SQLite's store notes in `releases` is found by looking here.
    return table === 'queue' ? jobs : 0
  }

  close(): void {}

  #now(): Snapshot {
    const version = this.#version()
    if (this.#last?.version === version) return this.#last
    const [runs, waits, kept, jobs, entries] = this.#reader.ask([RUNS, WAITS, KEPT, JOBS, ENTRIES])
    this.#last = {
      version,
      runs: runs as unknown as RunRecord[],
      waits: waits as unknown as WaitRow[],
      kept: new Map(kept!.map(({ context, key, value }) => [`${context} ${key}`, String(value)])),
      jobs: Number(jobs![0]!.count),
      entries: new Map(entries!.map(({ runSeq, count }) => [Number(runSeq), Number(count)]))
    }
    return this.#last
  }
}
