import type { Static } from 'typebox'
import type { FlowDocument } from '../../../src/flows/document/flow-document.ts'
import type { JsonValue } from '../../../src/flows/json/exact-json.ts'
import type { Conversation } from '../../../src/runs/present/conversation-shape.ts'
import type {
  Attempt as AttemptSchema,
  RequestFacts as RequestFactsSchema,
  RunMark as RunMarkSchema,
  RunMessage as RunMessageSchema,
  RunSummary as RunSummarySchema,
  RunWait as RunWaitSchema,
  Step as StepSchema,
  Usage as UsageSchema,
  WholeRun as WholeRunSchema
} from '../../../src/runs/present/run-shape.ts'
import type { RunStatus } from '../../../src/runs/present/run-status.ts'
import type { ProblemFault } from './problem.ts'

/** What the API answers, in the page's words. Types only: the service's own schemas say what they are. */

export type { FlowDocument, FlowEdge, FlowNode } from '../../../src/flows/document/flow-document.ts'
export type { Right } from '../../../src/keys/rights.ts'
export type { RunStatus } from '../../../src/runs/present/run-status.ts'

export type RunSummary = Omit<Static<typeof RunSummarySchema>, 'status'> & { readonly status: RunStatus }

export type Step = Omit<Static<typeof StepSchema>, 'outputs'> & {
  readonly outputs: Readonly<Record<string, JsonValue>> | null
}

/** A question of an agent to its model, with what that said and called. */
export type AgentTurn = Conversation['turns'][number]
export type ToolCall = AgentTurn['calls'][number]

export type Attempt = Static<typeof AttemptSchema>
export type RequestFacts = Static<typeof RequestFactsSchema>
export type RunMessage = Static<typeof RunMessageSchema>

export type Run = RunSummary &
  Omit<Static<typeof WholeRunSchema>, 'input' | 'steps' | 'output'> & {
    readonly input: JsonValue
    readonly steps: readonly Step[]
    readonly output: JsonValue
  }

export type RunWait = Static<typeof RunWaitSchema>

/** Tokens of language models. */
export type TokenUsage = Static<typeof UsageSchema>

/** A run in the strip of a flow. */
export type RecentRun = Static<typeof RunMarkSchema>

export type Flow = FlowDocument & {
  readonly id: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
  readonly paused?: Pause | null
  /** Former slugs that it still answers to. */
  readonly aliases?: readonly string[]
  /** A folder that the service follows keeps it: it is changed there. */
  readonly from_file?: boolean
}

/** While a flow is paused, what arrives is held or refused. */
export interface Pause {
  readonly mode: 'hold' | 'refuse'
  readonly since: string
  readonly by: string
}

export type ListedFlow = Flow & {
  readonly recent_runs?: readonly RecentRun[]
  /** What is not published of it. */
  readonly draft?: {
    readonly revision: number
    readonly author: string | null
    readonly updated_at: string
    /** How many keep it from being published. */
    readonly faults: number
  } | null
  readonly warnings?: readonly ProblemFault[]
  /** Those that could not be started, and are tried again. */
  readonly failing_triggers?: readonly {
    readonly node: string
    readonly message: string
    readonly at: string
  }[]
}

export type DeletedFlow = Flow & {
  readonly deleted_at: string
  readonly deleted_by: string | null
  /** Then it goes for good. */
  readonly deleted_until: string
}
