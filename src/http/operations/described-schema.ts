const DESCRIBED = Symbol('described')
/** As the builder of schemas writes it. */
const ANY_NAME = '^.*$'

/**
 * A schema that checks less than it says, or in other words. What it says is judged by the route itself, which knows
 * better what to answer than a schema does.
 */
export function describedAs<T extends object>(checked: T, said: object): T {
  return { ...checked, [DESCRIBED]: said }
}

/** The schema as it is told: all its parts in the words that were given for them. */
export function describedSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(describedSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const { [DESCRIBED]: said, ...checked } = schema as Record<string | symbol, unknown>
  const parts = Object.entries(withoutOpenNames({ ...checked, ...(said as object | undefined) }))
  return Object.fromEntries(parts.map(([name, part]) => [name, describedSchema(part)]))
}

/** Members by any name are told in the way that all tools know. */
function withoutOpenNames(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { patternProperties, ...others } = schema
  const { [ANY_NAME]: values } = Object(patternProperties) as Record<string, unknown>
  return values === undefined ? schema : { ...others, additionalProperties: values }
}
