import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar
} from 'yaml'
import { ExactNumber, type JsonValue } from '../flows/json/exact-number.ts'

/** A place in a file, both from 1. */
export interface FilePlace {
  readonly line: number
  readonly column: number
}

/** Something in a file that whoever wrote it has to mend. */
export class YamlFault extends Error {
  readonly place: FilePlace

  constructor(message: string, place: FilePlace) {
    super(message)
    this.place = place
  }
}

export interface ReadYaml {
  readonly value: JsonValue
  /** Where the value of a JSON pointer stands, or the nearest around it. */
  placeOf(pointer: string): FilePlace
}

/** Of one file. To read one that is larger takes seconds, and flows are not. */
const MOST_CHARACTERS = 10 * 1024 * 1024
/** A few hundred characters of aliases could stand for more than there is memory. */
const MOST_VALUES = 1_000_000
const MOST_LEVELS = 500

/**
 * What a file says. Numbers keep every digit; words such as `yes` and names such as `1.0` are text. Throws a YamlFault with the first thing
 * that is wrong.
 */
export function readYaml(text: string): ReadYaml {
  const lines = new LineCounter()
  const placeAt = (offset: number): FilePlace => {
    const { line, col } = lines.linePos(Math.max(0, offset))
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  if (text.length > MOST_CHARACTERS)
    throw new YamlFault(`The file is larger than ${MOST_CHARACTERS / 1024 ** 2} MB. Split it.`, {
      line: 1,
      column: 1
    })
  const root = parsed(text, lines, placeAt)
  return { value: new Reading(placeAt).read(root), placeOf: (pointer) => placeAt(offsetOf(root, pointer)) }
}

function parsed(text: string, lineCounter: LineCounter, placeAt: (offset: number) => FilePlace): Node | null {
  try {
    // Names that repeat are found here: the package compares each with all before it.
    const options = {
      lineCounter,
      prettyErrors: false,
      uniqueKeys: false,
      schema: 'core',
      version: '1.2'
    } as const
    const { contents, errors } = parseDocument(text, options)
    const [error] = errors
    if (error === undefined) return contents
    throw new YamlFault(`${endSentence(error.message)} ${remedyFor(error.code)}`, placeAt(error.pos[0]))
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(placeAt(0))
    throw error
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'Write one flow per file, without "---" between.',
  TAB_AS_INDENT: 'Indent with spaces.',
  BAD_INDENT: 'Members of one object stand under each other, in the same column.'
}

function remedyFor(code: string): string {
  return (
    REMEDIES[code] ??
    'A text that holds ": " or " #", or begins with one of { [ & * ! | > % @ ` " \', is written in quotes, or as a block after "|".'
  )
}

function endSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}

function tooDeep(place: FilePlace): YamlFault {
  return new YamlFault(`What stands here is nested deeper than ${MOST_LEVELS} levels. Nest it less.`, place)
}

class Reading {
  readonly #placeAt: (offset: number) => FilePlace
  readonly #anchors = new Map<string, Node>()
  /** What is being read: an alias of it would never end. */
  readonly #open = new Set<Node>()
  #values = 0

  constructor(placeAt: (offset: number) => FilePlace) {
    this.#placeAt = placeAt
  }

  read(node: Node | null, depth = 0): JsonValue {
    if (node === null) return null
    if (++this.#values > MOST_VALUES)
      throw this.#fault(
        node,
        `The file stands for more than ${MOST_VALUES} values, aliases included. Write less.`
      )
    if (depth > MOST_LEVELS) throw tooDeep(this.#place(node))
    if (isAlias(node)) return this.read(this.#named(node.source, node), depth + 1)
    if ('anchor' in node && typeof node.anchor === 'string') this.#anchors.set(node.anchor, node)
    this.#assertTag(node)
    this.#open.add(node)
    const value = this.#value(node, depth)
    this.#open.delete(node)
    return value
  }

  #value(node: Node, depth: number): JsonValue {
    if (isScalar(node)) return this.#scalar(node)
    if (isSeq(node)) return node.items.map((item) => this.read(item as Node | null, depth + 1))
    if (isMap(node)) return Object.fromEntries(this.#members(node.items as Pair<Node, Node | null>[], depth))
    throw this.#fault(
      node,
      'This cannot be read. Write an object, a list, a text, a number, true, false or null.'
    )
  }

  #members(pairs: readonly Pair<Node, Node | null>[], depth: number): Map<string, JsonValue> {
    const members = new Map<string, JsonValue>()
    const merged: JsonValue[] = []
    for (const { key, value } of pairs) {
      const name = this.#name(key)
      if (name === '<<' && isScalar(key) && key.type === 'PLAIN') {
        merged.push(this.#mergeable(key, this.read(value, depth + 1)))
        continue
      }
      if (members.has(name))
        throw this.#fault(key, `"${name}" stands here a second time. Take one of them out.`)
      members.set(name, this.read(value, depth + 1))
    }
    for (const each of merged.flat() as JsonValue[])
      for (const [name, value] of Object.entries(each as object))
        if (!members.has(name)) members.set(name, value)
    return members
  }

  #mergeable(key: Node, value: JsonValue): JsonValue {
    const isObject = (each: JsonValue) =>
      typeof each === 'object' && each !== null && !Array.isArray(each) && !(each instanceof ExactNumber)
    if (Array.isArray(value) ? value.every(isObject) : isObject(value)) return value
    throw this.#fault(
      key,
      '"<<" takes over the members of another object. Write an alias of one, such as *common.'
    )
  }

  /** As it is written: a name such as 1.0 or yes is no number and no boolean. */
  #name(key: Node): string {
    const known = isAlias(key) ? this.#named(key.source, key) : key
    if (!isScalar(known) || (known.value === null && !known.source))
      throw this.#fault(key, 'A name is missing here, or is no text. Write "name: value".')
    if ('anchor' in known && typeof known.anchor === 'string') this.#anchors.set(known.anchor, known)
    return typeof known.value === 'string' ? known.value : String(known.source ?? known.value)
  }

  #named(name: string, alias: Node): Node {
    const node = this.#anchors.get(name)
    if (node === undefined)
      throw this.#fault(alias, `There is no anchor "&${name}" before this alias. Write what it stands for.`)
    if (this.#open.has(node))
      throw this.#fault(alias, `The alias "*${name}" stands inside of what it stands for.`)
    return node
  }

  #scalar(node: Scalar): JsonValue {
    const { value, source = '' } = node
    if (typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value !== 'number') return null
    if (JSON_NUMBER.test(source)) return String(value) === source ? value : new ExactNumber(source)
    if (!Number.isFinite(value))
      throw this.#fault(node, `${source} is no number of JSON. Write it in quotes if it is meant as text.`)
    if (/^[-+]?0\d/.test(source))
      throw this.#fault(
        node,
        `${source} begins with a zero, which a number does not keep. Write it in quotes if it is meant as text.`
      )
    return value
  }

  #assertTag(node: Node): void {
    const { tag } = node as { tag?: string }
    if (tag === undefined || KNOWN_TAGS.includes(tag)) return
    throw this.#fault(node, `The tag ${tag} is not known here. Leave it out.`)
  }

  #place(node: Node): FilePlace {
    return this.#placeAt(node.range?.[0] ?? 0)
  }

  #fault(node: Node, message: string): YamlFault {
    return new YamlFault(message, this.#place(node))
  }
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const KNOWN_TAGS = ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map(
  (name) => `tag:yaml.org,2002:${name}`
)

/** What is not there is at what it would stand in. */
function offsetOf(root: Node | null, pointer: string): number {
  let node = root
  let offset = root?.range?.[0] ?? 0
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const next = stepInto(node, name)
    if (next === undefined) return offset
    offset = next.offset
    node = next.node
  }
  return offset
}

function stepInto(node: Node | null, name: string): { node: Node | null; offset: number } | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(name)] as Node | null | undefined
    return item ? { node: item, offset: item.range?.[0] ?? 0 } : undefined
  }
  if (!isMap(node)) return undefined
  const pair = (node.items as Pair<Node, Node | null>[]).find(
    ({ key }) => isScalar(key) && nameOf(key) === name
  )
  return pair && { node: pair.value, offset: pair.key.range?.[0] ?? 0 }
}

function nameOf({ value, source }: Scalar): string {
  return typeof value === 'string' ? value : String(source ?? value)
}
