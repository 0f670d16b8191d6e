import { appendFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { API_KEY, type Service } from '../service-process.ts'
import { RETRY_LINE } from './judge-ledger.ts'
import type { People } from './people.ts'
import { CLOCK_SLUG, PROGRAM_SLUG, STOPPED_CLOCK } from './program.ts'
import { faultsOfRetry, type RecordedSteps, readSucceeded } from './recorded-steps.ts'
import { ALERT_SLUG, CANCELLED_SLUG, REPEAT_SLUG } from './repeat.ts'

export interface DrainOptions {
  readonly service: Service
  readonly people: People
  readonly ledger: string
  /** Runs that are neither ended nor parked. */
  readonly backlog: () => Promise<number>
  readonly withinMs: number
}

const LOOK_AGAIN_MS = 50
/** A run that begins to wait, or goes on, between two looks shows in neither. */
const LOOKS = 3

export interface Drained {
  readonly faults: readonly string[]
  /** Runs that had failed, before they were retried. */
  readonly failed: readonly string[]
  /** What they and those below them had recorded as succeeded by then. */
  readonly recorded: RecordedSteps
}

/** Stops the clock, waits until nothing is left to do, then mends what was broken, retries what failed of it, and waits again. */
export async function drain(options: DrainOptions): Promise<Drained> {
  const { service, ledger, withinMs } = options
  const deadline = performance.now() + withinMs
  if (!(await ticksAgain(service, deadline)))
    return { faults: ['the clock has stopped'], failed: [], recorded: new Map() }
  await stopClock(service)
  const left = await untilQuiet(options, deadline)
  const failed = await allIdsOf(service, `status=failed&flow_id=${REPEAT_SLUG}`)
  const untold = await untilTold(service, failed.length, deadline)
  const below = await Promise.all(failed.map((id) => allIdsOf(service, `parent=${id}`)))
  const retried = [...failed, ...below.flat()]
  const recorded = await readSucceeded(service, retried)
  writeFileSync(`${ledger}.mended`, '')
  appendFileSync(ledger, RETRY_LINE)
  for (const id of failed) await post(service, `/api/v1/runs/${id}/retry`)
  const leftAgain = await untilQuiet(options, deadline)
  const begunAgain = faultsOfRetry(recorded, await readSucceeded(service, retried))
  return { faults: [...left, ...untold, ...leftAgain, ...begunAgain], failed, recorded }
}

async function untilQuiet({ service, people, backlog, withinMs }: DrainOptions, deadline: number) {
  const { caller, canceller } = people
  let quiet = 0
  for (;;) {
    const [left, waiting] = [await backlog(), await idsOf(service, 'status=waiting&limit=100')]
    quiet = left + waiting.length === 0 ? quiet + 1 : 0
    if (quiet === LOOKS) return []
    if (performance.now() > deadline)
      return [`${left} runs are left after ${withinMs / 1000} s, and ${waiting.length} wait`]
    // Of some nobody knows: the service died before it could answer that it had accepted them.
    for (const [slug, who] of [
      [PROGRAM_SLUG, caller],
      [CANCELLED_SLUG, canceller]
    ] as const)
      for (const id of await idsOf(service, `status=waiting&limit=100&flow_id=${slug}`))
        if (!who.has(id)) who.take(id)
    await wait(LOOK_AGAIN_MS)
  }
}

/** Of every run that failed somebody is told, sooner or later. */
async function untilTold(service: Service, expected: number, deadline: number): Promise<string[]> {
  for (;;) {
    const told = (await allIdsOf(service, `flow_id=${ALERT_SLUG}`)).length
    if (told >= expected) return []
    if (performance.now() > deadline) return [`${told} runs were told of ${expected} that failed`]
    await wait(LOOK_AGAIN_MS)
  }
}

/** Whoever had the clock may be dead: somebody else goes on with it. */
async function ticksAgain(service: Service, deadline: number): Promise<boolean> {
  const newest = async () => (await idsOf(service, `flow_id=${CLOCK_SLUG}&limit=1`))[0]
  const before = await newest()
  while (performance.now() < deadline) {
    if ((await newest()) !== before) return true
    await wait(LOOK_AGAIN_MS)
  }
  return false
}

/** It would go on for ever. What it has started goes on. */
async function stopClock(service: Service): Promise<void> {
  const path = `/api/v1/flows/${CLOCK_SLUG}`
  const { version } = (await service.get(path)) as { version: number }
  const response = await fetch(service.url + path, {
    method: 'PUT',
    headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ ...STOPPED_CLOCK, version })
  })
  if (!response.ok) throw new Error(`the clock could not be stopped: ${await response.text()}`)
}

/** The newest first. */
async function idsOf(service: Service, question: string): Promise<string[]> {
  const { runs } = (await service.get(`/api/v1/runs?${question}`)) as { runs: { id: string }[] }
  return runs.map(({ id }) => id)
}

async function allIdsOf(service: Service, question: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const page = (await service.get(`/api/v1/runs?${question}&limit=100${cursor}`)) as RunPage
    ids.push(...page.runs.map(({ id }) => id))
    if (page.next_cursor === null) return ids
    cursor = `&cursor=${page.next_cursor}`
  }
}

interface RunPage {
  readonly runs: readonly { readonly id: string }[]
  readonly next_cursor: string | null
}

async function post(service: Service, path: string): Promise<void> {
  const response = await fetch(service.url + path, { method: 'POST', headers: { 'x-api-key': API_KEY } })
  if (!response.ok) throw new Error(`POST ${path} was answered ${response.status}: ${await response.text()}`)
}
