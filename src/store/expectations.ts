/** What a flow is expected to do with something that came once. */
export interface StoredExpectation {
  readonly flowId: string
  readonly id: string
  readonly name: string
  /** The run that it was kept of. It may be gone meanwhile. */
  readonly runId: string
  /** The name of the key that kept it. */
  readonly author: string | null
  readonly createdAt: number
  /** The run as it was, with what is expected, as JSON text. */
  readonly recording: string
}

/**
 * Expectations stand beside a flow and are no part of its versions and of its draft. Deleting the flow leaves them where they are, out of
 * reach, and with the flow they are there again.
 */
export interface ExpectationStore {
  /** The oldest first. */
  ofFlow(flowId: string): Promise<StoredExpectation[]>
  /** 'gone' where the flow is not live; 'full' where it has as many already. */
  add(expectation: StoredExpectation, most: number): Promise<'added' | 'gone' | 'full'>
  /** False where there is none. */
  remove(flowId: string, id: string): Promise<boolean>
}
