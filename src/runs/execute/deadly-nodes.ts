import type { Clock } from '../../clock.ts'
import type { Death } from '../../store/hung-steps.ts'
import type { ExecutableRun, RunStore } from '../../store/store.ts'

/** By node. */
export type DeadlyOfVersion = ReadonlyMap<string, Death>

interface DeadlyNodesDeps {
  readonly store: Pick<RunStore, 'deadlyNodes' | 'noteCrash'>
  readonly clock: Pick<Clock, 'now' | 'stopwatch'>
  /** Whether there are other processes, which may learn of one. */
  readonly isShared: boolean
  readonly onError: (error: unknown, doing: string) => void
}

/** What other processes learn is known here for so long. */
const KNOWN_FOR_MS = 5_000

/**
 * Nodes that took the process along with more than one run. A run by itself fails after it has killed twice or more, which is no help
 * while each further request brings a run that does the same. So no run of that version begins such a node any more; a new version
 * begins anew, and so does a run that somebody retries.
 */
export class DeadlyNodes {
  readonly #deps: DeadlyNodesDeps
  #byVersion: ReadonlyMap<string, DeadlyOfVersion> = new Map()
  #readAt = Number.NEGATIVE_INFINITY

  constructor(deps: DeadlyNodesDeps) {
    this.#deps = deps
  }

  async read(): Promise<void> {
    this.#readAt = this.#deps.clock.stopwatch()
    const byVersion = new Map<string, Map<string, Death>>()
    for (const { flowId, flowVersion, node, death } of await this.#deps.store.deadlyNodes()) {
      const key = keyOf({ flowId, flowVersion })
      byVersion.set(key, (byVersion.get(key) ?? new Map<string, Death>()).set(node, death))
    }
    this.#byVersion = byVersion
  }

  /** Somebody opens a run again: what it was blamed for is forgotten. */
  changed(): void {
    if (this.#byVersion.size > 0) void this.#readIfThere()
  }

  /** To be waited for where somebody may know more by now. Hot, as the next one: asked for every run. */
  known(): Promise<void> | undefined {
    const { isShared, clock } = this.#deps
    return isShared && clock.stopwatch() - this.#readAt > KNOWN_FOR_MS ? this.#readIfThere() : undefined
  }

  of(run: Pick<ExecutableRun, 'flowId' | 'flowVersion' | 'isTest'>): DeadlyOfVersion | undefined {
    if (this.#byVersion.size === 0 || run.isTest === true) return undefined
    return this.#byVersion.get(keyOf(run))
  }

  /** The process has died of these steps of the run. */
  note({ seq }: Pick<ExecutableRun, 'seq'>, nodes: readonly string[]): void {
    const { store, clock, onError } = this.#deps
    const notes = nodes.map((node) => store.noteCrash({ seq, node }, clock.now()))
    Promise.all(notes)
      .then(() => this.read())
      .catch((error) => onError(error, 'noting a step that ends the process'))
  }

  /** A store that is away keeps nobody from going on. */
  #readIfThere(): Promise<void> {
    return this.read().catch((error) => this.#deps.onError(error, 'reading which steps end the process'))
  }
}

function keyOf({ flowId, flowVersion }: Pick<ExecutableRun, 'flowId' | 'flowVersion'>): string {
  return `${flowVersion} ${flowId}`
}
