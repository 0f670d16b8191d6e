export interface NodeOptions {
  readonly fields?: object
  readonly parent?: string
  readonly disabled?: true
}

/** A node of a flow of the drill. Nobody looks at it, so it stands anywhere. */
export function node(id: string, type: string, options: NodeOptions = {}) {
  return { id, type, position: { x: 0, y: 0 }, ...options }
}

export function edge(from: string, to: string) {
  return { from, to }
}

/** What a run of the flow has to have started in the end. */
export interface ExpectedChild {
  /** Where it reaches outside, in the order in which it does. */
  readonly effects: readonly string[]
  readonly status: 'succeeded' | 'failed' | 'cancelled'
}
