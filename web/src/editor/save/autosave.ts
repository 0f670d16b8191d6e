import type { Flow } from '../graph/flow.ts'
import type { NewIds } from '../graph/rename-ids.ts'
import type { SavedFlow } from '../graph/saved-flow.ts'
import type { Choice } from '../merge/conflict.ts'
import { failedSave, type ProblemAnswer } from './save-answer.ts'
import {
  type SaveEffect,
  type SaveEvent,
  type SaveStep,
  startSaving,
  stepSaving,
  wakeAt
} from './save-machine.ts'
import type { SaveState, Unsaved } from './save-state.ts'

export interface SaveClock {
  now(): number
  startTimer(ms: number, then: () => void): { stop(): void }
}

interface AutosaveDeps {
  readonly live: SavedFlow
  /** What was left in the browser when the flow was last open here. */
  readonly left?: Unsaved
  /** Rejects with whatever `problemOf` reads. */
  save(flow: Pick<SavedFlow, 'document'>): Promise<SavedFlow>
  read(): Promise<SavedFlow>
  problemOf(thrown: unknown): ProblemAnswer
  readonly clock: SaveClock
  onChange(state: SaveState): void
  /** The canvas has to show this flow; it is not an edit by the person at the screen. */
  onAdopt(flow: Flow, renamed: NewIds): void
}

export interface Autosave {
  readonly state: SaveState
  edit(flow: Flow): void
  /** The service tells that this edition exists. */
  announce(edition: number): void
  choose(conflict: string, choice: Choice): void
  /** The network is back. */
  reconnect(): void
  /** Saves now. */
  flush(): void
  /** Nothing is sent any more. What is on its way may still arrive, and nobody is told. */
  stop(): void
}

type NoTime<T> = T extends unknown ? Omit<T, 'at'> : never
type Happening = NoTime<SaveEvent>

/** Does what the rules of saving decide: sends, reads, waits. */
export function createAutosave(deps: AutosaveDeps): Autosave {
  const { clock } = deps
  let state!: SaveState
  let timer: { stop(): void } | undefined
  let isStopped = false
  take(startSaving(deps.live, deps.left, clock.now()))

  return {
    get state() {
      return state
    },
    edit: (flow) => happen({ kind: 'edited', flow }),
    announce: (edition) => happen({ kind: 'announced', edition }),
    choose: (conflict, choice) => happen({ kind: 'chose', conflict, choice }),
    reconnect: () => happen({ kind: 'online' }),
    flush: () => happen({ kind: 'flush' }),
    stop: () => {
      isStopped = true
      timer?.stop()
    }
  }

  function happen(event: Happening): void {
    if (!isStopped) take(stepSaving(state, { ...event, at: clock.now() } as SaveEvent))
  }

  function take(step: SaveStep): void {
    state = step.state
    waitFor(wakeAt(state))
    // First what the canvas shows, then what is told about it; requests go out last.
    for (const effect of step.effects) if (effect.kind === 'adopt') deps.onAdopt(effect.flow, effect.renamed)
    deps.onChange(state)
    for (const effect of step.effects) if (effect.kind !== 'adopt') void request(effect)
  }

  function waitFor(at: number | undefined): void {
    timer?.stop()
    timer =
      at === undefined
        ? undefined
        : clock.startTimer(Math.max(0, at - clock.now()), () => happen({ kind: 'woke' }))
  }

  async function request(effect: Exclude<SaveEffect, { kind: 'adopt' }>): Promise<void> {
    happen(await answerTo(effect))
  }

  async function answerTo(effect: Exclude<SaveEffect, { kind: 'adopt' }>): Promise<Happening> {
    try {
      return effect.kind === 'save'
        ? { kind: 'saved', saved: await deps.save(effect) }
        : { kind: 'read', live: await deps.read() }
    } catch (thrown) {
      return failedSave(deps.problemOf(thrown))
    }
  }
}
