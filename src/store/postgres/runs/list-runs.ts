import { INPUT_START_BYTES, inputStart, NO_INPUT } from '../../input-start.ts'
import { jsonSpellings } from '../../json-spellings.ts'
import type { ChildRange, Effort, FoundRun, RunFilter, RunSummary } from '../../store.ts'
import type { Query } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import { anyJob, isChild, isOfAnyFlow, isOfQueues, queueOf, seqOfJob } from '../queue/job-rows.ts'
import { isClaimable, isWoken } from '../queue/job-states.ts'
import { runSummary, runsAndOutcomes, type SummaryRow, summaryColumns } from './run-rows.ts'
import { sqlIsWaiting } from './waits/wait-rows.ts'

interface FoundPage {
  readonly runs: FoundRun[]
  readonly next: number | null
}

interface RunPage {
  readonly runs: RunSummary[]
  readonly next: number | null
}

/**
 * Candidates checked in one statement. A search for text reads inputs of up to a megabyte each, so there it begins
 * with few, and goes on with more as long as they are read quickly.
 */
const CHUNK = { text: 100, plain: 500, most: 5_000 } as const
const QUICK_MS = 100

const NO_LIMIT: Effort = { runs: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY }

export async function listRuns(query: Query, filter: RunFilter): Promise<FoundPage> {
  const { runs, next } = await findRuns(query, filter)
  return { runs: await withInputStarts(query, runs), next }
}

interface StartRow {
  readonly seq: number
  readonly start: Buffer
  readonly is_cut: boolean
}

/** Of the runs of a page only, and not of all that were checked for it. */
async function withInputStarts(query: Query, runs: readonly RunSummary[]): Promise<FoundRun[]> {
  if (runs.length === 0) return []
  const rows = await query<StartRow>(
    `SELECT seq, substr(input, 1, ${INPUT_START_BYTES}) AS start, octet_length(input) > ${INPUT_START_BYTES} AS is_cut
     FROM millrace.runs WHERE seq = ANY ($1::bigint[])`,
    [runs.map(({ seq }) => seq)]
  )
  const bySeq = new Map(rows.map(({ seq, start, is_cut }) => [seq, inputStart(start, is_cut)]))
  return runs.map((run) => ({ ...run, inputStart: bySeq.get(run.seq) ?? NO_INPUT }))
}

/**
 * Candidates come from a source, an index that leaves out as much as it can, and are checked against the whole
 * filter, chunk by chunk, until the page is full or the source is dry: no statement is long, and nobody's search
 * holds a connection for minutes. `next` is null when no candidate is left; it may promise a page that turns out
 * empty, because to know better the rest of the table would have to be searched now.
 */
async function findRuns(query: Query, filter: RunFilter): Promise<RunPage> {
  const runs: RunSummary[] = []
  if (filter.limit <= 0) return { runs, next: null }
  const effort = filter.effort ?? NO_LIMIT
  let chunk: number = filter.text === undefined ? Math.max(CHUNK.plain, filter.limit + 1) : CHUNK.text
  let below = filter.before ?? Number.MAX_SAFE_INTEGER
  let checked = 0
  for (const began = performance.now(); ; ) {
    const started = performance.now()
    const size = Math.max(1, Math.min(chunk, effort.runs - checked))
    const seqs = await candidates(query, filter, below, size)
    const found = seqs.length === 0 ? [] : await matching(query, filter, seqs)
    runs.push(...found.slice(0, filter.limit - runs.length))
    if (runs.length === filter.limit) {
      const last = runs.at(-1)!.seq
      const isLeft = seqs.at(-1)! < last || (await candidates(query, filter, last, 1)).length > 0
      return { runs, next: isLeft ? last : null }
    }
    if (seqs.length < size) return { runs, next: null }
    below = seqs.at(-1)!
    checked += seqs.length
    if (checked >= effort.runs || performance.now() - began >= effort.ms) return { runs, next: below }
    if (performance.now() - started < QUICK_MS) chunk = Math.min(chunk * 2, CHUNK.most)
  }
}

/** Numbers of runs that may match, newest first. */
async function candidates(query: Query, filter: RunFilter, below: number, limit: number): Promise<number[]> {
  const values: unknown[] = [below, limit]
  const bind = (value: unknown) => `$${values.push(value)}`
  const parts = sourcesOf(filter).map(({ from, where, seq }) => {
    const conditions = [`${seq} < $1`, ...where(bind)]
    return `(SELECT ${seq} AS seq FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY 1 DESC LIMIT $2)`
  })
  const text = parts.length === 1 ? parts[0]! : `${parts.join(' UNION ')} ORDER BY 1 DESC LIMIT $2`
  return (await query<{ seq: number }>(text, values)).map((row) => row.seq)
}

function sourcesOf(filter: RunFilter): Source[] {
  const { status, parentSeq, isTest } = filter
  const isByWaits = status === 'waiting' && parentSeq === undefined && isTest !== true
  return isByWaits ? waitingSources(filter) : [sourceOf(filter)]
}

/**
 * Runs that may wait: those with an open wait, of which there is an index, and those that were woken and that nobody has taken up
 * since, which are work to be done. Of the 100,000 jobs of as many runs that wait, all would have to be looked at.
 */
