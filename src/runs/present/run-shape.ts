import type { Static } from 'typebox'
import { amount, count, numbered } from '../../flows/json/bounded-numbers.ts'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { JsonBytes } from '../../flows/json/json-bytes.ts'
import type { LongValue } from '../../flows/json/long-value.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { LOG_LEVELS } from '../../flows/step/step-log.ts'
import { RUN_STATUSES } from './run-status.ts'

/*
 * A run as the API shows it. The schemas are what OpenAPI tells, what answers are written by, and what the types of the
 * service and of the page are inferred from: a member that is computed is added here, and where it is computed.
 */

/** Lines that a step left. */
export const StepLogs = Type.Array(Type.Object({ level: Type.Enum([...LOG_LEVELS]), text: Type.String() }), {
  description: 'What its last attempt wrote for people, such as by console.log; absent where there is nothing'
})

export const Step = Type.Object({
  node: Type.String(),
  type: Type.String(),
  status: Type.String(),
  attempts: count(),
  started_at: Nullable(Time),
  duration_ms: Nullable(amount()),
  outputs: Nullable(Type.Record(Type.String(), Type.Unknown())),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  logs: Type.Optional(StepLogs),
  pinned: Type.Optional(Type.Literal(true, { description: 'A test did not run it: its outputs were pinned' }))
})

export const RunSummary = Type.Object({
  id: Type.String(),
  flow_id: Type.String(),
  flow_version: numbered(),
  trigger: Type.String(),
  session: Type.String(),
  status: Type.Enum(RUN_STATUSES),
  held: Type.Optional(Type.Literal(true, { description: 'It waits for its flow to be resumed' })),
  created_at: Time,
  started_at: Nullable(Time),
  finished_at: Nullable(Time),
  replay_of: Nullable(Type.String()),
  context: Type.Optional(
    Type.String({ description: "The context that it runs in, where that is its caller's and not its flow's" })
  ),
  parent: Nullable(
    Type.Object(
      { run_id: Type.String(), node: Type.String(), index: count() },
      { description: 'The run that started this one, and from which of its nodes; null where none did' }
    )
  ),
  test: Type.Boolean({
    description:
      'It tried a draft out: flow_version is the one that the draft was based on, and no stats count it'
  }),
  error: Nullable(
    Type.Object({ node: Nullable(Type.String()), code: Type.String(), message: Type.String() })
  ),
  summary: Type.String({
    description:
      'One line of its input, such as "order_id: 7 · customer: Ann"; empty where the input says nothing'
  })
})

/** What came with the request that started a run, besides its payload. */
export const RequestFacts = Type.Object({
  method: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  query: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())])),
  address: Type.String()
})

/** One attempt of a step that reaches outside. */
export const Attempt = Type.Object({
  node: Type.String(),
  attempt: count(),
  started_at: Nullable(Time),
  ended_at: Nullable(Time),
  retry_at: Nullable(Type.String({ format: 'date-time', description: 'When the step is tried again' })),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() }))
})

export const RunMessage = Type.Object({
  id: Type.String(),
  node: Type.String(),
  session: Type.String(),
  sender: Type.String(),
  text: Type.String(),
  created_at: Time
})

/** Tokens of language models, all steps of a run together; null where none was asked. */
export const Usage = Type.Object({
  input_tokens: amount(),
  cached_tokens: amount({ description: 'Of these, read from the cache of the provider' }),
  output_tokens: amount(),
  total_tokens: amount()
})

/** What a step answered to who called the flow; a run has one at most. */
const RunAnswer = Type.Object(
  {
    node: Type.String(),
    status: count(),
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.String({ description: 'Of bytes that were given as base64, that' }),
    file: Type.Unknown({ description: 'The file whose bytes are the body, in place of the text; else null' }),
    at: Time
  },
  { description: 'What its Respond answered: to who called the flow, where its Webhook waits for that' }
)

/** What a run waits for. */
export const RunWait = Type.Object({
  node: Type.String(),
  kind: Type.Enum(['time', 'call', 'answer', 'children', 'retry'], {
    description: 'time: a Delay; call; answer; children: runs that it started; retry: its next attempt'
  }),
  since: Nullable(Time),
  until: Nullable(Time),
  question: Type.Optional(Type.String()),
  choices: Type.Optional(Type.Array(Type.String())),
  approval_id: Type.Optional(Type.String()),
  resume_url: Type.Optional(
    Type.String({ description: 'Where the call is taken; for keys with the right trigger' })
  ),
  approve_url: Type.Optional(
    Type.String({ description: 'Where people without a key answer; for keys with the right trigger' })
  )
})

/** What a run has besides its summary. */
export const WholeRun = Type.Object({
  input: Type.Unknown(),
  steps: Type.Array(Step),
  request: Nullable(RequestFacts),
  attempts: Type.Array(Attempt),
  messages: Type.Array(RunMessage),
  waiting: Type.Array(RunWait, { description: 'What it waits for' }),
  output: Type.Unknown({ description: 'What its Return got, else null' }),
  answer: Nullable(RunAnswer),
  usage: Nullable(Usage),
  cost: Nullable(
    amount({
      description:
        'What models have cost, in the currency of the prices: of a run that no other one started with all below it, else of its own steps. Null where none was asked, or one has no price'
    })
  )
})

export const Run = Type.Intersect([RunSummary, WholeRun])

/** A run as a mark in a row of them. */
export const RunMark = Type.Object({
  id: Type.String(),
  status: Type.Enum(RUN_STATUSES),
  created_at: Time,
  duration_ms: Nullable(
    amount({ description: 'Null until it has ended, and where it was cancelled before it began' })
  )
})

type Shown<T> = T extends readonly (infer Item)[]
  ? readonly Shown<Item>[]
  : T extends object
    ? { readonly [Member in keyof T]: Shown<T[Member]> }
    : T

export type PresentedMark = Shown<Static<typeof RunMark>>
export type PresentedStep = Shown<Static<typeof Step>>
export type PresentedAttempt = Shown<Static<typeof Attempt>>
export type PresentedUsage = Shown<Static<typeof Usage>>
export type PresentedSummary = Shown<Static<typeof RunSummary>>

/** As far as its journal tells. */
export type PresentedWait = Pick<Shown<Static<typeof RunWait>>, 'node' | 'kind' | 'since' | 'until'>

export type PresentedAnswer = Omit<Shown<Static<typeof RunAnswer>>, 'body'> & {
  readonly body: string | LongValue
}

/** A long text is where it is stored, and what is bytes of JSON is written as it is: neither is read for an answer. */
export type PresentedMessage = Omit<Shown<Static<typeof RunMessage>>, 'text'> & {
  readonly text: string | LongValue
}

export type PresentedRun = PresentedSummary &
  Omit<Shown<Static<typeof WholeRun>>, 'input' | 'messages' | 'answer'> & {
    readonly input: JsonValue | JsonBytes
    readonly answer: PresentedAnswer | null
    readonly messages: readonly PresentedMessage[]
  }
