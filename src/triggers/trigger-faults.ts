import type { StoredTrigger, TriggerFault, TriggerStore } from '../store/triggers.ts'

interface TriggerFaultsDeps {
  readonly store: Pick<TriggerStore, 'setFault'>
  readonly onError: (error: unknown, doing: string) => void
}

/** Which triggers do not work, kept in the store: whoever asks may ask another process than the one that has them. */
export class TriggerFaults {
  readonly #deps: TriggerFaultsDeps
  /** Flow and node of those that do not. */
  #known = new Set<string>()
  #last: Promise<void> = Promise.resolve()

  constructor(deps: TriggerFaultsDeps) {
    this.#deps = deps
  }

  recall(stored: readonly StoredTrigger[]): void {
    this.#known = new Set(stored.filter(({ fault }) => fault !== null).map(keyOf))
  }

  readonly keep = (flowId: string, node: string, fault: TriggerFault | null): void => {
    const key = keyOf({ flowId, node })
    if (fault === null && !this.#known.delete(key)) return
    if (fault !== null) this.#known.add(key)
    const { store, onError } = this.#deps
    // In order: that it works again must not be overtaken by why it did not.
    this.#last = this.#last
      .then(() => store.setFault(flowId, node, fault))
      .catch((error) => onError(error, 'noting how a trigger is'))
  }

  settled(): Promise<void> {
    return this.#last
  }
}

function keyOf({ flowId, node }: Pick<StoredTrigger, 'flowId' | 'node'>): string {
  return `${flowId}\n${node}`
}