function waitingSources({ flowIds }: RunFilter): Source[] {
  return [
    {
      from: 'millrace.waits w',
      seq: 'w.run_seq',
      where: (bind) => [
        "w.state = 'open'",
        ...(flowIds === undefined ? [] : [`w.flow_id = ANY (${bind(flowIds)}::text[])`]),
        'NOT EXISTS (SELECT 1 FROM millrace.children c WHERE c.seq = w.run_seq)'
      ]
    },
    {
      from: anyJob,
      seq: seqOfJob(),
      where: (bind) => [
        ofFlows(flowIds, bind),
        `${isClaimable('j')} AND ${isWoken('j')}`,
        `NOT ${isChild('j')}`
      ]
    }
  ]
}

function ofFlows(flowIds: readonly string[] | undefined, bind: (value: unknown) => string): string {
  return flowIds === undefined ? isOfAnyFlow : isOfQueues(bind(flowIds.map(queueOf)))
}

interface Source {
  readonly from: string
  readonly seq: string
  /** Adds what is compared to the statement's values. */
  where(bind: (value: unknown) => string): string[]
}

/** With a flow and a rare status both given, the status is the better guess: failed runs are few. */
function sourceOf({ status, flowIds, since, until, isTest, parentSeq, childrenOf }: RunFilter): Source {
  if (parentSeq !== undefined) {
    return {
      from: 'millrace.children',
      seq: 'seq',
      where: (bind) => [`parent_seq = ${bind(parentSeq)}`, ...rangeConditions(childrenOf, bind)]
    }
  }
  if (isTest === true) return { from: 'millrace.test_documents', seq: 'run_seq', where: () => [] }
  if (status === 'open' || status === 'not waiting') {
    return {
      from: anyJob,
      seq: seqOfJob(),
      where: (bind) => [
        ofFlows(flowIds, bind),
        `NOT ${isChild('j')}`,
        ...(status === 'open' ? [] : [`NOT coalesce(${sqlIsWaiting('j', seqOfJob())}, false)`])
      ]
    }
  }
  if (status === 'failed' || status === 'cancelled') {
    return {
      from: 'millrace.outcomes',
      seq: 'seq',
      where: (bind) => [`status = ${bind(status)}`, "status <> 'succeeded'", 'is_child IS NULL']
    }
  }
  return {
    from: 'millrace.runs',
    seq: 'seq',
    where: (bind) => [
      'is_child IS NULL',
      ...(flowIds === undefined ? [] : [`flow_id = ANY (${bind(flowIds)}::text[])`]),
      ...(since === undefined ? [] : [`created_at >= ${bind(since)}`]),
      ...(until === undefined ? [] : [`created_at < ${bind(until)}`])
    ]
  }
}

function rangeConditions(range: ChildRange | undefined, bind: (value: unknown) => string): string[] {
  if (range === undefined) return []
  const { node, fromIndex, belowIndex } = range
  return [
    `node = ${bind(storableText(node))}`,
    ...(fromIndex === undefined ? [] : [`child_index >= ${bind(fromIndex)}`]),
    ...(belowIndex === undefined ? [] : [`child_index < ${bind(belowIndex)}`])
  ]
}

/**
 * Text is compared without regard to case for ASCII letters only, as the embedded store does it.
 */
async function matching(query: Query, filter: RunFilter, seqs: readonly number[]): Promise<RunSummary[]> {
  const values: unknown[] = [seqs]
  const bind = (value: unknown) => `$${values.push(value)}`
  const conditions = ['r.seq = ANY ($1::bigint[])']
  if (filter.flowIds !== undefined) conditions.push(`r.flow_id = ANY (${bind(filter.flowIds)}::text[])`)
  if (filter.parentSeq === undefined) conditions.push('r.is_child IS NULL')
  if (OPEN.has(filter.status)) conditions.push('o.seq IS NULL')
  else if (filter.status !== undefined) conditions.push(`o.status = ${bind(filter.status)}`)
  if (filter.since !== undefined) conditions.push(`r.created_at >= ${bind(filter.since)}`)
  if (filter.until !== undefined) conditions.push(`r.created_at < ${bind(filter.until)}`)
  if (filter.isTest !== undefined) conditions.push(`r.is_test IS ${filter.isTest ? 'NOT ' : ''}NULL`)
  if (filter.text !== undefined) conditions.push(textCondition(filter.text, bind))
  const rows = await query<SummaryRow>(
    `SELECT ${summaryColumns} FROM ${runsAndOutcomes}
     WHERE ${conditions.join(' AND ')} ORDER BY r.seq DESC`,
    values
  )
  const runs = rows.map(runSummary)
  if (filter.status === 'waiting') return runs.filter(({ isWaiting }) => isWaiting === true)
  return filter.status === 'not waiting' ? runs.filter(({ isWaiting }) => isWaiting !== true) : runs
}

const OPEN: ReadonlySet<RunFilter['status']> = new Set(['open', 'waiting', 'not waiting'] as const)

/**
 * LIKE was refused: its wildcards need escaping. lower() in the C collation knows ASCII letters only. An input may
 * be no text at all, so it and what is looked for are both written with their odd bytes as octal numbers.
 */
function textCondition(text: string, bind: (value: unknown) => string): string {
  const sought = [storableText(text), ...jsonSpellings(text)].map(lowered)
  const conditions = sought.map((spelling) => {
    const bytes = `encode(${bind(Buffer.from(spelling))}::bytea, 'escape')`
    return `strpos(lower(o.error COLLATE "C"), ${bind(spelling)}::text) > 0
    OR strpos(lower(encode(r.input, 'escape') COLLATE "C"), ${bytes}) > 0`
  })
  return `(starts_with(lower(r.id COLLATE "C"), ${bind(sought[0])}::text) OR ${conditions.join(' OR ')})`
}

function lowered(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
