/** What is known of an expectation without what it holds a flow against. */
export interface ExpectationFacts {
  readonly flowId: string
  readonly id: string
  readonly name: string
  /** The run that it was kept of. It may be gone meanwhile. */
  readonly runId: string
  /** The name of the key that kept it. */
  readonly author: string | null
  readonly createdAt: number
  /** What is expected: what the run did, or what the draft did with the same. */
  readonly of: 'then' | 'now'
}

/** What a flow is expected to do with something that came once. */
export interface StoredExpectation extends ExpectationFacts {
  /** The run as it was, with what is expected, as JSON text. */
  readonly recording: string
}

/**
 * Expectations stand beside a flow and are no part of its versions and of its draft. Deleting the flow leaves them where they are, out of
 * reach, and with the flow they are there again.
 */
export interface ExpectationStore {
  /** The oldest first. Recordings are read one by one: together they may have 50 MB. */
  ofFlow(flowId: string): Promise<ExpectationFacts[]>
  read(flowId: string, id: string): Promise<StoredExpectation | undefined>
  /** 'gone' where the flow is not live; 'full' where it has as many already. */
  add(expectation: StoredExpectation, most: number): Promise<'added' | 'gone' | 'full'>
  /** False where there is none. */
  remove(flowId: string, id: string): Promise<boolean>
}
