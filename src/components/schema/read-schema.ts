import { ExactNumber, isPlainObject, type JsonValue, StepError } from '../../plugin-api.ts'
import {
  allCheck,
  anyCheck,
  dependentCheck,
  ifCheck,
  notCheck,
  oneCheck,
  unseenCheck
} from './combining-keywords.ts'
import { Keywords, misplaced, SchemaError, textsAt } from './keywords.ts'
import {
  containsCheck,
  countCheck,
  itemsCheck,
  membersCheck,
  namesCheck,
  requiredCheck,
  uniqueCheck
} from './part-keywords.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { patternSize } from './pattern-size.ts'
import { type Check, SchemaNode } from './schema-node.ts'
import {
  formatCheck,
  lengthCheck,
  limitCheck,
  multipleCheck,
  oneOfCheck,
  patternCheck,
  typeCheck
} from './value-keywords.ts'

const MOST_PARTS = 10_000
/** Of all patterns together: to compile them is what takes longest. */
const MOST_PATTERN = 20_000

export function readSchema(schema: JsonValue): SchemaNode {
  return new SchemaReader(schema).nodeOf(schema, '')
}

class SchemaReader {
  readonly #root: JsonValue
  /** By the object that says it, so that schemas may refer to themselves. */
  readonly #nodes = new Map<JsonValue, SchemaNode>()
  readonly #patterns = new Map<string, Pattern>()
  #anchors: ReadonlyMap<string, JsonValue> | undefined
  #parts = 0
  #patternSize = 0

  constructor(root: JsonValue) {
    this.#root = root
  }

  nodeOf(schema: JsonValue, path: string): SchemaNode {
    const known = typeof schema === 'object' ? this.#nodes.get(schema) : undefined
    if (known !== undefined) return known
    if (++this.#parts > MOST_PARTS)
      throw new SchemaError(`has more than ${MOST_PARTS} parts. Make it simpler.`)
    const node = new SchemaNode()
    if (schema === true) return node
    if (schema === false) return Object.assign(node, { checks: [notCheck(new SchemaNode())] })
    if (!isPlainObject(schema)) throw misplaced(path, 'a schema: an object, true or false')
    this.#nodes.set(schema, node)
    const members = new Keywords(schema, path)
    node.checks = [
      ...this.#valueChecks(members),
      ...this.#partChecks(members),
      ...this.#combiningChecks(members)
    ]
    node.last = this.#lastChecks(members)
    return node
  }

  #valueChecks(members: Keywords): Check[] {
    const types = members.types()
    const values = members.list('enum')
    const { const: only, pattern, multipleOf } = members.all
    const source = members.text('pattern')
    const format = members.text('format')
    return [
      types && typeCheck(types),
      values && oneOfCheck(values),
      only !== undefined && oneOfCheck([only]),
      ...LIMITS.map((name) => {
        const limit = members.number(name)
        return limit !== undefined && limitCheck(name, limit)
      }),
      members.positive('multipleOf') !== undefined && multipleCheck(multipleOf as number | ExactNumber),
      ...LENGTHS.map((name) => {
        const limit = members.count(name)
        return limit !== undefined && lengthCheck(name, limit)
      }),
      pattern !== undefined && patternCheck(source!, this.#patternOf(source!, members.at('pattern'))),
      format !== undefined && formatCheck(format)
    ].filter(isCheck)
  }

  #partChecks(members: Keywords): Check[] {
    const required = members.texts('required')
    const names = this.#optional(members, 'propertyNames')
    const contains = this.#optional(members, 'contains')
    return [
      required && requiredCheck(required),
      this.#membersCheck(members),
      names && namesCheck(names),
      ...COUNTS.map(([name, kind, side]) => {
        const limit = members.count(name)
        return limit !== undefined && countCheck(kind, side, limit)
      }),
      this.#itemsCheck(members),
      contains &&
        containsCheck(
          contains,
          members.count('minContains') ?? 1,
          members.count('maxContains') ?? Number.POSITIVE_INFINITY
        ),
      members.all.uniqueItems === true && uniqueCheck()
    ].filter(isCheck)
  }

