import { type DispatchSizes, USUAL_SIZES } from '../../runs/dispatch/dispatch-sizes.ts'
import { REFUSED, REPEATABLE, TORN } from '../faults/store-proxy.ts'
import { type SeededRandom, seededRandom } from '../seeded-random.ts'
import { VALUES } from './flow-spec.ts'
import { generateFlows, type Has } from './generate-flows.ts'
import type { LifeEvent, Scenario } from './scenario.ts'

/**
 * Each seed has some of these and not others: where everything happens all the time, what needs a quiet moment, or one
 * thing in great numbers, never comes about (swarm testing).
 */
const FEATURES = [
  ...['branch', 'each', 'many', 'call', 'delay', 'wait', 'approve', 'keep', 'stop', 'fail', 'flaky', 'never'],
  ...['history', 'limit', 'ticks', 'contexts', 'cancel', 'retry', 'replay', 'pause', 'publish', 'delete'],
  ...[
    'die',
    'restart',
    'refuse',
    'down',
    'lose',
    'jump',
    'duplicates',
    'early',
    'retention',
    'small',
    'large',
    'burst'
  ]
]

/** These came later: each by a chance of its own, which leaves those of the others as they were. */
const LATER = [
  'fork',
  'shaky',
  'again',
  'alerts',
  'tests',
  'freeze',
  'larger',
  'caught',
  'scheduled',
  'disabled',
  'repeat',
  'agent',
  'refer',
  'collected',
  'listed',
  'say'
]

/** What belongs together, lest it meets too seldom. */
const THEMES: readonly (readonly string[])[] = [
  ['contexts', 'call', 'wait'],
  ['contexts', 'call', 'approve', 'delete'],
  ['each', 'call', 'wait', 'dropped', 'small'],
  ['call', 'small', 'large', 'burst', 'slow'],
  ['call', 'approve', 'cancel', 'retry', 'lineage'],
  ['call', 'wait', 'cancel', 'lineage'],
  ['each', 'wait', 'early'],
  ['keep', 'history', 'refuse', 'down', 'lose'],
  ['keep', 'each', 'call', 'wait', 'lose', 'die'],
  ['each', 'fail', 'retry', 'die'],
  ['fork', 'restart', 'slow', 'flaky'],
  ['fork', 'delay', 'wait', 'restart'],
  ['fork', 'wait', 'early', 'refuse', 'down'],
  ['fork', 'approve', 'delay', 'flaky', 'refuse', 'down', 'burst'],
  ['fork', 'each', 'call', 'die', 'restart'],
  ['fork', 'wait', 'flaky', 'shaky'],
  ['fork', 'delay', 'flaky', 'shaky', 'small'],
  ['fork', 'refuse', 'restart', 'slow'],
  ['again', 'each', 'call', 'fail', 'fork'],
  ['again', 'each', 'dropped', 'call', 'cancel', 'restart'],
  ['alerts', 'fail', 'stop', 'call', 'die', 'lose'],
  ['alerts', 'fail', 'pause', 'ticks', 'restart'],
  ['tests', 'publish', 'each', 'wait', 'die']
]

/** Of these too, some seeds have one besides. */
const LATER_THEMES: readonly (readonly string[])[] = [
  ['scheduled', 'flaky', 'limit', 'cancel', 'retry'],
  ['caught', 'fail', 'fork', 'larger', 'die'],
  ['fork', 'larger', 'shaky', 'restart'],
  ['fork', 'call', 'wait', 'approve', 'slow']
]

const INSIDE_THEMES: readonly (readonly string[])[] = [
  ['agent', 'approve', 'die'],
  ['agent', 'call', 'slow', 'restart'],
  ['agent', 'flaky', 'refuse', 'lose', 'die'],
  ['agent', 'approve', 'cancel', 'retry'],
  ['agent', 'fail', 'limit', 'burst', 'small'],
  ['repeat', 'die', 'restart', 'fork'],
  ['repeat', 'fail', 'again', 'retry', 'cancel'],
  ['repeat', 'wait', 'refuse', 'lose', 'delay'],
  ['repeat', 'refer', 'each', 'fork', 'die'],
  ['collected', 'each', 'fail', 'keep', 'die'],
  ['collected', 'each', 'wait', 'restart', 'lose'],
  ['collected', 'each', 'call', 'fail', 'fork', 'cancel']
]

const LISTED_THEMES: readonly (readonly string[])[] = [
  ['listed', 'die', 'restart', 'lose'],
  ['listed', 'refuse', 'down', 'freeze'],
  ['listed', 'pause', 'publish', 'delete'],
  ['listed', 'tear', 'jump', 'limit']
]

type Kind = LifeEvent['kind']

/** After ten seconds others hold it to be dead. */
export const STANDSTILLS_MS = [1_500, 12_000, 20_000]

