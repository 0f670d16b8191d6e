import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { type CodeCompletion, type CodeOption, glance, itemOf, membersOf } from './members.ts'

const NAME = '[\\p{L}_$][\\p{L}\\p{N}_$]*'
/** What reads on from a value: `.key`, `?.key`, `[0]`, `["key"]`, `.at(0)`. */
const STEP = `\\s*(?:\\?\\.|\\.)\\s*at\\(-?\\d+\\)|\\s*\\??\\.\\s*${NAME}|(?:\\?\\.)?\\[(?:-?\\d+|"[^"\\n]*"|'[^'\\n]*')\\]`
const CHAIN = `(?<![\\p{L}\\p{N}_$.])${NAME}(?:${STEP})*`
const BEHIND_DOT = new RegExp(`(${CHAIN})\\s*\\??\\.\\s*(${NAME})?$`, 'u')
const WORD = new RegExp(`(?<![\\p{L}\\p{N}_$.])${NAME}$`, 'u')
const PLAIN_NAME = new RegExp(`^${NAME}$`, 'u')

const WORDS: readonly CodeOption[] = [
  { label: 'data', detail: 'what came in' },
  { label: 'console.log', detail: 'a line of the log', insert: 'console.log(' },
  { label: 'return', detail: 'gives the result' }
]

const LOGS: readonly CodeOption[] = ['log', 'info', 'warn', 'error'].map((label) => ({
  label,
  detail: 'a line of the log'
}))

const OF_LISTS: readonly CodeOption[] = [
  'length',
  'map',
  'filter',
  'find',
  'some',
  'every',
  'reduce',
  'flatMap',
  'toSorted',
  'slice',
  'join',
  'includes',
  'at'
].map((label) => ({ label, detail: 'of lists' }))

const OF_TEXTS: readonly CodeOption[] = [
  'length',
  'trim',
  'split',
  'toLowerCase',
  'toUpperCase',
  'includes',
  'startsWith',
  'endsWith',
  'replaceAll',
  'slice'
].map((label) => ({ label, detail: 'of texts' }))

/** Characters before the cursor: what is further away seldom matters, and this is done at every key stroke. */
const MAX_CODE_READ = 20_000

/**
 * What can stand at this place of the code: behind `data.items[0].` the keys that it has in the data. A name that the
 * code gives to a part of the data, or to the items of a list, is read through.
 */
export function completeJavaScript(
  code: string,
  at: number,
  data: JsonValue | undefined
): CodeCompletion | undefined {
  const before = code.slice(Math.max(at - MAX_CODE_READ, 0), at)
  const behindDot = BEHIND_DOT.exec(before)
  if (behindDot !== null) {
    const [, owner = '', word = ''] = behindDot
    const options = owner === 'console' ? LOGS : membersFor(valueRead(owner, before, data, 0))
    return options.length === 0 ? undefined : { from: at - word.length, options }
  }
  const word = WORD.exec(before)?.[0]
  return word === undefined ? undefined : { from: at - word.length, options: WORDS }
}

function membersFor(value: JsonValue | undefined): readonly CodeOption[] {
  if (Array.isArray(value)) return OF_LISTS
  if (typeof value === 'string') return OF_TEXTS
  return [...membersOf(value)].map(([key, member]) => ({
    label: key,
    detail: glance(member),
    ...(PLAIN_NAME.test(key) ? {} : { insert: `[${JSON.stringify(key)}]`, takesDot: true })
  }))
}

/** Names that stand for other names are followed so far: code may go in circles. */
const DEEPEST = 5

function valueRead(
  chain: string,
  before: string,
  data: JsonValue | undefined,
  depth: number
): JsonValue | undefined {
  const root = new RegExp(`^${NAME}`, 'u').exec(chain)?.[0] ?? ''
  const value = root === 'data' ? data : namedValue(root, before, data, depth)
  const steps = chain.slice(root.length).match(new RegExp(STEP, 'gu')) ?? []
  return steps.reduce(stepInto, value)
}

function stepInto(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (/\bat\(|\[-?\d/.test(step)) return itemOf(value)
  const key = /\[["'](.*)["']\]$/u.exec(step)?.[1] ?? step.replace(/^\s*\??\.\s*/u, '')
  return Array.isArray(value) ? undefined : membersOf(value).get(key)
}

/** `const o = data.order`, `for (const item of data.items)`, `data.items.map((item) => …)`: the last one counts. */
function namedValue(
  name: string,
  before: string,
  data: JsonValue | undefined,
  depth: number
): JsonValue | undefined {
  if (depth >= DEEPEST) return undefined
  const called = escaped(name)
  const end = '(?![\\p{L}\\p{N}_$])'
  const chainBefore = (pattern: string) => [...before.matchAll(new RegExp(pattern, 'gu'))].at(-1)
  const whole = chainBefore(`\\b(?:const|let|var)\\s+${called}\\s*(?::[^=]+)?=\\s*(${CHAIN})`)
  const each = [
    chainBefore(`\\b(?:const|let|var)\\s+${called}\\s+of\\s+(${CHAIN})`),
    chainBefore(`(${CHAIN}?)\\s*\\??\\.\\s*(?:${OVER_ITEMS})\\(\\s*(?:async\\s*)?\\(?\\s*${called}${end}`),
    chainBefore(`(${CHAIN}?)\\s*\\??\\.\\s*reduce\\(\\s*\\(\\s*${NAME}[^,()]*,\\s*${called}${end}`)
  ]
  const [last] = [whole, ...each]
    .filter((found) => found !== undefined)
    .sort((one, other) => other.index - one.index)
  if (last === undefined) return undefined
  const value = valueRead(last[1]!, before.slice(0, last.index), data, depth + 1)
  return last === whole ? value : itemOf(value)
}

const OVER_ITEMS = 'map|filter|find|findLast|some|every|forEach|flatMap'

function escaped(text: string): string {
  return text.replace(/\$/g, '\\$')
}
