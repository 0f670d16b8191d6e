import type { Token } from './tokens.ts'

/** What code has in n8n and has not here: where it is named, a person has to look. */
const OF_HOST = new Set([
  'require',
  'Buffer',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'crypto',
  'process',
  'performance',
  'atob',
  'btoa',
  'AbortController',
  'FormData',
  'Blob',
  'Interval',
  'Duration',
  'luxon',
  'getWorkflowStaticData',
  'getBinaryDataAsync',
  'setBinaryDataAsync',
  '$getWorkflowStaticData',
  '$vars',
  '$env'
])
/** What stands in front of code, or is written for it. */
const KNOWN = new Set([
  '$json',
  '$input',
  '$itemIndex',
  '$list',
  '$from',
  '$now',
  '$today',
  '$execution',
  '$workflow',
  '$text',
  '$if',
  '$ifEmpty',
  '$isEmpty',
  '$max',
  '$min',
  '$not'
])
/** Members that are there, of what has others in n8n. */
const MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = {
  $execution: new Set(['id', 'mode']),
  $workflow: new Set(['id', 'name', 'active']),
  $input: new Set([
    'item',
    'first',
    'last',
    'all',
    'json',
    'data',
    'itemMatching',
    'isExecuted',
    'pairedItem'
  ])
}
const OF_THIS = /^(?:helpers|get[A-Z]\w*|continueOnFail|evaluateExpression|sendMessageToUI)$/
const DECLARES = new Set(['const', 'let', 'var', 'function', 'class'])

interface Nodes {
  /** By the place of its first sign: `$('X')` is read. */
  readonly nodesNamed: ReadonlySet<number>
  /** The signs behind these. */
  readonly after: ReadonlySet<number>
}

/** Names of n8n in code that nothing here stands for. All that begin with `$` are n8n's, unless the code says itself what they are. */
export function unknownIn(tokens: readonly Token[], { nodesNamed, after }: Nodes): string[] {
  const own = declaredIn(tokens)
  const ofNodes = [...after].flatMap((at) => unknownMember('$()', tokens, at, MEMBERS.$input!))
  const others = tokens.flatMap(({ kind, text }, at) => {
    if (kind === 'template') return (text.match(/\$\w*(?=\()/g) ?? []).map((inner) => `${inner}()`)
    if (kind !== 'name') return []
    const isBinary = text === 'binary' && (isDot(tokens, at - 1) || tokens[at + 1]?.text === ':')
    if (isBinary) return ['binary data']
    return isDot(tokens, at - 1) || nodesNamed.has(at) ? [] : unknownName(tokens, at, own)
  })
  return [...new Set([...ofNodes, ...others])]
}

function unknownName(tokens: readonly Token[], at: number, own: ReadonlySet<string>): string[] {
  const { text: name } = tokens[at]!
  const member = tokens[at + 2]?.text ?? ''
  if (name === 'this' && OF_THIS.test(member)) return [`this.${member}`]
  if (own.has(name)) return []
  if (OF_HOST.has(name) || (name.startsWith('$') && !KNOWN.has(name))) return [name]
  return Object.hasOwn(MEMBERS, name) ? unknownMember(name, tokens, at + 1, MEMBERS[name]!) : []
}

/** `dot`: the place behind what it is a member of. */
function unknownMember(
  of: string,
  tokens: readonly Token[],
  dot: number,
  known: ReadonlySet<string>
): string[] {
  const member = tokens[dot + 1]
  if (!isDot(tokens, dot) || member?.kind !== 'name' || known.has(member.text)) return []
  return [`${of}.${member.text}`]
}

function isDot(tokens: readonly Token[], at: number): boolean {
  return /^\??\.$/.test(tokens[at]?.text ?? '')
}

/** What is declared, and what functions take: also within patterns. */
function declaredIn(tokens: readonly Token[]): Set<string> {
  const own = new Set<string>()
  const add = (from: number, to: number) => {
    for (const { kind, text } of tokens.slice(from, to)) if (kind === 'name') own.add(text)
  }
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === 'name' && DECLARES.has(text)) add(at + 1, endOfPattern(tokens, at + 1))
    if (kind === 'name' && tokens[at + 1]?.text === '=') own.add(text)
    if (text === '=>') add(beginOfParameters(tokens, at - 1), at)
  }
  return own
}

/** Behind a name, or behind the brace or bracket that closes. */
function endOfPattern(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const { text } = tokens[at]!
    if (/^[{[]$/.test(text)) depth++
    if (/^[}\]]$/.test(text)) depth--
    if (depth === 0) return at + 1
  }
  return tokens.length
}

function beginOfParameters(tokens: readonly Token[], last: number): number {
  if (tokens[last]?.text !== ')') return last
  let depth = 0
  for (let at = last; at >= 0; at--) {
    const { text } = tokens[at]!
    if (text === ')') depth++
    if (text === '(' && --depth === 0) return at
  }
  return last
}
