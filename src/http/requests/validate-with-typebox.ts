import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/schema'
import { sizeCheck, type TooLarge } from '../../flows/json/too-large-parts.ts'

const NUMBER = /^-?\d+(?:\.\d+)?$/

/**
 * The schemas that document the API also check it. Query and path are text, so numbers in them are read first; what
 * is left blank in a query, as a form sends it, is left out. A body is taken as it is. Answers are written as they are:
 * what leaves was made by us.
 */
export function validateWithTypeBox(app: FastifyInstance): void {
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    // Nothing in a path can be other than text, and the webhook's path is checked ten thousand times a second.
    if (httpPart === 'params' && hasOnlyText(schema)) return (sent) => ({ value: sent })
    const sizesOf = sizeCheck(schema)
    return (sent) => {
      const value = httpPart === 'body' ? sent : read(schema, sent as Record<string, unknown>, httpPart)
      const tooLarge = sizesOf(value)
      if (tooLarge.length === 0 && Check(schema, value)) return { value }
      const validation = tooLarge.length > 0 ? tooLarge.map(sizeError) : Errors(schema, value)[1]
      return { error: Object.assign(new Error('validation'), { validation, sent: value }) }
    }
  })
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
}

function sizeError({ keyword, path, most }: TooLarge) {
  return { keyword, instancePath: path, params: { limit: most } }
}

function read(schema: TSchema, sent: Record<string, unknown>, part: string | undefined) {
  if (part !== 'querystring') return withNumbers(schema, sent)
  const given = Object.entries(sent).filter(([, text]) => text !== '')
  return withNumbers(schema, Object.fromEntries(given))
}

/**
 * Not Value.Convert, which makes a whole number of 1.5 and of true: what is not a number stays text, and the schema
 * refuses it.
 */
function withNumbers(schema: TSchema, sent: Record<string, unknown>): Record<string, unknown> {
  const read = { ...sent }
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    const text = read[name]
    if (isNumeric(property) && typeof text === 'string' && NUMBER.test(text)) read[name] = Number(text)
  }
  return read
}

function isNumeric(property: Readonly<Record<string, unknown>> | undefined): boolean {
  return property?.type === 'integer' || property?.type === 'number'
}

function hasOnlyText(schema: TSchema): boolean {
  return Object.values(propertiesOf(schema)).every(
    (property) => property.type === 'string' && !('pattern' in property)
  )
}

function propertiesOf(schema: TSchema): Record<string, Record<string, unknown>> {
  return (schema as { properties?: Record<string, Record<string, unknown>> }).properties ?? {}
}
