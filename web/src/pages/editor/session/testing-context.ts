import { createContext, useContext } from 'react'
import type { Api } from '../../../api/client.ts'
import type { Problem } from '../../../api/problem.ts'
import type { TestStart } from '../../../api/tests.ts'
import type { EditorSession } from './editor-session.ts'
import type { Saving } from './saving-context.ts'

/** Trying out what is drawn. */
export interface Testing {
  readonly isBusy: boolean
  /** Why what is drawn could not be tested. */
  readonly refusal: Problem | undefined
  /** The run of the test that was begun last. */
  readonly begun: string | undefined
  /** What was refused has been seen. */
  forget(): void
  /** With this, or else as it was tried last; of a node, only that and what leads to it. Tells the run that came of it. */
  test(start?: Omit<TestStart, 'node'>, upTo?: string): Promise<string | undefined>
  /** The node that the test is to end at whose payload is being written. */
  readonly upTo: string | undefined
  openPayload(): void
  readonly listening: Listening
}

export interface TestParts {
  readonly api: Api
  readonly session: EditorSession
  readonly saving: Saving
}

export interface WantedTest {
  /** Undefined: as it was tried last. */
  readonly start: TestStart | undefined
  /** The node that it ends at; undefined: all is run. */
  readonly upTo: string | undefined
}

/** Why what is drawn was not tested. */
export interface NotTested {
  readonly problem: Problem
}

/** The run; or undefined where nobody has said yet what it is to begin with. */
export type BeginTest = (parts: TestParts, wanted: WantedTest) => Promise<string | NotTested | undefined>

export interface Listening {
  readonly isArmed: boolean
  /** Where requests try what is drawn, live or not; undefined while nobody listens, and where the key may not write. */
  readonly address: string | undefined
  /** The run of the request that landed. */
  readonly landed: string | undefined
  listen(): Promise<void>
  /** Stops listening, or puts away what landed. */
  stop(): void
}

export const TestingContext = createContext<Testing | undefined>(undefined)

export function useTesting(): Testing {
  const testing = useContext(TestingContext)
  if (testing === undefined) throw new Error('useTesting is used outside of <TestingContext>')
  return testing
}