export function generateScenario(seed: number): Scenario {
  const random = seededRandom(seed)
  const theme = random.chance(0.6) ? random.pick(THEMES) : []
  const share = theme.length === 0 ? 0.35 : 0.2
  const chosen = new Set<string>([...theme, ...FEATURES.filter(() => random.chance(share))])
  if (random.fork('tear').chance(share)) chosen.add('tear')
  for (const later of LATER) if (random.fork(later).chance(share)) chosen.add(later)
  const besides = random.fork('later themes')
  if (besides.chance(0.15)) for (const feature of besides.pick(LATER_THEMES)) chosen.add(feature)
  const inside = random.fork('inside themes')
  if (inside.chance(0.35)) for (const feature of inside.pick(INSIDE_THEMES)) chosen.add(feature)
  const listed = random.fork('listed themes')
  if (listed.chance(0.1)) for (const feature of listed.pick(LISTED_THEMES)) chosen.add(feature)
  const has: Has = (feature) => chosen.has(feature)
  const contexts = has('contexts') ? 1 + random.below(2) : 0
  const flows = generateFlows(random.fork('flows'), has, contexts)
  return {
    seed,
    features: [...chosen],
    contexts,
    flows,
    events: generateEvents(random.fork('events'), has, { flows: flows.length, contexts }),
    answers: random.pick(['burst', 'each', 'late', 'slow']),
    disorder: random.pick([0, 0.3, 1]),
    costMs: random.pick([0, 0.01, 0.5]),
    sizes: has('small') ? smallSizes(random) : USUAL_SIZES,
    places: random.pick([2, 8, 256]),
    retentionMs: has('retention') ? random.pick([60_000, 600_000]) : null
  }
}

function smallSizes(random: SeededRandom): DispatchSizes {
  const page = { runs: 1 + random.below(3), bytes: 4_000 }
  return {
    windowRuns: 1 + random.below(4),
    windowBytes: random.pick([1_000, 1_000_000]),
    page,
    duePage: { runs: 1 + random.below(3), bytes: 4_000 },
    smallPage: { runs: 1, bytes: 4_000 },
    below: 1 + random.below(3)
  }
}

interface Counts {
  readonly flows: number
  readonly contexts: number
}

function generateEvents(random: SeededRandom, has: Has, counts: Counts): LifeEvent[] {
  const kinds = kindsOf(has)
  const length = 4 + random.below(has('burst') ? 30 : 16)
  let at = 0
  const events: LifeEvent[] = []
  for (let left = length; left > 0; left--) {
    // Most things come in the same instant as others: that is where faults hide.
    at += random.pick([
      0,
      0,
      0,
      0,
      1,
      5,
      20,
      200,
      2_000,
      has('delay') && !has('ticks') && !has('listed') ? 700_000 : 10_000
    ])
    events.push({ at, ...detailsOf(left === length ? 'webhook' : random.pick(kinds), random, has, counts) })
  }
  return events
}

function kindsOf(has: Has): Kind[] {
  const kinds: Kind[] = ['webhook', 'webhook', 'webhook', 'webhook', 'webhook', 'webhook']
  const add = (feature: string, ...more: Kind[]) => (has(feature) ? kinds.push(...more) : 0)
  add('wait', 'call', 'call')
  add('approve', 'answer')
  add('early', 'call', 'call')
  add('cancel', 'cancel', 'cancel')
  add('lineage', 'cancel', 'cancel')
  add('retry', 'retry', 'retry')
  add('replay', 'replay')
  add('delay', 'wake')
  add('pause', 'pause', 'resume')
  add('publish', 'publish')
  add('delete', 'delete', 'undelete', 'purge')
  add('contexts', 'leave-context', 'delete-context', 'delete-context')
  add('die', 'die')
  add('restart', 'restart', 'restart')
  add('refuse', 'refuse', 'full', 'shaky')
  add('down', 'down')
  add('lose', 'lose', 'lose')
  add('jump', 'jump')
  add('tear', 'tear', 'tear')
  add('shaky', 'shaky', 'shaky')
  add('tests', 'test', 'test')
  add('freeze', 'freeze')
  add('scheduled', 'wake', 'wake')
  add('collected', 'retry-items', 'retry-items')
  return kinds
}

type Details = LifeEvent extends infer E ? (E extends { at: number } ? Omit<E, 'at'> : never) : never

function detailsOf(kind: Kind, random: SeededRandom, has: Has, { flows, contexts }: Counts): Details {
  const share = random.next()
  const flow = random.below(flows)
  switch (kind) {
    case 'webhook':
      return {
        kind,
        flow: random.chance(0.5) ? flows - 1 : flow,
        value: random.below(VALUES),
        key: has('duplicates') && random.chance(0.5) ? 1 + random.below(3) : 0,
        bytes: has('large') && random.chance(0.3) ? 2_000 : 0
      }
    case 'call':
      return { kind, share, early: has('early') }
    case 'answer':
      return { kind, share, choice: random.pick(['Approve', 'Reject']) }
    case 'wake':
    case 'cancel':
    case 'retry':
    case 'retry-items':
    case 'replay':
      return { kind, share }
    case 'pause':
      return { kind, flow, mode: random.pick(['hold', 'refuse']) }
    case 'test':
      return { kind, flow, value: random.below(VALUES), length: random.below(4) }
    case 'resume':
    case 'publish':
    case 'delete':
    case 'undelete':
    case 'purge':
      return { kind, flow }
    case 'leave-context':
    case 'delete-context':
      return { kind, context: 1 + random.below(Math.max(1, contexts)) }
    case 'die':
    case 'restart':
      return { kind, steps: random.below(60) }
    case 'freeze':
      return { kind, ms: random.pick(STANDSTILLS_MS) }
    case 'lose':
      return {
        kind,
        writes: 1 + random.below(3),
        call: has('keep') ? 'kept.change' : random.pick(REPEATABLE)
      }
    case 'tear':
      return { kind, call: random.pick(TORN), steps: random.below(60) }
    case 'refuse':
      return { kind, writes: 1 + random.below(3), call: random.pick(REFUSED) }
    case 'full':
    case 'down':
      return { kind, ms: random.pick([1, 150, 3_000]) }
    case 'shaky':
      return { kind, ms: random.pick([150, 3_000, 10_000]) }
    case 'jump':
      return { kind, ms: random.pick([-3_600_000, -2_000, -50, 50, 2_000, 3_600_000]) }
  }
}
