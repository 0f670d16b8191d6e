import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'

/**
 * The schemas that document the API also check it. Query and path are text, so they are converted first; a body
 * is taken as it is. Answers are written as they are: what leaves was made by us.
 */
export function validateWithTypeBox(app: FastifyInstance): void {
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    // Nothing in a path can be other than text, and the webhook's path is checked ten thousand times a second.
    if (httpPart === 'params' && hasOnlyText(schema)) return (sent) => ({ value: sent })
    return (sent) => {
      const value = httpPart === 'body' ? sent : Value.Convert(schema, sent)
      if (Value.Check(schema, value)) return { value }
      const validation = [...Value.Errors(schema, value)]
      return { error: Object.assign(new Error('validation'), { validation, sent: value }) }
    }
  })
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
}

function hasOnlyText(schema: TSchema): boolean {
  const { properties = {} } = schema as { properties?: Record<string, Record<string, unknown>> }
  return Object.values(properties).every((property) => property.type === 'string' && !('pattern' in property))
}
