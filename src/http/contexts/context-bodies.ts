import type { Static } from 'typebox'
import { CONTEXT_NAME } from '../../contexts/context-path.ts'
import { MillraceError } from '../../errors.ts'
import { VARIABLE_NAME } from '../../flows/component/context-variables.ts'
import { CONTEXT_PATH } from '../../flows/document/flow-document.ts'
import { takenName } from '../../flows/graph/run-links.ts'
import { ExactNumber, isPlainObject } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { WEBHOOK_AUTHS } from '../../flows/webhook-auth.ts'
import type { ContextSettings } from '../../library/made-context.ts'

/** Beyond this a text would come near to what V8 can hold as one. */
const MOST_OUTPUT_BYTES = 256 * 1024 ** 2

/** What a context holds for the flows inside. */
export const ContextHoldings = {
  variables: Type.Optional(
    Type.Record(Type.String({ pattern: VARIABLE_NAME }), Type.Unknown(), {
      description: 'What {$name} reads in templates and fields of the flows inside',
      additionalProperties: false
    })
  ),
  default_auth: Type.Optional(Type.Union([Type.Enum(WEBHOOK_AUTHS), Type.Null()])),
  limits: Type.Optional(
    Type.Object(
      {
        rate_limit: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Requests per minute of each flow' })
        ),
        concurrency: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 10_000, description: 'Runs of each flow at the same time' })
        ),
        step_output_bytes: Type.Optional(outputBytes('What one step may put out, in bytes of JSON')),
        run_output_bytes: Type.Optional(
          outputBytes('What all steps of a run together may put out, in bytes of JSON')
        )
      },
      { additionalProperties: false }
    )
  )
}

function outputBytes(description: string) {
  return Type.Integer({ minimum: 1, maximum: MOST_OUTPUT_BYTES, description })
}

export const NewContext = Type.Object(
  {
    name: Type.String({ pattern: CONTEXT_NAME }),
    parent: Type.Optional(Type.String({ pattern: CONTEXT_PATH })),
    ...ContextHoldings
  },
  { additionalProperties: false }
)

export const ContextChange = Type.Object(
  {
    name: Type.Optional(Type.String({ pattern: CONTEXT_NAME })),
    parent: Type.Optional(Type.String({ pattern: CONTEXT_PATH })),
    ...ContextHoldings
  },
  { additionalProperties: false }
)

export type NewContext = Static<typeof NewContext>
export type ContextChange = Static<typeof ContextChange>

/** `at` is where the context stands in what was sent. */
export function assertFreeNames(body: unknown, at = ''): void {
  const { variables } = Object(body) as { variables?: object }
  const name = Object.keys(variables ?? {}).find((each) => takenName(each) !== undefined)
  if (name === undefined) return
  const message = takenName(name)!
  const fault = { code: 'name_taken', path: `${at}/variables/${name}`, message }
  throw new MillraceError('invalid_request', message, { errors: [fault] })
}

/** Variables keep every digit, as payloads do: they may be ids that somebody gave. Limits are counted with. */
export function plainLimits(body: unknown): void {
  const { limits } = Object(body) as { limits?: unknown }
  if (!isPlainObject(limits)) return
  for (const [name, value] of Object.entries(limits)) {
    if (value instanceof ExactNumber) limits[name] = Number(value)
  }
}

/** What becomes of the settings of a context; what is not sent stays. */
export function settingsOf(
  sent: Pick<ContextChange, 'default_auth' | 'limits'>,
  before: ContextSettings
): ContextSettings {
  const { default_auth: auth, limits } = sent
  const { default_auth: authBefore, ...limitsBefore } = before
  const kept = auth === undefined ? authBefore : (auth ?? undefined)
  return {
    ...(limits ?? limitsBefore),
    ...(kept === undefined ? {} : { default_auth: kept })
  } as ContextSettings
}
