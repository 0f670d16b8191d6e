import type { Query } from '../database/database.ts'
import { jobOf, lockInOrder, sqlClaimedUnder } from '../queue/job-rows.ts'
import type { EndRow } from './end-statement.ts'

const given = `json_to_recordset($1::json) AS g (place integer, seq bigint, flow_id text, last_entry bigint, claimed_under text)`

/** Claimed by the same, or by nobody still. In the order of the jobs' keys, as all lock them. */
const lockText = `
  SELECT g.place FROM ${given} JOIN ${jobOf('g.seq', 'g.flow_id')}
  WHERE ${sqlClaimedUnder('j')} IS NOT DISTINCT FROM g.claimed_under
  ${lockInOrder}`

/** A statement of its own: what was written by whoever had the job locked must be seen. */
const entriesText = `
  SELECT g.place FROM ${given}
  WHERE g.last_entry = coalesce((SELECT max(e.no) FROM millrace.journal e WHERE e.run_seq = g.seq), 0)`

/** All but those that somebody else has by now, or has written into: what their outcome was made of is of the past. */
export async function stillAsRead(query: Query, rows: readonly EndRow[]): Promise<readonly EndRow[]> {
  const read = rows.filter(({ last_entry }) => last_entry !== undefined)
  if (read.length === 0) return rows
  const asked = read.map(({ place, seq, flow_id, last_entry, claimed_under }) => ({
    place,
    seq,
    flow_id,
    last_entry,
    claimed_under
  }))
  const places = async (name: string, text: string) => {
    const found = await query<{ place: number }>({ name, text }, [JSON.stringify(asked)])
    return new Set(found.map(({ place }) => place))
  }
  const claimed = await places('end-as-claimed', lockText)
  const unwritten = await places('end-as-written', entriesText)
  return rows.filter(
    ({ place, last_entry }) => last_entry === undefined || (claimed.has(place) && unwritten.has(place))
  )
}
