import { Client } from 'pg'
import {
  DEADLY_RUNS,
  type DeadlyNode,
  type HungStep,
  type HungStepNotes,
  type RunOfFlow
} from '../../hung-steps.ts'
import type { Database, Query } from '../database/database.ts'
import { sqlTestDocumentOf } from './test-runs.ts'

export function readHungSteps(query: Query, seq: number | undefined): Promise<HungStep[]> {
  const all = 'SELECT run_seq AS seq, node FROM millrace.hung_steps WHERE crashed = 0'
  return seq === undefined ? query(all) : query(`${all} AND run_seq = $1`, [seq])
}

export async function noteCrash({ write }: Pick<Database, 'write'>, { seq, node }: HungStep, at: number) {
  const insert = 'INSERT INTO millrace.hung_steps (run_seq, node, hung_at, crashed) VALUES ($1, $2, $3, 1)'
  await write(insert, [seq, node, at])
}

export function readDeadlyNodes(query: Query): Promise<DeadlyNode[]> {
  return query<DeadlyNode>(
    `SELECT r.flow_id AS "flowId", r.flow_version AS "flowVersion", h.node,
       CASE max(h.crashed) WHEN 1 THEN 'crashed' ELSE 'hung' END AS death
     FROM millrace.hung_steps h JOIN millrace.runs r ON r.seq = h.run_seq
       LEFT JOIN millrace.children c ON c.seq = h.run_seq
     WHERE r.is_test IS NULL
     GROUP BY r.flow_id, r.flow_version, h.node
     HAVING count(DISTINCT coalesce(c.root_seq, h.run_seq)) >= ${DEADLY_RUNS}`
  )
}

const runOfFlow = `
  SELECT r.id AS "runId",
    coalesce(${sqlTestDocumentOf('r.seq')}, v.document) AS document
  FROM millrace.runs r JOIN millrace.flow_versions v ON v.flow_id = r.flow_id AND v.version = r.flow_version
  WHERE r.seq = $1`

/** On a connection of its own: those of the store belong to a thread that does not answer any more. */
export async function openHungStepNotes(url: string, timeout: number): Promise<HungStepNotes> {
  const client = new Client({
    connectionString: url,
    application_name: 'millrace',
    connectionTimeoutMillis: timeout,
    statement_timeout: timeout
  })
  // Whoever asks for something is told.
  client.on('error', () => {})
  await client.connect()
  return {
    findRun: async (seq) => (await client.query<RunOfFlow>(runOfFlow, [seq])).rows[0],
    async add({ seq, node }, at) {
      await client.query('INSERT INTO millrace.hung_steps (run_seq, node, hung_at) VALUES ($1, $2, $3)', [
        seq,
        node,
        at
      ])
    },
    close: () => client.end()
  }
}
