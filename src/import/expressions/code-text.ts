import { DATE_TIME } from './date-time-text.ts'
import { methodsIn, NO_METHODS, withEmptiness } from './n8n-methods.ts'
import { unknownIn } from './n8n-names.ts'
import { NotAnExpression, type Token, tokensWithin } from './tokens.ts'

/** How a node is read in code: `nodes["set-1"]?.["result"]`, and which of its items belongs to this one; undefined where there is no such node. */
type ReadNode = (name: string) => { readonly value: string; readonly at: string } | undefined

interface WrittenCode {
  readonly code: string
  /** Names of n8n that have no counterpart here. */
  readonly unknown: readonly string[]
  /** Nodes that it names and the flow has not. */
  readonly missing: readonly string[]
  /** It computes with Luxon's dates. */
  readonly isOfDates: boolean
  /** It names what only n8n knows, and could not be read. */
  readonly isUnread: boolean
}

const LIST = `const $list = (value) => (value === undefined || value === null ? [] : Array.isArray(value) ? value : [value])`
const FROM = `const $from = (value, at = 0) => {
  const items = $list(value).map((json) => ({ json }))
  const first = items[0] ?? { json: {} }
  const last = items.at(-1) ?? first
  const item = items[at] ?? first
  return { item, pairedItem: () => item, json: item.json, data: item.json, first: () => first, last: () => last, all: () => items, itemMatching: (at) => items[at], isExecuted: items.length > 0 }
}`
const INPUT = `const $input = $from(data)
const items = $input.all()
const item = $input.item
const $json = item.json, $itemIndex = 0`
const OF_RUN: Readonly<Record<string, string>> = {
  $execution: 'const $execution = { id: run.id, mode: "production" }',
  $vars: 'const $vars = {}',
  $env: 'const $env = {}',
  structuredClone: 'const structuredClone = (value) => JSON.parse(JSON.stringify(value))'
}

/** As it was called there. */
export interface Workflow {
  readonly id?: string
  readonly name?: string
  /** Of its clock; left out where the file does not say. */
  readonly timezone?: string
}

/** The code of n8n as code of ours: with what it means by its names in front of it. */
export function codeFrom(source: string, readNode: ReadNode, workflow: Workflow = {}): WrittenCode {
  const { text, names, missing, methods, unknown, isUnread } = renamed(source, readNode)
  const uses = (...some: string[]) => some.some((name) => names.has(name))
  const parts = [LIST, FROM, INPUT]
  const isOfDates = methods.isOfDates || uses('$now', '$today', 'DateTime')
  if (isOfDates) parts.push(DATE_TIME)
  parts.push(...methods.code)
  for (const [name, line] of Object.entries(OF_RUN)) if (uses(name)) parts.push(line)
  if (uses('$workflow'))
    parts.push(
      `const $workflow = ${JSON.stringify({ id: workflow.id ?? '', name: workflow.name ?? '', active: true })}`
    )
  return {
    code: `${parts.join('\n')}\n\n${text}`,
    unknown: [...unknown, ...methods.unknown],
    missing,
    isOfDates,
    isUnread
  }
}

interface Renamed {
  readonly text: string
  readonly names: ReadonlySet<string>
  readonly missing: readonly string[]
  readonly methods: ReturnType<typeof methodsIn>
  readonly unknown: readonly string[]
  readonly isUnread: boolean
}

/** Names that stand in front of all code, and need no reading. */
const PLAIN = new Set(['$json', '$input', '$itemIndex', '$list', '$from'])

/** What could not be read is left as it is; so are nodes whose names are computed. */
function unread(text: string): Renamed {
  const names = new Set(text.match(/(?<![\w.])\$\w*|\bDateTime\b/g) ?? [])
  const own = new Set([...text.matchAll(/\b(?:const|let|var) (\$\w+)/g)].map(([, name]) => name))
  const isUnread = [...names].some((name) => !PLAIN.has(name) && !own.has(name))
  return { text, names, missing: [], methods: NO_METHODS, unknown: [], isUnread }
}

/** `$('X')` and `$node["X"]` as what is read of the node. What cannot be told apart is left as it is. */
function renamed(given: string, readNode: ReadNode): Renamed {
  let source = given
  let tokens: readonly Token[]
  try {
    source = withEmptiness(given, tokensWithin(given))
    tokens = tokensWithin(source)
  } catch (error) {
    if (!(error instanceof NotAnExpression)) throw error
    return unread(given)
  }
  // What stands behind a dot is a member, whatever it is called.
  const isMember = (at: number) => /^\??\.$/.test(tokens[at - 1]?.text ?? '')
  const names = new Set(
    tokens.filter(({ kind }, at) => kind === 'name' && !isMember(at)).map(({ text }) => text)
  )
  // Further in than texts in backticks are read, names count, and nodes are left.
  for (const { kind, text } of tokens)
    if (kind === 'template') for (const name of text.match(/\$\w*|DateTime/g) ?? []) names.add(name)
  const missing: string[] = []
  const nodesNamed = new Set<number>()
  const after = new Set<number>()
  let text = ''
  let from = 0
  for (let at = 0; at < tokens.length; at++) {
    const found = nodeNamed(tokens, at)
    if (found === undefined) continue
    const read = readNode(found.name)
    if (read === undefined) missing.push(found.name)
    const { value, at: index } = read ?? { value: 'undefined', at: '0' }
    text += `${source.slice(from, tokens[at]!.from)}$from(${value}, ${index})`
    from = tokens[found.last]!.to
    nodesNamed.add(at)
    after.add(found.last + 1)
    at = found.last
  }
  return {
    text: text + source.slice(from),
    names,
    missing,
    methods: methodsIn(tokens, after),
    unknown: unknownIn(tokens, { nodesNamed, after }),
    isUnread: false
  }
}

function nodeNamed(tokens: readonly Token[], at: number): { name: string; last: number } | undefined {
  const [root, open, named, close] = tokens.slice(at, at + 4)
  if (root?.kind !== 'name' || tokens[at - 1]?.text === '.') return undefined
  if (root.text === '$node' && open?.text === '.' && named?.kind === 'name')
    return { name: named.text, last: at + 2 }
  const isCall = (root.text === '$' || root.text === '$items') && open?.text === '(' && close?.text === ')'
  const isMember = root.text === '$node' && open?.text === '[' && close?.text === ']'
  if ((!isCall && !isMember) || named?.kind !== 'text') return undefined
  return { name: named.value ?? '', last: at + 3 }
}
