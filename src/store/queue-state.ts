/**
 * Where an open run is, by the same names in both stores, in their tables and in the simulation:
 *
 * - queued: it is to begin or to go on. The embedded store calls it so also while it is executed: only its process knows that.
 * - claimed: a process executes it, or has taken it up to do so. Known where processes share the store.
 * - parked: in the store alone until it is due, which something may make it before its time. `NEVER` is due when it is woken.
 * - paused: it has not begun, and does not while its flow is paused.
 * - in line: a child that has its turn, to begin or to go on, when another one has ended.
 *
 * The first two are the backlog; the others cost no memory.
 */
export const QUEUE_STATES = ['queued', 'claimed', 'parked', 'paused', 'in line'] as const

export type QueueState = (typeof QUEUE_STATES)[number]

/** Where a run is, with what is known of it there and nowhere else. */
export type QueuePlace =
  | { readonly state: 'queued' }
  | { readonly state: 'claimed' }
  | { readonly state: 'paused' }
  /** `isWaiting`: a step of it waits, so it does not only pause between two attempts. */
  | { readonly state: 'parked'; readonly dueAt: number; readonly isWaiting: boolean }
  /** `beginsPaused`: it does when it has its turn, also while its flow is paused. */
  | { readonly state: 'in line'; readonly beginsPaused: boolean }

/** Before it was accepted, and after its end. */
export type RunPlace = 'none' | QueueState | 'ended'

type Transitions = Readonly<Partial<Record<RunPlace, readonly RunPlace[]>>>

/**
 * Every transition that there is, by what makes it. An operation that finds a run in a place that is not named here refuses, or leaves
 * it where it is. Where several places may follow, its comment says which.
 */
export const TRANSITIONS = {
  /** Paused where its flow is, unless it is to begin all the same. */
  accept: { none: ['queued', 'paused'] },
  /** As `accept`. In line where as many of its siblings go on as may at the same time. */
  startChildren: { none: ['queued', 'paused', 'in line'] },
  startDetached: { none: ['queued', 'paused'] },
  /** It was executed where its parent is. */
  recordChildren: { none: ['ended'] },

  /** Of a parked run, when it is due. */
  claim: { queued: ['claimed'], parked: ['claimed'] },
  /** By whoever has it, or because they are dead. One that was parked before is queued then: what it waits for may have come. */
  giveBack: { claimed: ['queued'] },

  /**
   * As `openWait`. One that had begun before its flow was paused, and had not said so, is paused in the embedded store alone: it goes on.
   * Whoever shares a store has claimed it, and it is never paused.
   */
  checkpoint: { queued: ['queued'], claimed: ['claimed'], parked: ['parked'], paused: ['queued'] },
  /** Due at once where a wait of it has ended, or where it is orphaned. */
  park: { queued: ['parked'], claimed: ['parked'], parked: ['parked'], paused: ['parked'] },
  /** A parked run is due: by a call, an answer, or the end of the last child that it waits for. For others it is kept until they wait. */
  wake: {
    queued: ['queued'],
    claimed: ['claimed'],
    parked: ['parked'],
    paused: ['paused'],
    'in line': ['in line']
  },
  takeDue: { parked: ['queued'] },

  /** Those that have begun go on, and so do those that a run of the same flow waits for: they are parts of it. */
  pause: { queued: ['queued', 'paused'] },
  resume: { paused: ['queued'] },

  /** The end of a sibling. Due at once; or paused, where its flow is and it is not to begin all the same. */
  giveTurn: { 'in line': ['parked', 'paused'] },
  /** Nobody waits for it any more, or one above it was cancelled. It is due at once: whoever takes it up finds it orphaned. */
  release: { parked: ['parked'], paused: ['parked'], 'in line': ['parked'] },

  end: {
    queued: ['ended'],
    claimed: ['ended'],
    parked: ['ended'],
    paused: ['ended'],
    'in line': ['ended']
  },
  /** Not one that has succeeded. It has begun before, and so it is not paused. */
  reopen: { ended: ['queued'] },
  /** In line, and where there is room it has its turn at once. */
  reopenChildren: { ended: ['in line', 'parked'] }
} as const satisfies Readonly<Record<string, Transitions>>

export type QueueOperation = keyof typeof TRANSITIONS

/** Where a run may be when the operation is done to it. */
export function placesBefore(operation: QueueOperation): readonly RunPlace[] {
  return Object.keys(TRANSITIONS[operation]) as RunPlace[]
}

export function mayFollow(operation: QueueOperation, from: RunPlace): readonly RunPlace[] {
  return (TRANSITIONS[operation] as Transitions)[from] ?? []
}

/** Whether one operation or another leads a run from here to there. */
export function mayBecome(from: RunPlace, to: RunPlace): boolean {
  const operations = Object.keys(TRANSITIONS) as QueueOperation[]
  return operations.some((operation) => mayFollow(operation, from).includes(to))
}

/** It is left to do, and counts as backlog. */
export function isBacklog(state: QueueState): boolean {
  return state === 'queued' || state === 'claimed'
}
