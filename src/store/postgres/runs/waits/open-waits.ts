import type { NewWait } from '../../../waits.ts'
import type { Database, Query } from '../../database/database.ts'
import { storableText } from '../../database/storable-text.ts'
import { type Entry, journalTiedRuns } from '../journal-runs.ts'

export interface Opening extends Entry {
  readonly wait: NewWait
}

/** What was woken before its run came to the wait has no id yet. */
const isEarly = "(kept.state = 'woken' AND kept.id IS NULL)"
/** The answer to its opening was lost: it may have been woken since. */
const isKnown = 'coalesce(kept.id = excluded.id, false)'
const staysAsItIs = (column: string) =>
  `${column} = CASE WHEN ${isEarly} OR ${isKnown} THEN kept.${column} END`

/** In the order of their keys, so that no two wait for each other. */
const openText = `
  INSERT INTO millrace.waits AS kept (run_seq, node, flow_id, id, kind, state, created_at, expires_at, question)
  SELECT seq, node, flow_id, id, kind, 'open', created_at, expires_at, question
  FROM json_to_recordset($1::json) AS given (
    seq bigint, node text, flow_id text, id text, kind text, created_at bigint, expires_at bigint, question text
  )
  ORDER BY seq, node
  ON CONFLICT (run_seq, node) DO UPDATE SET
    id = excluded.id, kind = excluded.kind, created_at = excluded.created_at, expires_at = excluded.expires_at,
    question = excluded.question, state = CASE WHEN ${isEarly} OR ${isKnown} THEN kept.state ELSE 'open' END,
    ${['answer', 'ended_at', 'entry_no', 'entry'].map(staysAsItIs).join(', ')}`

/** Some of these runs have ended, or are somebody else's: nothing of the batch was kept. */
class Refused extends Error {
  readonly numbers: readonly (number | null)[]

  constructor(numbers: readonly (number | null)[]) {
    super('some runs have ended')
    this.numbers = numbers
  }
}

/** Waits first, then jobs, as everybody locks them. */
export async function openWaits(
  db: Pick<Database, 'writeTransaction'>,
  openings: readonly Opening[]
): Promise<(number | null)[]> {
  try {
    return await db.writeTransaction((query) => openAll(query, openings))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { numbers } = error
    const others = openings.filter((_, place) => numbers[place] !== null)
    const opened = (others.length === 0 ? [] : await openWaits(db, others)).values()
    return numbers.map((no) => (no === null ? null : opened.next().value!))
  }
}

async function openAll(query: Query, openings: readonly Opening[]): Promise<(number | null)[]> {
  const rows = openings.map(({ run, wait }) => ({
    seq: run.seq,
    node: storableText(wait.node),
    flow_id: run.flowId,
    id: wait.id,
    kind: wait.kind,
    created_at: wait.createdAt,
    expires_at: wait.expiresAt,
    question: wait.question === null ? null : storableText(wait.question)
  }))
  await query({ name: 'open-waits', text: openText }, [JSON.stringify(rows)])
  const numbers = await journalTiedRuns(query, openings)
  if (numbers.includes(null)) throw new Refused(numbers)
  return numbers
}
