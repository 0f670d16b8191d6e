import type { ChildProcess } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { endChild } from '../child-end.ts'
import { type Service, spawnService, startService } from '../service-process.ts'
import type { Workspace } from '../workspace.ts'
import { countInStore, countThroughApi } from './count.ts'
import { drain } from './drain.ts'
import { type DrillReport, reportOf } from './drill-report.ts'
import { faultsOfStop } from './faults-of-stop.ts'
import { createFlows, LEDGER_PLUGIN } from './flows-of-drill.ts'
import { freePort } from './free-port.ts'
import { hasOpenStep, killLine } from './judge-ledger.ts'
import type { Span } from './judge-ticks.ts'
import type { Kill } from './kill-plan.ts'
import { type People, startPeople } from './people.ts'
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

interface Drill {
  readonly options: DrillOptions
  readonly home: string
  readonly ledger: string
  readonly port: number
  readonly sender: Sender
  readonly people: People
  readonly recoveries: number[]
  /** When a service was ready. */
  readonly ready: Span[]
  startMs: number
  /** The first life, which has begun before: the flows were made in it. */
  first: LifeUnderWay | undefined
}

/** When all runs have ended. */
const CALLED_WITHIN_MS = 20_000
const DRAIN_WITHIN_MS = 120_000

/** Kills the service again and again while requests arrive, lets it finish, and counts. */
export async function runDrill(options: DrillOptions): Promise<DrillReport> {
  const drill = await setUp(options)
  try {
    for (const [index, kill] of options.kills.entries()) await oneLife(drill, kill, index + 1)
    return await settleAndCount(drill)
  } finally {
    await drill.sender.stop()
    await drill.people.finish(0)
  }
}

async function setUp(options: DrillOptions): Promise<Drill> {
  const { workspace } = options
  const port = await freePort()
  const home = workspace.folder('drill-home')
  const ledger = join(workspace.folder('drill-ledger'), 'ledger.txt')
  const first = spawnService(workspace, serviceOptions({ home, port, ledger }))
  const service = await first.ready
  await createFlows(service.url)
  const [urls, random] = [[service.url], seededRandom(options.seed)]
  const people = startPeople({ urls, seed: options.seed })
  const sender = startSender({ urls, random, onAccepted: (one) => people.accepted(one) })
  const startMs = service.readyAfterMs
  return { options, home, ledger, port, sender, people, recoveries: [], ready: [], startMs, first }
}

function serviceOptions({ home, port, ledger }: Pick<Drill, 'home' | 'port' | 'ledger'>) {
  return { home, port, env: { MILLRACE_PLUGINS: LEDGER_PLUGIN, LEDGER_FILE: ledger } }
}

async function oneLife(drill: Drill, kill: Kill, number: number): Promise<void> {
  const { options, sender } = drill
  const { perLife, seconds } = options
  const since = performance.now()
  const { child, ready } = drill.first ?? spawnService(options.workspace, serviceOptions(drill))
  drill.first = undefined
  let readyAt = Number.POSITIVE_INFINITY
  // A life that ends before it is ready is what this drill is about; others are found out below.
  ready.then(
    (service) => {
      readyAt = Date.now()
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
  await Promise.race([whenDue(kill, drill, { child, ready }), ownDeath(child)])
  const acceptedAt = sender.accepted.length
  drill.ready.push({ from: readyAt, to: Date.now() })
  await killed(child)
  appendFileSync(drill.ledger, killLine())
  if (recovered !== undefined && number > 1) drill.recoveries.push(recovered)
  options.say?.(`kill ${number}: ${describe(kill)}; ${acceptedAt} accepted so far`)
}

interface LifeUnderWay {
  readonly child: ChildProcess
  readonly ready: Promise<Service>
}

async function whenDue(kill: Kill, drill: Drill, { child, ready }: LifeUnderWay): Promise<void> {
  switch (kill.at) {
    case 'step':
      await ready
      return stopInStep(child, drill)
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

/** Returns with the process stopped between the two lines of a step, where a kill cuts the step off. */
async function stopInStep(child: ChildProcess, { ledger, options }: Drill): Promise<void> {
  const deadline = performance.now() + options.seconds * 1000
  while (performance.now() < deadline) {
    child.kill('SIGSTOP')
    while (!isStopped(child.pid!)) await wait(1)
    if (hasOpenStep(readFileSync(ledger, 'utf8'))) return
    child.kill('SIGCONT')
    await wait(2)
  }
  throw new Error(`no step began within ${options.seconds} s`)
}

function isStopped(pid: number): boolean {
  // The name before it may hold anything, even a bracket.
  return /^.*\) [Tt] /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
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
  const { options, sender, people, home, ledger } = drill
  await sender.stop()
  const { accepted, refused } = sender
  const service = await startService(options.workspace, serviceOptions(drill))
  drill.ready.push({ from: Date.now(), to: Number.POSITIVE_INFINITY })
  const since = performance.now()
  const backlog = async () => (await service.counts()).backlog
  const drained = await drain({ service, people, ledger, backlog, withinMs: DRAIN_WITHIN_MS })
  const drainMs = performance.now() - since
  await people.finish(CALLED_WITHIN_MS)
  const seen = await countThroughApi(service, accepted, people)
  const faults = [...drained.faults, ...people.faults, ...seen, ...(await faultsOfStop(service))]
  const store = await openSqliteStore({ folder: home })
  const count = await countInStore(store, accepted).finally(() => store.close())
  return reportOf({
    kills: options.kills.length,
    accepted,
    answeredIn: ({ life }) => life,
    refused,
    faults,
    count,
    failed: drained.failed,
    recorded: drained.recorded,
    watched: drill.ready,
    ledger: readFileSync(ledger, 'utf8'),
    slowestRecoveryMs: Math.max(0, ...drill.recoveries),
    drainMs
  })
}

function describe(kill: Kill): string {
  switch (kill.at) {
    case 'accepted':
      return `after ${kill.count} accepted requests`
    case 'time':
      return `after ${Math.round(kill.ms)} ms under a steady load`
    case 'step':
      return 'in the middle of a step'
    case 'starting':
      return `at ${kill.share.toFixed(2)} of a start`
  }
}
