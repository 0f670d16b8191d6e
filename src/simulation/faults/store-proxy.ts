import { MillraceError } from '../../errors.ts'
import type { Store } from '../../store/store.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { Owner, Scheduler } from '../world/scheduler.ts'

export interface StoreProxyOptions {
  readonly scheduler: Scheduler
  readonly owner: Owner
  readonly random: SeededRandom
  readonly answers: AnswerOrder
  readonly condition: StoreCondition
  readonly onCall: (family: string, method: string) => void
}

/**
 * How answers of the store come back. `burst`: as they are given, one microtask after the other. `each`: every one by itself, in an
 * order that the seed decides. `late`: some of them after a while. `slow`: each after a moment, in which others come.
 */
export type AnswerOrder = 'burst' | 'each' | 'late' | 'slow'

/**
 * What the store takes. `full`: it can be read and not written. `down`: neither. `shaky`: of the writes, every other one. `torn`: a sync failed of which the next process will find
 * that it was done; until then nothing is written.
 */
export interface StoreCondition {
  state: 'sound' | 'full' | 'down' | 'shaky' | 'torn'
  /** So many writes of this name are refused one by one, whatever the state is. */
  refusals: number
  refusing: string
  /** So many calls of this name are done, and who asked for them is told that they are not. */
  losses: number
  losing: string
  /** The next call of the runs that writes, or the next of this name, is done, who asked for it is told that it is not, and nothing follows. */
  tearing: string | undefined
  /** When the store refused something last, or an answer of it was lost. */
  troubledAt: number
}

/** Which write is refused, or torn: any of them, or any that writes runs. */
const ANY = 'any'

const FAMILIES = [
  'flows',
  'drafts',
  'pins',
  'kept',
  'runs',
  'messages',
  'keys',
  'signIns',
  'contexts',
  'connections',
  'tokens',
  'triggers'
] as const

/** Everything else writes. */
const READS = new Set([
  ...[
    'get',
    'list',
    'recent',
    'stats',
    'changes',
    'countChanges',
    'lastChange',
    'failures',
    'backlog',
    'held'
  ],
  ...[
    'lastFailureBefore',
    'latestWithOutput',
    'waitById',
    'listWaits',
    'isOrphaned',
    'children',
    'lastChild',
    'readPiece'
  ],
  ...[
    'countChildren',
    'usageBelow',
    'openBelow',
    'openOf',
    'hungSteps',
    'deadlyNodes',
    'waiting',
    'flowsDue',
    'nextDue',
    'testDocument'
  ],
  ...['testScope', 'live', 'removed', 'versions', 'version', 'bin', 'removedBefore', 'aliases', 'find'],
  ...['endedSessions', 'ofFlows', 'ofFlow', 'mayMove', 'pending'],
  ...['orphanedBelow', 'openChildVersions', 'readToEnd', 'first']
])

/**
 * What may be asked for again after it was done: who does not hear of it does so. Not the start of children, nor ends: whoever started one
 * here has to offer it, and a store of one process that refuses a write has kept nothing of it, as long as that process lives.
 */
export const REPEATABLE = ['kept.change', 'runs.openWait', 'runs.checkpoint'] as const

/** What is refused: mostly anything, and by itself what a run writes down while other things of it are written. */
export const REFUSED = [ANY, 'runs.checkpoint', 'runs.checkpoint', 'runs.park'] as const

/** Of all that may be torn, what others wait for. */
export const TORN = [
  ...[
    'runs.accept',
    'runs.acceptOnce',
    'runs.end',
    'runs.park',
    'runs.checkpoint',
    'runs.openWait',
    'runs.wake'
  ],
  ...[
    'runs.startChildren',
    'runs.startDetached',
    'runs.reopen',
    'runs.reopenChildren',
    'runs.dropChildren',
    ANY
  ]
]

/** Stands between the parts and the real store: applies each call, and lets its answer come back when the scheduler says so. */
export function proxyStore<S extends Store>(store: S, options: StoreProxyOptions): S {
  const families = Object.fromEntries(
    FAMILIES.map((family) => [family, proxyFamily(family, store[family], options)])
  )
  return { ...store, ...families }
}

function proxyFamily(name: string, family: object, options: StoreProxyOptions): object {
  const proxied: Record<string, unknown> = {}
  for (const [method, member] of Object.entries(family)) {
    proxied[method] = typeof member === 'function' ? proxyCall(name, method, member, options) : member
  }
  return proxied
}

type Member = (...args: unknown[]) => unknown

function proxyCall(family: string, method: string, member: object, options: StoreProxyOptions): Member {
  const { owner, onCall } = options
  const label = `${family}.${method}`
  return (...args) => {
    if (owner.isDead) return new Promise(() => {})
    onCall(family, method)
    const answer = refusalOf(label, method, options) ?? (member as Member)(...args)
    if (!(answer instanceof Promise)) return answer
    const isTorn = tears(family, method, options)
    return deliver(label, isTorn ? lost(label, answer) : lossOf(label, answer, options), options)
  }
}

function refusalOf(label: string, method: string, options: StoreProxyOptions): Promise<never> | undefined {
  const { condition, scheduler, random } = options
  const { state } = condition
  const isRead = READS.has(method)
  const isRefused =
    state === 'shaky' ? !isRead && random.chance(0.5) : state === 'down' || (state !== 'sound' && !isRead)
  const isMeant = condition.refusals > 0 && [ANY, label].includes(condition.refusing)
  if (!isRefused && (isRead || !isMeant)) return undefined
  if (!isRefused) condition.refusals--
  condition.troubledAt = scheduler.now
  return Promise.reject(unwritable(`The simulation refuses the call ${method} of the store.`))
}

/** The write is done all the same. */
function lossOf(label: string, answer: Promise<unknown>, options: StoreProxyOptions): Promise<unknown> {
  const { condition, scheduler } = options
  if (condition.losses === 0 || condition.losing !== label) return answer
  condition.losses--
  condition.troubledAt = scheduler.now
  return lost(label, answer)
}

function lost(label: string, answer: Promise<unknown>): Promise<never> {
  return answer.then(() => {
    throw unwritable(`The simulation loses the answer to ${label}.`)
  })
}

function tears(family: string, method: string, { condition, scheduler }: StoreProxyOptions): boolean {
  const { tearing, state } = condition
  if (tearing === undefined || state !== 'sound' || family !== 'runs' || READS.has(method)) return false
  if (tearing !== ANY && tearing !== `${family}.${method}`) return false
  condition.tearing = undefined
  condition.state = 'torn'
  condition.troubledAt = scheduler.now
  scheduler.note(`torn ${family}.${method}`)
  return true
}

function unwritable(why: string): MillraceError {
  return new MillraceError('store_unwritable', why)
}

function deliver(label: string, answer: Promise<unknown>, options: StoreProxyOptions): Promise<unknown> {
  const { scheduler, owner, answers } = options
  return new Promise((resolve, reject) => {
    const come = (then: () => void) => {
      if (owner.isDead) return
      if (answers === 'burst') return then()
      scheduler.add(delayOf(options), label, owner, then)
    }
    answer.then(
      (value) => come(() => resolve(value)),
      (error) => come(() => reject(error))
    )
  })
}

/** As long as some steps take outside. */
export const SLOWEST_MS = 20

function delayOf({ answers, random }: StoreProxyOptions): number {
  if (answers === 'slow') return random.below(SLOWEST_MS)
  if (answers !== 'late' || !random.chance(0.1)) return 0
  return random.chance(0.1) ? 2_000 : random.below(30)
}
