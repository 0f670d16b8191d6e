import { FILE_ID } from '../../flows/file-value.ts'
import { PAYLOAD_DEPTH, parseJson } from '../../flows/json/exact-json.ts'
import { isSecretName } from '../../flows/request-secrets.ts'
import { leavesOf } from './leaves-of.ts'

/** In characters. */
const MOST = 120
/** Of one value, where others stand beside it. */
const MOST_OF_VALUE = 60

/**
 * One line that tells a run from others, by the beginning of its input: the first members of an object, the text of a
 * chat turn, or whatever stands there. Empty where the input says nothing.
 */
export function summaryOf(text: string, isCut: boolean): string {
  if (isBinary(text)) return 'Binary data'
  const begun = text.trimStart()
  if (!isCut && !isJson(begun)) return clip(begun, MOST)
  if (begun.startsWith('"')) return clip([...leavesOf(begun)][0]?.value ?? '', MOST)
  if (SAYS_NOTHING.test(begun)) return ''
  return (begun.startsWith('{') ? membersLine(begun) : undefined) ?? clip(begun, MOST)
}

const SAYS_NOTHING = /^(?:null|\{\s*\}|\[\s*\])\s*$/

function isJson(text: string): boolean {
  try {
    parseJson(text, PAYLOAD_DEPTH)
    return true
  } catch {
    return false
  }
}

/** What is not text has bytes that no text has, among the first ones. */
function isBinary(text: string): boolean {
  const odd = text.match(/(?!\s)[\p{Cc}\ufffd]/gu)?.length ?? 0
  return odd > 0 && odd * 10 >= text.length
}

interface Member {
  readonly name: string
  readonly value: string
}

/** Undefined where no member can be told in a few words, empty where none is to be told. */
function membersLine(text: string): string | undefined {
  const leaves = [...leavesOf(text)].flatMap(({ path, value }) => (path === null ? [] : [{ path, value }]))
  const open = filesByName(leaves).filter(({ path }) => !path.some(isSecretName))
  if (open.length === 0 && leaves.length > 0) return ''
  const members = outermost(open)
  const [only] = members
  const told = members.filter(({ value }) => isTold(value))
  if (told.length === 0) return only && clip(`${only.name}: ${only.value}`, MOST)
  const most = told.length === 1 ? MOST : MOST_OF_VALUE
  return clip(told.map(({ name, value }) => `${clip(name, 40)}: ${clip(value, most)}`).join(' · '), MOST)
}

interface Leaf {
  readonly path: readonly string[]
  readonly value: string
}

/** A file is told by its name, as the value of the member that holds it. */
function filesByName(leaves: readonly Leaf[]): readonly Leaf[] {
  const holder = ({ path }: Leaf) => JSON.stringify(path.slice(0, -1))
  const isId = ({ path, value }: Leaf) => path.length > 1 && path.at(-1) === 'file' && FILE_ID.test(value)
  const holders = new Set(leaves.filter(isId).map(holder))
  return leaves.flatMap((leaf) => {
    if (!holders.has(holder(leaf))) return [leaf]
    const { path, value } = leaf
    return path.at(-1) === 'filename' ? [{ path: path.slice(0, -1), value }] : []
  })
}

/** The members of the object itself; where they all hold others, those of the first level that has values. */
function outermost(leaves: readonly Leaf[]): Member[] {
  const telling = leaves.filter(({ value }) => value !== '' && value !== 'null')
  const depth = Math.min(...telling.map(({ path }) => path.length))
  return telling
    .filter(({ path }) => path.length === depth)
    .map(({ path, value }) => ({ name: path.join('.'), value }))
}

/** A long value without a space is a key, a picture or the like: nobody reads it. */
function isTold(value: string): boolean {
  return value.length <= MOST_OF_VALUE || /\s/.test(value.slice(0, MOST_OF_VALUE))
}

/** In one line, without what turns the direction of the text around, and at most so many characters. */
function clip(text: string, most: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .trim()
  const characters = [...line.slice(0, most * 2 + 2)]
  if (characters.length <= most) return line
  return `${characters
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`
}
