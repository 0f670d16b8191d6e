import type { ChildProcess } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type End, endChild } from '../child-end.ts'
import { API_KEY, ROOT, type Service, spawnService, startService } from '../service-process.ts'
import type { Workspace } from '../workspace.ts'
import { countInStore, countThroughApi } from './count.ts'
import { FLOWS, LEDGER_NODES } from './flows.ts'
import { freePort } from './free-port.ts'
import { judgeLedger, KILL_LINE } from './judge-ledger.ts'
import type { Kill } from './kill-plan.ts'
import { seededRandom } from './seeded-random.ts'
import { type Sender, startSender } from './sender.ts'

export interface DrillOptions {
  readonly workspace: Workspace
  readonly kills: readonly Kill[]
  readonly seed: number
  /** The longest life in seconds; also what a steady load is spread over. */
  readonly seconds: number
  /** Requests that are accepted in one life at the most. */
  readonly perLife: number
  readonly say?: (line: string) => void
}

export interface DrillReport {
  readonly kills: number
  readonly accepted: number
  readonly unanswered: number
  readonly completed: number
  readonly lost: number
  readonly cutOff: number
  readonly repeated: number
  readonly repeatedAfterEffect: number
  readonly illegalRepeats: number
  /** The slowest way from starting again after a kill to accepting again. */
  readonly slowestRecoveryMs: number
  /** How long the last start took to finish what was left. */
  readonly drainMs: number
  /** Everything that breaks a promise, in words. Empty is what a drill is for. */
  readonly violations: readonly string[]
}

interface Drill {
  readonly options: DrillOptions
  readonly home: string
  readonly ledger: string
  readonly port: number
  readonly sender: Sender
  readonly recoveries: number[]
  startMs: number
}

const DRAIN_WITHIN_MS = 120_000
const STOP_WITHIN_MS = 10_000

/** Kills the service again and again while requests arrive, lets it finish, and counts. */
export async function runDrill(options: DrillOptions): Promise<DrillReport> {
  const drill = await setUp(options)
  try {
    for (const [index, kill] of options.kills.entries()) await oneLife(drill, kill, index + 1)
    return await settleAndCount(drill)
  } finally {
    await drill.sender.stop()
  }
}

async function setUp(options: DrillOptions): Promise<Drill> {
  const { workspace } = options
  const port = await freePort()
  const home = workspace.folder('drill-home')
  const ledger = join(workspace.folder('drill-ledger'), 'ledger.txt')
  const service = await startService(workspace, serviceOptions({ home, port, ledger }))
  for (const { document } of Object.values(FLOWS)) await createFlow(service, document)
  await service.stop()
  const sender = startSender({ url: service.url, random: seededRandom(options.seed) })
  return { options, home, ledger, port, sender, recoveries: [], startMs: service.readyAfterMs }
}

function serviceOptions({ home, port, ledger }: Pick<Drill, 'home' | 'port' | 'ledger'>) {
  const plugin = join(ROOT, 'test/plugins/ledger.ts')
  return { home, port, env: { MILLRACE_PLUGINS: plugin, LEDGER_FILE: ledger } }
}

