/** What stands for the outputs of a node when its flow is tried out. */
export interface StoredPin {
  readonly flowId: string
  readonly node: string
  /** By output, as JSON text. An output that is not there is silent. */
  readonly outputs: string
  /** Tells the settings that the node had: with others, it might put out something else. */
  readonly madeOf: string
  /** The name of the key that pinned it. */
  readonly author: string | null
  readonly updatedAt: number
}

/**
 * Pins stand beside a flow and are no part of its versions and of its draft. Deleting the flow leaves them where they are,
 * out of reach, and with the flow they are there again.
 */
export interface PinStore {
  /** In the order of their nodes. */
  ofFlow(flowId: string): Promise<StoredPin[]>
  /** In the place of the pin that the node had. False where the flow is not live. */
  put(pin: StoredPin): Promise<boolean>
  /** Of these nodes; resolves to how many went. */
  remove(flowId: string, nodes: readonly string[]): Promise<number>
}
