import type { ExpectationStore, StoredExpectation } from '../expectations.ts'
import { addBesideFlow, removeBesideFlow } from './beside-flow.ts'
import { type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

const COLUMNS = 'flow_id, id, name, run_id, author, created_at, recording'

const addText = `INSERT INTO flow_expectations (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`

/** No process holds them in memory, so nobody else has to bring them in. */
export function createExpectationStore(db: LibraryDatabase): ExpectationStore {
  return {
    ofFlow: (flowId) => db.read(() => ofFlow(flowId)),
    add: (expectation, most) => {
      const insert = () => rows(addText, ...valuesOf(expectation))
      const { flowId, recording } = expectation
      const add = () => addBesideFlow(db, { table: 'flow_expectations', flowId, most }, insert)
      return db.writeUnheld(add, recording.length)
    },
    remove: (flowId, id) => db.writeUnheld(() => removeBesideFlow('flow_expectations', flowId, id))
  }
}

function* ofFlow(flowId: string): LibrarySteps<StoredExpectation[]> {
  const text = `SELECT ${COLUMNS} FROM flow_expectations WHERE flow_id = ? ORDER BY created_at, id`
  return (yield* rows<ExpectationRow>(text, flowId)).map(storedExpectation)
}

/** A row of flow_expectations, in either database. */
interface ExpectationRow {
  readonly flow_id: string
  readonly id: string
  readonly name: string
  readonly run_id: string
  readonly author: string | null
  readonly created_at: number
  readonly recording: string
}

function storedExpectation(row: ExpectationRow): StoredExpectation {
  const { id, name, author, recording } = row
  return { flowId: row.flow_id, id, name, runId: row.run_id, author, createdAt: row.created_at, recording }
}

/** In the order of the columns. */
function valuesOf(expectation: StoredExpectation): (string | number | null)[] {
  const { flowId, id, name, runId, author, createdAt, recording } = expectation
  return [flowId, id, name, runId, author, createdAt, recording]
}