async function createFlow(service: Service, document: object): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/flows`, {
    method: 'POST',
    headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(document)
  })
  if (response.status !== 201) throw new Error(`a flow of the drill was refused: ${await response.text()}`)
}

async function oneLife(drill: Drill, kill: Kill, number: number): Promise<void> {
  const { options, sender } = drill
  const { perLife, seconds } = options
  const since = performance.now()
  const { child, ready } = spawnService(options.workspace, serviceOptions(drill))
  // A life that ends before it is ready is what this drill is about; others are found out below.
  ready.then(
    (service) => {
      drill.startMs = service.readyAfterMs
    },
    () => {}
  )
  const steady = kill.at === 'time' ? { pace: perLife / seconds } : {}
  let recovered: number | undefined
  const onFirst = () => {
    recovered ??= performance.now() - since
  }
  sender.begin({ number, quota: perLife, ...steady }).then(onFirst)
  await Promise.race([whenDue(kill, drill, ready), ownDeath(child)])
  const acceptedAt = sender.accepted.length
  await killed(child)
  appendFileSync(drill.ledger, `${KILL_LINE}\n`)
  if (recovered !== undefined && number > 1) drill.recoveries.push(recovered)
  options.say?.(`kill ${number}: ${describe(kill)}; ${acceptedAt} accepted so far`)
}

async function whenDue(kill: Kill, drill: Drill, ready: Promise<Service>): Promise<void> {
  switch (kill.at) {
    case 'accepted': {
      await ready
      const bound = new AbortController()
      const tooLong = wait(drill.options.seconds * 1000, undefined, { signal: bound.signal }).catch(() => {})
      await Promise.race([drill.sender.hasAccepted(kill.count), tooLong])
      bound.abort()
      return
    }
    case 'time':
      await ready
      await wait(kill.ms)
      return
    case 'starting':
      await wait(kill.share * drill.startMs)
  }
}

/** A service that ends by itself has not been killed: something else is wrong. */
function ownDeath(child: ChildProcess): Promise<never> {
  return new Promise((_, reject) => {
    child.once('exit', (code, signal) => {
      if (signal !== 'SIGKILL') reject(new Error(`the service ended by itself: ${signal ?? `code ${code}`}`))
    })
  })
}

async function killed(child: ChildProcess): Promise<void> {
  const end = await endChild(child, 'SIGKILL')
  if (end !== 'SIGKILL') throw new Error(`the service ended by itself: ${end}`)
}

async function settleAndCount(drill: Drill): Promise<DrillReport> {
  const { options, sender, home } = drill
  await sender.stop()
  const { accepted, refused } = sender
  const service = await startService(options.workspace, serviceOptions(drill))
  const since = performance.now()
  const left = await drain(service)
  const drainMs = performance.now() - since
  const seen = await countThroughApi(service, accepted)
  const violations = [...refused.map((answer) => `a request was answered ${answer}`), ...left, ...seen]
  violations.push(...(await faultsOfStop(service)))
  const count = await countInStore(home, accepted)
  const verdict = judgeLedger({
    text: readFileSync(drill.ledger, 'utf8'),
    nodes: LEDGER_NODES,
    answered: new Map(accepted.filter((one) => one.sawEnd).map((one) => [one.runId, one.life]))
  })
  const withoutEffect = accepted.filter(
    ({ flow, runId }) => flow === 'ledger' && verdict.ended.get(runId)?.size !== LEDGER_NODES.length
  )
  violations.push(
    ...count.lost.map((id) => `run ${id} was accepted and is lost`),
    ...count.wrong,
    ...verdict.illegal,
    ...withoutEffect.map(({ runId }) => `run ${runId} has succeeded without its effects`)
  )
  return {
    kills: options.kills.length,
    accepted: accepted.length,
    unanswered: count.unanswered,
    completed: count.completed,
    lost: count.lost.length,
    cutOff: verdict.cutOff,
    repeated: verdict.repeated,
    repeatedAfterEffect: verdict.repeatedAfterEffect,
    illegalRepeats: verdict.illegal.length,
    slowestRecoveryMs: Math.max(0, ...drill.recoveries),
    drainMs,
    violations
  }
}

/** Waits until nothing is left to do. */
async function drain(service: Service): Promise<string[]> {
  const deadline = performance.now() + DRAIN_WITHIN_MS
  for (;;) {
    const { backlog } = await service.counts()
    if (backlog === 0) return []
    if (performance.now() > deadline) return [`${backlog} runs are left after ${DRAIN_WITHIN_MS / 1000} s`]
    await wait(20)
  }
}

async function faultsOfStop(service: Service): Promise<string[]> {
  const since = performance.now()
  const end: End = await service.stop()
  const took = performance.now() - since
  if (end === 0 && took <= STOP_WITHIN_MS) return []
  return [`SIGTERM ended the service with ${end} after ${Math.round(took)} ms`]
}

function describe(kill: Kill): string {
  switch (kill.at) {
    case 'accepted':
      return `after ${kill.count} accepted requests`
    case 'time':
      return `after ${Math.round(kill.ms)} ms under a steady load`
    case 'starting':
      return `at ${kill.share.toFixed(2)} of a start`
  }
}
