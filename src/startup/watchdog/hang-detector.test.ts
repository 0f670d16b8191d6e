import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HangDetector, type Seen, type Verdict } from './hang-detector.cjs'

const LIMITS = { hangMs: 8_000, stopMs: 9_500, mostBetweenLooksMs: 3_000 }
const LOOK_MS = 500

/** What the watched thread is like for a while. */
interface Stretch extends Partial<Omit<Seen, 'at'>> {
  readonly lasts: number
  /** How much of the time it computes, and how much it is kept from it by others. */
  readonly uses?: number
  readonly queues?: number
  /** Otherwise it says twice a second that it lives. */
  readonly isStill?: boolean
  readonly looksEvery?: number
}

/** The verdicts of all looks in a row, each with the time at which it was reached first. */
function verdictsOn(stretches: readonly Stretch[], limits = LIMITS): [Verdict, number][] {
  let [at, beats, usedMs, queuedMs] = [0, 0, 0, 0]
  const detector = new HangDetector(limits, () => ({ usedMs, queuedMs }))
  const verdicts: [Verdict, number][] = []
  for (const { lasts, uses = 0, queues = 0, isStill = false, looksEvery = LOOK_MS, ...given } of stretches) {
    for (const end = at + lasts; at < end; ) {
      at += looksEvery
      usedMs += uses * looksEvery
      queuedMs += queues * looksEvery
      if (!isStill) beats += 1
      const flags = { isComputingStep: false, isReady: true, isStopping: false, isDebugged: false, ...given }
      const verdict = detector.look({ at, beats, ...flags })
      if (verdicts.at(-1)?.[0] !== verdict) verdicts.push([verdict, at])
    }
  }
  return verdicts
}

function lives(stretches: readonly Stretch[], limits = LIMITS): void {
  const verdicts = verdictsOn(stretches, limits).map(([verdict]) => verdict)
  assert.ok(!verdicts.includes('hangs') && !verdicts.includes('stops too slowly'), verdicts.join(', '))
}

const atWork: Stretch = { lasts: 5_000, uses: 1 }
const loop: Stretch = { lasts: 60_000, uses: 1, isStill: true }

describe('a thread that does not answer', () => {
  it('hangs when a step computes for as long as the limit, which is prepared for', () => {
    assert.deepEqual(verdictsOn([atWork, { ...loop, lasts: 8_000, isComputingStep: true }]), [
      ['lives', 500],
      ['may hang', 9_000],
      ['hangs', 13_000]
    ])
  })

  const hanging: Record<string, Stretch> = {
    'something else computes': loop,
    'a step waits without giving the thread back': { ...loop, uses: 0, isComputingStep: true },
    'a step computes, with a fifth of a processor': {
      ...loop,
      uses: 0.2,
      queues: 0.8,
      isComputingStep: true
    },
    'a step computes before the service is ready': { ...loop, isReady: false, isComputingStep: true }
  }
  for (const [name, stretch] of Object.entries(hanging)) {
    it(`hangs when ${name}`, () => {
      assert.deepEqual(verdictsOn([atWork, stretch]).at(-1), ['hangs', 13_000])
    })
  }

  it('hangs no later for looks that are late', () => {
    const late = { ...loop, isComputingStep: true, looksEvery: 2_000 }
    assert.deepEqual(verdictsOn([atWork, late]).at(-1), ['hangs', 13_000])
  })

  it('is given more time by a machine that is busy with others, and not for ever', () => {
    const starved = { ...loop, uses: 0.1, queues: 0.9, isComputingStep: true }
    assert.deepEqual(verdictsOn([atWork, starved]).at(-1), ['hangs', 17_000])
  })

  it('hangs no later for a time that does not count, in which others had the processor', () => {
    const step = { ...loop, isComputingStep: true }
    const starved = { ...step, lasts: 20_000, uses: 0.1, queues: 0.9, looksEvery: 20_000 }
    assert.deepEqual(verdictsOn([atWork, { ...step, lasts: 4_000 }, starved, step]).at(-1), ['hangs', 33_000])
  })

  const living: Record<string, readonly Stretch[]> = {
    'it computes all the time, and comes back in between': [
      { ...atWork, isComputingStep: true, lasts: 60_000 }
    ],
    'it comes back just before the limit': [{ ...loop, lasts: 7_500, isComputingStep: true }, atWork],
    'it waits for the disk': [{ ...loop, uses: 0 }],
    'it pauses much between little computing, as on a machine that swaps': [{ ...loop, uses: 0.04 }],
    'a start takes long': [{ ...loop, isReady: false }],
    'a debugger holds it in a step': [atWork, { ...loop, isComputingStep: true, isDebugged: true }],
    'a debugger held it, and was taken off': [
      { ...loop, isComputingStep: true, isDebugged: true },
      { ...loop, isComputingStep: true, lasts: 7_000 },
      atWork
    ],
    'the machine slept, or the whole process was stopped': [
      { ...atWork, isComputingStep: true },
      { lasts: 3_600_000, looksEvery: 3_600_000, isStill: true, isComputingStep: true },
      { ...loop, isComputingStep: true, lasts: 6_500 },
      atWork
    ],
    'it is suspended again and again': [
      { lasts: 600_000, looksEvery: 10_000, isStill: true, isComputingStep: true },
      { ...loop, isComputingStep: true, lasts: 7_500 },
      atWork
    ]
  }
  for (const [name, stretches] of Object.entries(living)) {
    it(`lives when ${name}`, () => lives(stretches))
  }

  it('lives whatever it does where there is no limit', () => {
    lives([{ ...loop, isComputingStep: true }], { ...LIMITS, hangMs: 0 })
  })
})

describe('a stop', () => {
  const stopping: Stretch = { ...atWork, lasts: 60_000, isStopping: true }

  it('is given up when it takes too long, also where nothing else is limited', () => {
    for (const hangMs of [LIMITS.hangMs, 0])
      assert.deepEqual(verdictsOn([atWork, stopping], { ...LIMITS, hangMs }).at(-1), [
        'stops too slowly',
        14_500
      ])
  })

  it('that a debugger holds may take any time, and so may one of a machine that sleeps', () => {
    lives([{ ...stopping, isDebugged: true }])
    lives([{ ...stopping, looksEvery: 3_600_000, lasts: 9 * 3_600_000 }])
  })
})
