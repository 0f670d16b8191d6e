import type { Static } from 'typebox'
import { Type } from '../../flows/json/schema-builder.ts'
import { DraftDocumentSent } from '../flows/sent-document.ts'
import { LONGEST_PATH_TEXT } from '../schemas.ts'

const LONGEST_WORDS = 8_000
const MOST_BEFORE = 20

/** What somebody asks the assistant. */
export const AskedAssistant = Type.Object(
  {
    connection: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The name of a connection to a model, as the context of the flow sees it'
    }),
    model: Type.String({ minLength: 1, maxLength: 300 }),
    words: Type.String({
      maxLength: LONGEST_WORDS,
      description: 'What is wanted; may be empty for a repair'
    }),
    document: { ...DraftDocumentSent, description: 'The flow as it is edited now' },
    run_id: Type.Optional(
      Type.String({ maxLength: LONGEST_PATH_TEXT, description: 'A run of this flow that it is about' })
    ),
    node: Type.Optional(
      Type.String({
        maxLength: LONGEST_PATH_TEXT,
        description: 'The node to be repaired, by what went wrong in the run'
      })
    ),
    data: Type.Optional(
      Type.Boolean({
        description:
          'true: the model may see what went into runs of this flow and what came out. Else it sees how they ended, and no data'
      })
    ),
    before: Type.Optional(
      Type.Array(
        Type.Object(
          {
            asked: Type.String({ maxLength: LONGEST_WORDS }),
            answered: Type.String({ maxLength: LONGEST_WORDS })
          },
          { additionalProperties: false }
        ),
        { maxItems: MOST_BEFORE, description: 'What was said before' }
      )
    )
  },
  { additionalProperties: false }
)

export type AskedAssistant = Static<typeof AskedAssistant>
