import type { ExpectationFacts, ExpectationStore, StoredExpectation } from '../expectations.ts'
import { addBesideFlow, removeBesideFlow } from './beside-flow.ts'
import { firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

const FACTS = 'flow_id, id, name, run_id, author, created_at, expects'

const addText = `INSERT INTO flow_expectations (${FACTS}, recording) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
const listText = `SELECT ${FACTS} FROM flow_expectations WHERE flow_id = ? ORDER BY created_at, id`
const readText = `SELECT ${FACTS}, recording FROM flow_expectations WHERE flow_id = ? AND id = ?`

/** No process holds them in memory, so nobody else has to bring them in. */
export function createExpectationStore(db: LibraryDatabase): ExpectationStore {
  return {
    ofFlow: (flowId) => db.read(() => ofFlow(flowId)),
    read: async (flowId, id) => {
      const row = await db.read(() => firstRow<ExpectationRow>(readText, flowId, id))
      return row && { ...factsOf(row), recording: row.recording }
    },
    add: (expectation, most) => {
      const insert = () => rows(addText, ...valuesOf(expectation))
      const { flowId, recording } = expectation
      const add = () => addBesideFlow(db, { table: 'flow_expectations', flowId, most }, insert)
      return db.writeUnheld(add, recording.length)
    },
    remove: (flowId, id) => db.writeUnheld(() => removeBesideFlow('flow_expectations', flowId, id))
  }
}

function* ofFlow(flowId: string): LibrarySteps<ExpectationFacts[]> {
  return (yield* rows<FactsRow>(listText, flowId)).map(factsOf)
}

/** A row of flow_expectations, in either database. */
interface FactsRow {
  readonly flow_id: string
  readonly id: string
  readonly name: string
  readonly run_id: string
  readonly author: string | null
  readonly created_at: number
  readonly expects: ExpectationFacts['of']
}

interface ExpectationRow extends FactsRow {
  readonly recording: string
}

function factsOf(row: FactsRow): ExpectationFacts {
  const { id, name, author, expects } = row
  return { flowId: row.flow_id, id, name, runId: row.run_id, author, createdAt: row.created_at, of: expects }
}

/** In the order of the columns. */
function valuesOf(expectation: StoredExpectation): (string | number | null)[] {
  const { flowId, id, name, runId, author, createdAt, of, recording } = expectation
  return [flowId, id, name, runId, author, createdAt, of, recording]
}