  #membersCheck(members: Keywords): Check | undefined {
    const named = this.#schemasOf(members, 'properties')
    const matching = [...this.#schemasOf(members, 'patternProperties')].map(([source, node]) => ({
      pattern: this.#patternOf(source, members.at('patternProperties')),
      node
    }))
    const { additionalProperties } = members.all
    const others = additionalProperties === false ? null : this.#optional(members, 'additionalProperties')
    if (named.size === 0 && matching.length === 0 && others === undefined) return undefined
    return membersCheck({ named, matching, others })
  }

  /** `items` as a list is how it was written before 2020. */
  #itemsCheck(members: Keywords): Check | undefined {
    const isList = Array.isArray(members.all.items)
    const first = this.#listOf(members, isList ? 'items' : 'prefixItems')
    const others = this.#optional(members, isList ? 'additionalItems' : 'items')
    return first.length === 0 && others === undefined ? undefined : itemsCheck(first, others)
  }

  #combiningChecks(members: Keywords): Check[] {
    const [all, any, one] = (['allOf', 'anyOf', 'oneOf'] as const).map((name) => this.#listOf(members, name))
    const not = this.#optional(members, 'not')
    const condition = this.#optional(members, 'if')
    const needs = this.#needs(members)
    const reference = members.text('$ref')
    refuseUnknown(members)
    return [
      reference !== undefined &&
        allCheck([this.nodeOf(this.#target(reference, members), `$ref ${reference}`)]),
      all!.length > 0 && allCheck(all!),
      any!.length > 0 && anyCheck(any!),
      one!.length > 0 && oneCheck(one!),
      not && notCheck(not),
      condition && ifCheck(condition, this.#optional(members, 'then'), this.#optional(members, 'else')),
      needs.size > 0 && dependentCheck(needs)
    ].filter(isCheck)
  }

  #lastChecks(members: Keywords): Check[] {
    return UNSEEN.map(([name, kind]) => {
      const said = members.all[name]
      if (said === undefined || said === true) return false
      return unseenCheck(kind, said === false ? null : this.nodeOf(said, members.at(name)))
    }).filter(isCheck)
  }

  #needs(members: Keywords): ReadonlyMap<string, readonly string[] | SchemaNode> {
    const needs = new Map<string, readonly string[] | SchemaNode>()
    for (const keyword of ['dependencies', 'dependentRequired', 'dependentSchemas'] as const)
      for (const [name, need] of Object.entries(members.object(keyword) ?? {})) {
        const path = `${members.at(keyword)}/${name}`
        needs.set(name, Array.isArray(need) ? textsAt(need, path) : this.nodeOf(need, path))
      }
    return needs
  }

  #optional(members: Keywords, keyword: string): SchemaNode | undefined {
    const said = members.all[keyword]
    return said === undefined ? undefined : this.nodeOf(said, members.at(keyword))
  }

  #listOf(members: Keywords, keyword: string): SchemaNode[] {
    return (members.list(keyword) ?? []).map((each, at) => this.nodeOf(each, `${members.at(keyword)}/${at}`))
  }

  #schemasOf(members: Keywords, keyword: string): Map<string, SchemaNode> {
    const entries = Object.entries(members.object(keyword) ?? {})
    return new Map(entries.map(([name, said]) => [name, this.nodeOf(said, `${members.at(keyword)}/${name}`)]))
  }

  #patternOf(source: string, path: string): Pattern {
    const known = this.#patterns.get(source)
    if (known !== undefined) return known
    this.#patternSize += patternSize(source)
    if (this.#patternSize > MOST_PATTERN)
      throw new SchemaError('has too many and too large patterns. Use fewer.')
    try {
      const pattern = compilePattern(source)
      this.#patterns.set(source, pattern)
      return pattern
    } catch (error) {
      if (!(error instanceof StepError)) throw error
      throw new SchemaError(`has a pattern at "${path}" that cannot be used. ${error.message}`)
    }
  }

  /** Only what is in the schema itself: nothing is fetched. */
  #target(reference: string, members: Keywords): JsonValue {
    const [base, fragment = ''] = reference.split('#')
    const { $id } = isPlainObject(this.#root) ? this.#root : {}
    const isOwn = base === '' || base === $id
    const found = !isOwn
      ? undefined
      : fragment.startsWith('/')
        ? this.#pointed(fragment)
        : this.#anchored(fragment)
    if (found !== undefined) return found
    throw new SchemaError(
      `refers at "${members.at('$ref')}" to ${JSON.stringify(reference.slice(0, 200))}, which is not in it. Refer to a part of the same schema, such as "#/$defs/name".`
    )
  }

  #pointed(pointer: string): JsonValue | undefined {
    let found: JsonValue | undefined = this.#root
    for (const part of pointer.slice(1).split('/')) {
      const key = unescapedPart(part)
      if (Array.isArray(found)) found = found[Number(key)]
      else found = isPlainObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
    }
    return found
  }

  #anchored(name: string): JsonValue | undefined {
    if (name === '') return this.#root
    this.#anchors ??= anchorsOf(this.#root)
    return this.#anchors.get(name)
  }
}

function anchorsOf(schema: JsonValue): Map<string, JsonValue> {
  const anchors = new Map<string, JsonValue>()
  const waiting = [schema]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null || next instanceof ExactNumber) continue
    if (isPlainObject(next) && typeof next.$anchor === 'string') anchors.set(next.$anchor, next)
    for (const part of Object.values(next)) waiting.push(part)
  }
  return anchors
}

function unescapedPart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}

const LIMITS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const
const LENGTHS = ['minLength', 'maxLength'] as const
const COUNTS = [
  ['minProperties', 'member', 'least'],
  ['maxProperties', 'member', 'most'],
  ['minItems', 'item', 'least'],
  ['maxItems', 'item', 'most']
] as const
const UNSEEN = [
  ['unevaluatedProperties', 'member'],
  ['unevaluatedItems', 'item']
] as const

/** Other words say something to readers, or nothing at all; these would be taken for checked. */
function refuseUnknown(members: Keywords): void {
  for (const keyword of ['$dynamicRef', '$recursiveRef'])
    if (members.all[keyword] !== undefined)
      throw new SchemaError(
        `uses "${keyword}" at "${members.at(keyword)}", which is not supported. Use "$ref".`
      )
}

function isCheck(check: Check | false | undefined): check is Check {
  return typeof check === 'function'
}
