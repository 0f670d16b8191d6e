import type { Change } from '../../store/store.ts'

export type Listener = (change: Change) => void

/** Tells whoever listens to a flow, or to all, of changes: each once, after it is durable, in order of numbers. */
export interface RunNews {
  /** So that a change nobody listens to need not be put together. */
  hasListeners(flowId: string): boolean
  publish(change: Change): void
  /** To one flow, or to all (null). Returns what ends the subscription. */
  subscribe(flowId: string | null, listener: Listener): () => void
}
