import type { JsonValue } from '../json/exact-json.ts'
import type { StepCalls } from './step-calls.ts'
import type { StepWait } from './step-wait.ts'

/** How a child run ended. */
export interface ChildResult {
  readonly index: number
  readonly runId: string
  readonly status: 'succeeded' | 'failed' | 'cancelled'
  /** What an item gave, or a flow gave back; undefined where it gave nothing. */
  readonly output: unknown
  readonly error: { readonly code: string; readonly message: string } | null
  /** In milliseconds of the wall clock. */
  readonly endedAt: number
}

/** What is known of a flow that may be called. */
export interface FlowFacts {
  readonly slug: string
  readonly name: string
  readonly description: string
  /** JSON Schema of what it is started with, as of an object; null where it takes anything. */
  readonly input: Readonly<Record<string, JsonValue>> | null
}

/** The context that a called flow runs in: its own unless something is said. */
export type FlowPlace = 'own' | 'caller'

export interface ItemRules {
  /** So many items are worked on at the same time. */
  readonly atOnce: number
  /** Once one has failed no further one begins, and the wait is over. */
  readonly stopsOnFailure: boolean
}

/**
 * `none`: nothing stands inside, so there is nothing to run. `started`: the step is to wait for them. `ended`: nothing inside reaches
 * outside, and all of them have been executed, or with `stopsOnFailure` all up to the first that failed; there is nothing to wait for.
 */
export type StartedItems = 'none' | 'started' | 'ended'

/** A round of what stands inside a node. */
export interface Round {
  readonly index: number
  readonly status: 'open' | ChildResult['status']
  /** What it began with, and what it gave; undefined where it gave nothing, or goes on. */
  readonly given: unknown
  readonly output: unknown
  readonly error: ChildResult['error']
  readonly endedAt: number
}

/**
 * Runs that a step starts: of what stands inside its node, or of another flow. They are runs of their own, listed below this
 * one and cancelled with it. After a restart, and in a retry, those that are there are not started again; a retry goes on with
 * the ones that failed.
 */
export interface ChildRuns {
  /** One for each item, with its inside. */
  startItems(items: readonly unknown[], rules: ItemRules): Promise<StartedItems>
  /**
   * One of another flow, by id or slug, which the context that this one lives in must see. In the caller's place it finds what this run
   * finds: connections, variables, components. Resolves to its id.
   */
  startFlow(flow: string, input: unknown, isAwaited: boolean, place?: FlowPlace): Promise<string>
  /** Another flow, by id or slug, which the context that this one lives in must see. */
  aboutFlow(flow: string): FlowFacts
  /**
   * Where nothing inside reaches outside, runs rounds one after the other, each with what `next` says, which is asked after each;
   * undefined ends them. Elsewhere it runs none. In a retry the round that failed goes on. Then `lastRound` tells.
   */
  runRounds(first: unknown, next: (round: Round) => { readonly data: unknown } | undefined): Promise<void>
  /** What it asks of tools that are wired to it; for agents. */
  readonly calls: StepCalls
  /** The last round that there is; undefined before the first. */
  lastRound(): Promise<Round | undefined>
  /** One round, with its inside; one that is there is the one. The step is to wait for it. */
  startRound(index: number, data: unknown): Promise<void>
  /** To be returned: the step waits until they have ended. */
  wait(): StepWait
  /** How they ended, in the order of their index. `givenTo` is what each was started with. */
  results(givenTo: (index: number) => unknown): AsyncIterable<ChildResult>
  /** Those that are left are cancelled. */
  drop(): Promise<void>
}
