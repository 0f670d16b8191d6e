import type { Database } from '../database/database.ts'
import { type News, NO_NEWS } from '../database/news.ts'
import { isTied } from '../queue/job-rows.ts'
import { closeJobs, type End, endRow, endText, type Numbered } from './end-statement.ts'
import { endTiedRuns } from './end-tied-runs.ts'

/** What is tied to other rows is left to a transaction of its own: a plain run pays no more than this look. */
const closed = closeJobs(`AND NOT (${isTied('j')})`)

const endPlain = { name: 'end', text: endText({ closed, hasUsage: false }) }
const endWithUsage = { name: 'end-usage', text: endText({ closed, hasUsage: true }) }

/** Ends that went through although the answer was lost: the claim tells that it was us. */
const earlierText = `
  SELECT g.place, o.no FROM json_to_recordset($1::json) AS g (place integer, seq bigint, claim text)
  JOIN millrace.outcomes o ON o.seq = g.seq AND o.claim = g.claim`

interface Endings {
  readonly numbers: readonly (number | null)[]
  readonly news: News
}

/** `areTied`: they are known to be tied to other rows. Among the others some may turn out to be. */
export async function endRuns(db: Database, ends: readonly End[], areTied: boolean): Promise<Endings> {
  const numbers: (number | null)[] = ends.map(() => null)
  const rows = ends.map(endRow)
  const left = () => rows.filter(({ place }) => numbers[place] === null)
  const note = (numbered: readonly Numbered[]) => {
    for (const { place, no } of numbered) numbers[place] = no
  }
  const statement = ends.some(({ outcome }) => outcome.usage.length > 0) ? endWithUsage : endPlain
  if (!areTied) note(await db.write<Numbered>(statement, [JSON.stringify(rows)]))
  let news = NO_NEWS
  if (left().length > 0) {
    const tied = await endTiedRuns(db, left())
    note(tied.numbered)
    news = tied.news
  }
  const refused = left().filter(({ claim }) => claim !== null)
  if (refused.length > 0) {
    const asked = refused.map(({ place, seq, claim }) => ({ place, seq, claim }))
    note(await db.write<Numbered>({ name: 'ended-earlier', text: earlierText }, [JSON.stringify(asked)]))
  }
  return { numbers, news }
}
