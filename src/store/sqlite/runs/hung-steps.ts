import type { DatabaseSync } from 'node:sqlite'
import {
  DEADLY_RUNS,
  type DeadlyNode,
  type HungStep,
  type HungStepNotes,
  type RunOfFlow
} from '../../hung-steps.ts'
import { flowIdOf } from '../file/interned-names.ts'
import { openExisting } from '../file/older-node.ts'
import { testDocumentOf } from './test-runs.ts'

export function prepareHungSteps(db: DatabaseSync): (seq: number | undefined) => HungStep[] {
  const all = db.prepare('SELECT run_seq AS seq, node FROM hung_steps WHERE crashed = 0')
  const ofRun = db.prepare('SELECT run_seq AS seq, node FROM hung_steps WHERE run_seq = ? AND crashed = 0')
  return (seq) => (seq === undefined ? all.all() : ofRun.all(seq)) as unknown as HungStep[]
}

export function prepareDeadlyNodes(db: DatabaseSync) {
  const insert = db.prepare('INSERT INTO hung_steps (run_seq, node, hung_at, crashed) VALUES (?, ?, ?, 1)')
  const deadly = db.prepare(
    `SELECT ${flowIdOf('r')}, r.flow_version, h.node, max(h.crashed) AS crashed
     FROM hung_steps h JOIN runs r ON r.seq = h.run_seq LEFT JOIN children c ON c.seq = h.run_seq
     WHERE r.is_test IS NULL
     GROUP BY r.flow, r.flow_version, h.node HAVING count(DISTINCT coalesce(c.root_seq, h.run_seq)) >= ${DEADLY_RUNS}`
  )
  return {
    /** To be called inside a batch. */
    note: ({ seq, node }: HungStep, at: number) => void insert.run(seq, node, at),
    read: () => (deadly.all() as unknown as DeadlyRow[]).map(deadlyNodeOf)
  }
}

interface DeadlyRow {
  readonly flow_id: string
  readonly flow_version: number
  readonly node: string
  readonly crashed: number
}

function deadlyNodeOf({ flow_id, flow_version, node, crashed }: DeadlyRow): DeadlyNode {
  return { flowId: flow_id, flowVersion: flow_version, node, death: crashed === 1 ? 'crashed' : 'hung' }
}

const runOfFlow = `
  WITH run AS (SELECT seq, id, flow_version, ${flowIdOf('r')} FROM runs r WHERE seq = ?)
  SELECT run.id AS "runId",
    coalesce(${testDocumentOf('run.seq')}, v.document) AS document
  FROM run JOIN flow_versions v ON v.flow_id = run.flow_id AND v.version = run.flow_version`

/** On a connection of its own: that of the store belongs to a thread that does not answer any more. */
export function openHungStepNotes(path: string, timeout: number): HungStepNotes {
  const db = openExisting(path)
  // No sync in this hurry: what is written outlives the process, and a machine that loses power forgets a suspicion.
  db.exec(`PRAGMA busy_timeout = ${timeout}; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0`)
  return {
    findRun: async (seq) => db.prepare(runOfFlow).get(seq) as unknown as RunOfFlow | undefined,
    async add({ seq, node }, at) {
      db.prepare('INSERT INTO hung_steps (run_seq, node, hung_at) VALUES (?, ?, ?)').run(seq, node, at)
    },
    close: async () => db.close()
  }
}
