import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import type { PostgresServer } from '../../test/support/postgres-server.ts'
import type { Workspace } from '../workspace.ts'
import { type Blow, type MemberName, memberNames } from './blow-plan.ts'
import { ClusterMembers } from './cluster-members.ts'
import { countInStore, countThroughApi } from './count.ts'
import { drain } from './drain.ts'
import { type DrillReport, reportOf } from './drill-report.ts'
import { faultsOfStop } from './faults-of-stop.ts'
import { createFlows } from './flows-of-drill.ts'
import { freePort } from './free-port.ts'
import { killLine } from './judge-ledger.ts'
import { OwnerWatch } from './owner-watch.ts'
import { type People, startPeople } from './people.ts'
import { seededRandom } from './seeded-random.ts'
import { type Sender, startSender } from './sender.ts'
import { pidOfTriggerOwner } from './trigger-owner.ts'

export interface ClusterDrillOptions {
  readonly workspace: Workspace
  readonly server: PostgresServer
  /** The address of an empty database of that server. */
  readonly databaseUrl: string
  readonly blows: readonly Blow[]
  /** How long requests are sent. */
  readonly seconds: number
  /** Requests are sent for longer where it takes longer until so many are accepted. */
  readonly atLeast?: number
  /** Requests per second. */
  readonly pace: number
  readonly seed: number
  readonly say?: (line: string) => void
}

export interface ClusterReport extends DrillReport {
  readonly restarts: number
  /** Requests that were answered with 503 and Retry-After. */
  readonly turnedAway: number
  /** The longest time in which nobody had the triggers, although somebody could have. */
  readonly longestTakeoverMs: number
}

interface Drill {
  readonly options: ClusterDrillOptions
  readonly ledger: string
  readonly members: ClusterMembers
  readonly sender: Sender
  readonly people: People
  readonly watch: OwnerWatch
  kills: number
}

/** When all runs have ended. */
const CALLED_WITHIN_MS = 20_000
const DRAIN_WITHIN_MS = 60_000
const OWNER_WITHIN_MS = 30_000
const LOOK_AGAIN_MS = 100
/** Less than it takes to find out that a worker is dead: or soon all clients would wait for its runs, and none send. */
const PATIENCE_SECONDS = 2

/**
 * Two web processes and two workers on one database: kills any of them and restarts the database while requests
 * arrive, lets them finish, and counts.
 */
export async function runClusterDrill(options: ClusterDrillOptions): Promise<ClusterReport> {
  const database = watched(options.server)
  const ledger = join(options.workspace.folder('drill-ledger'), 'ledger.txt')
  const ports = Object.fromEntries(
    await Promise.all(memberNames.map(async (name) => [name, await freePort()]))
  )
  const members = new ClusterMembers({
    workspace: options.workspace,
    databaseUrl: options.databaseUrl,
    ledger,
    ports: ports as Record<MemberName, number>,
    mayHaveMissedIt: database.wasAwaySince
  })
  const services = await Promise.all(memberNames.map((name) => members.start(name)))
  const urls = services.slice(0, 2).map(({ url }) => url)
  await createFlows(urls[0]!)
  const random = seededRandom(options.seed)
  const people = startPeople({ urls, seed: options.seed })
  const onAccepted = people.accepted
  const sender = startSender({ urls, random, mayTurnAway: true, patience: PATIENCE_SECONDS, onAccepted })
  const watch = new OwnerWatch({
    owner: async () => {
      const pid = await pidOfTriggerOwner(options.databaseUrl)
      return typeof pid === 'number' && members.nameOf(pid) === undefined ? null : pid
    },
    hasOthers: () => members.hasReady()
  })
  const drill: Drill = { options, ledger, members, sender, people, watch, kills: 0 }
  try {
    await injectFaults(drill, database.restart)
    await sender.stop()
    return {
      ...(await settleAndCount(drill)),
      restarts: database.restarts(),
      turnedAway: sender.turnedAway,
      longestTakeoverMs: watch.longestTakeoverMs
    }
  } finally {
    await watch.stop()
    await sender.stop()
    await people.finish(0)
  }
}

