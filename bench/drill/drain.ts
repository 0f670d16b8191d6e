import { setTimeout as wait } from 'node:timers/promises'
import { API_KEY, type Service } from '../service-process.ts'
import type { Caller } from './caller.ts'
import { CLOCK_SLUG, STOPPED_CLOCK } from './program.ts'

export interface DrainOptions {
  readonly service: Service
  readonly caller: Caller
  /** Runs that are neither ended nor parked. */
  readonly backlog: () => Promise<number>
  readonly withinMs: number
}

const LOOK_AGAIN_MS = 50
/** A run that begins to wait, or goes on, between two looks shows in neither. */
const LOOKS = 3

/** Stops the clock, calls whoever waits for it, and waits until nothing is left to do. */
export async function drain({ service, caller, backlog, withinMs }: DrainOptions): Promise<string[]> {
  const deadline = performance.now() + withinMs
  if (!(await ticksAgain(service, deadline))) return ['the clock has stopped']
  await stopClock(service)
  let quiet = 0
  for (;;) {
    const [left, waiting] = [await backlog(), await idsOf(service, 'status=waiting&limit=100')]
    quiet = left + waiting.length === 0 ? quiet + 1 : 0
    if (quiet === LOOKS) return []
    if (performance.now() > deadline)
      return [`${left} runs are left after ${withinMs / 1000} s, and ${waiting.length} wait`]
    // Of some nobody knows: the service died before it could answer that it had accepted them.
    for (const id of waiting) if (!caller.has(id)) caller.take(id)
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
