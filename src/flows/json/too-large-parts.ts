/** A part of a value that is larger than its schema allows. */
export interface TooLarge {
  readonly path: string
  readonly keyword: 'maxItems' | 'maxProperties' | 'maxLength'
  readonly is: number
  readonly most: number
}

type Schema = Readonly<Record<string, unknown>>
/** Paths begin at the value. */
type Look = (value: unknown, found: TooLarge[]) => void

/** Nobody reads more of them. */
const MOST_FOUND = 100
/** So many unknown members are told one by one. */
const UNKNOWN_TOLD = 100
/** A text that is judged by a pattern or by its length is no longer, whatever letters are counted as. */
const LONGEST_JUDGED = 100_000

/**
 * Finds lists, objects and texts that are too large, before anybody looks at what is in them: a validator compares all items of a
 * list, and each with each, before or after it has counted them. Half a million tags, of which there may be fifty, took it two seconds.
 */
export function sizeCheck(schema: object): (value: unknown) => readonly TooLarge[] {
  const look = lookAt(schema as Schema)
  if (look === undefined) return () => []
  return (value) => {
    const found: TooLarge[] = []
    look(value, found)
    return found
  }
}

/** Undefined where values of the schema may be as large as they like. */
function lookAt(schema: Schema): Look | undefined {
  if (Array.isArray(schema.anyOf)) return lookAtOneOf(schema.anyOf as Schema[])
  if (Array.isArray(schema.allOf)) return lookAtAll((schema.allOf as Schema[]).map(lookAt))
  if (schema.type === 'array') return lookAtList(schema)
  if (schema.type === 'object') return lookAtObject(schema)
  return schema.type === 'string' ? lookAtText(schema) : undefined
}

function lookAtList({ items, maxItems }: Schema): Look | undefined {
  const most = typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY
  const look = typeof items === 'object' ? lookAt(items as Schema) : undefined
  if (look === undefined && most === Number.POSITIVE_INFINITY) return undefined
  return (value, found) => {
    if (!Array.isArray(value)) return
    if (value.length > most) return tell(found, { path: '', keyword: 'maxItems', is: value.length, most })
    for (let at = 0; look !== undefined && at < value.length && found.length < MOST_FOUND; at++)
      lookInside(look, value[at], at, found)
  }
}

function lookAtObject(schema: Schema): Look | undefined {
  const { properties = {}, additionalProperties, maxProperties } = schema
  const known = Object.entries(properties as Record<string, Schema>)
  const members = known.flatMap(([name, member]) => {
    const look = lookAt(member)
    return look === undefined ? [] : [{ name, look }]
  })
  const most = additionalProperties === false ? known.length : maxProperties
  if (members.length === 0 && typeof most !== 'number') return undefined
  return (value, found) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    if (typeof most === 'number') {
      const is = Object.keys(value).length
      if (is > most + UNKNOWN_TOLD) return tell(found, { path: '', keyword: 'maxProperties', is, most })
    }
    for (const { name, look } of members)
      if (Object.hasOwn(value, name)) lookInside(look, (value as Schema)[name], name, found)
  }
}

function lookAtText({ minLength, maxLength, pattern }: Schema): Look | undefined {
  if (minLength === undefined && maxLength === undefined && pattern === undefined) return undefined
  const most = typeof maxLength === 'number' ? maxLength : LONGEST_JUDGED
  return (value, found) => {
    if (typeof value !== 'string' || value.length <= Math.max(most, LONGEST_JUDGED)) return
    tell(found, { path: '', keyword: 'maxLength', is: value.length, most })
  }
}

/** Where several of a kind are allowed, only the validator knows which one is meant. */
function lookAtOneOf(branches: readonly Schema[]): Look | undefined {
  const alone = branches.filter(({ type }) => branches.filter((other) => other.type === type).length === 1)
  return lookAtAll(alone.map(lookAt))
}

function lookAtAll(looks: readonly (Look | undefined)[]): Look | undefined {
  const some = looks.filter((look) => look !== undefined)
  if (some.length === 0) return undefined
  return (value, found) => {
    for (const look of some) look(value, found)
  }
}

/** A path is made only for what is told: to make a million of them takes longer than all the rest. */
function lookInside(look: Look, value: unknown, name: string | number, found: TooLarge[]): void {
  const before = found.length
  look(value, found)
  for (let at = before; at < found.length; at++)
    found[at] = { ...found[at]!, path: `/${name}${found[at]!.path}` }
}

function tell(found: TooLarge[], fault: TooLarge): void {
  if (found.length < MOST_FOUND) found.push(fault)
}