/** Remembers when the server was away. */
function watched(server: PostgresServer) {
  let restarts = 0
  let isAway = false
  let backAt = Number.NEGATIVE_INFINITY
  return {
    restarts: () => restarts,
    wasAwaySince: (since: number) => isAway || backAt > since,
    async restart(how: 'fast' | 'crash'): Promise<void> {
      restarts++
      isAway = true
      await server.restart(how)
      isAway = false
      backAt = performance.now()
    }
  }
}

async function injectFaults(drill: Drill, restart: (how: 'fast' | 'crash') => Promise<void>): Promise<void> {
  const { options, sender, members } = drill
  const { blows, seconds, atLeast = 0, pace, say } = options
  const live = () => void sender.begin({ number: drill.kills + 1, quota: Number.POSITIVE_INFINITY, pace })
  live()
  await sender.hasAccepted(1)
  const since = performance.now()
  const until = (ms: number) => wait(Math.max(0, since + ms - performance.now()))
  for (const blow of blows) {
    await until(blow.atMs)
    if (blow.on === 'database') await restart(blow.how)
    else {
      const name = blow.on === 'trigger-owner' ? await ownerOfTriggers(drill) : blow.on
      await members.kill(name, () => {
        drill.kills++
        appendFileSync(drill.ledger, killLine(name))
        live()
      })
    }
    say?.(`${(blow.atMs / 1000).toFixed(1)} s: ${told(blow)}; ${sender.accepted.length} accepted so far`)
  }
  await until(seconds * 1000)
  await sender.haveAccepted(atLeast)
}

/** Whoever has the triggers now. While the lease of a dead process lasts, nobody has. */
async function ownerOfTriggers({ options, members }: Drill): Promise<MemberName> {
  const deadline = performance.now() + OWNER_WITHIN_MS
  while (performance.now() < deadline) {
    const name = members.nameOf(await pidOfTriggerOwner(options.databaseUrl))
    if (name !== undefined) return name
    await wait(LOOK_AGAIN_MS)
  }
  throw new Error(`nobody had the triggers within ${OWNER_WITHIN_MS / 1000} s`)
}

function told(blow: Blow): string {
  return blow.on === 'database' ? `the database was restarted (${blow.how})` : `${blow.on} was killed`
}

async function settleAndCount(drill: Drill): Promise<DrillReport> {
  const { options, members, sender, people, watch, ledger, kills } = drill
  const { accepted, refused, longestGapMs } = sender
  const services = await members.settled()
  const store = await openPostgresStore({ url: options.databaseUrl, processId: 'drill', mayBeFirst: false })
  try {
    const since = performance.now()
    const backlog = async () =>
      [...(await store.runs.backlog()).values()].reduce((sum, runs) => sum + runs, 0)
    const drained = await drain({
      service: services[0]!,
      people,
      ledger,
      backlog,
      withinMs: DRAIN_WITHIN_MS
    })
    const drainMs = performance.now() - since
    await watch.stop()
    await people.finish(CALLED_WITHIN_MS)
    const seen = await countThroughApi(services[0]!, accepted, people)
    const stops = await Promise.all(services.map(faultsOfStop))
    return reportOf({
      kills,
      accepted,
      answeredIn: (one) => one.answeredIn,
      refused,
      faults: [
        ...members.faults,
        ...watch.faults,
        ...drained.faults,
        ...people.faults,
        ...seen,
        ...stops.flat()
      ],
      count: await countInStore(store, accepted),
      failed: drained.failed,
      recorded: drained.recorded,
      watched: watch.spans,
      ledger: readFileSync(ledger, 'utf8'),
      slowestRecoveryMs: longestGapMs,
      drainMs
    })
  } finally {
    await store.close()
  }
}
