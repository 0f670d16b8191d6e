import type { ReopenConditions } from '../../run.ts'
import type { Database } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import { TIER } from '../queue/job-rows.ts'
import { sqlIsCancelledAbove } from './children/orphaned.ts'
import type { Entry } from './journal-runs.ts'
import { reopenText, sqlIsForgotten } from './reopen-statement.ts'

export interface ReopenEntry extends Entry {
  readonly only?: ReopenConditions | undefined
}

/** A version that is being deleted is waited for, and is gone then. */
const version = `
  version AS MATERIALIZED (
    SELECT 1 FROM millrace.flow_versions WHERE flow_id = $2 AND version = $5::integer FOR KEY SHARE
  ),`

const alone = `
  alone AS (
    UPDATE millrace.children c SET on_its_own = 1
    WHERE c.seq IN (SELECT seq FROM taken_back) AND ${sqlIsCancelledAbove('c.seq')}
  ),`

/** A child that is opened again by itself is not counted by its parent. */
const reopen = {
  name: 'reopen',
  text: reopenText({
    given: version,
    takenBack: `
      DELETE FROM millrace.outcomes WHERE seq = $1 AND flow_id = $2 AND (status <> 'succeeded' OR $6::boolean)
        AND ($4::bigint IS NULL OR no = $4) AND ($5::integer IS NULL OR EXISTS (SELECT 1 FROM version))
      RETURNING seq, flow_id, is_child`,
    forgets: sqlIsForgotten('w.node = ANY($7::text[])'),
    more: alone,
    jobs: {
      tier: `CASE WHEN is_child = 1 THEN '${TIER.child}'
        WHEN EXISTS (SELECT 1 FROM millrace.waits w WHERE w.run_seq = seq) THEN '${TIER.tied}' END`
    },
    entry: '$3'
  })
}

export async function reopenRun(
  { write }: Pick<Database, 'write'>,
  { run, text, only }: ReopenEntry
): Promise<number | null> {
  const values = [
    run.seq,
    run.flowId,
    text,
    only?.endNo ?? null,
    only?.version ?? null,
    only?.mayHaveSucceeded === true,
    (only?.calledAnew ?? []).map(storableText)
  ]
  const [row] = await write<{ no: number }>(reopen, values)
  return row?.no ?? null
}
