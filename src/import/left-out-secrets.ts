import { cutText } from '../flows/template/quote-text.ts'
import type { Become, Part } from './become.ts'
import { connectionName } from './connection-names.ts'
import type { NeededConnection } from './imported-flow.ts'
import { isMembers, type Members, textOf } from './values.ts'

/*
 * People write keys into headers and settings of other tools, and export them with all else. Here a flow is read by everybody who may
 * read it, kept in git and sent to models: what looks like a secret is left out of it, by name only told, and belongs into a connection.
 */

const SECRET =
  /(?:passw(?:or)?d|passphrase|pwd|secret|token|(?:api|access|private|signing|account|client|auth|master|license)[-_ ]?key|authorization|cookie|credentials?|bearer|jwt|connection[-_ ]?string)$/i
/** They say where a list goes on, or how much is written. */
const NO_SECRET = /(?:page|next|continuation|sync|reply|csrf|max|stop)[-_ ]?token$/i
const SHORT_NAMES = /^(?:x[-_])?(?:key|auth|sig|pass|appid)$/i

/** Whether a setting of this name is likely to hold one. */
function isSecretName(name: string): boolean {
  return SECRET.test(name) && !NO_SECRET.test(name)
}

/** Of headers and parameters, which have shorter names. */
function isSecretParameter(name: string): boolean {
  return isSecretName(name) || SHORT_NAMES.test(name)
}

/** Keys that are known by their shape, wherever they stand. */
const KEYS =
  /(?<![\w-])(?:sk-(?=[A-Za-z_-]{0,20}\d)[A-Za-z0-9_-]{20,}|[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}|gh[a-z]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[A-Za-z0-9-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|hf_[A-Za-z0-9]{20,}|SG\.[\w-]{16,60}\.[\w-]{16,}|\d{8,12}:[A-Za-z0-9_-]{30,}|eyJ[\w-]{8,150}\.[\w-]{8,4000}\.[\w-]*)|-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*/g
const SCHEMES = /\b(Bearer|Basic)(\s+)(?=[A-Za-z._~+/=-]{0,60}\d)[A-Za-z0-9._~+/=-]{12,}/g
const USER_IN_ADDRESS = /(:\/\/)[^\s/@:?#]*:[^\s/@?#]+@/g
const PARAMETERS = /([?&])([^=&#\s"'?]{1,80})=([^&#\s"'{]+)/g
const MEMBERS = /"([^"\\]{1,80})"(\s*:\s*)"((?:[^"\\]|\\.)+)"/g
const LEFT_OUT = '…'

/** A text without the secrets that can be told in it. */
export function withoutSecrets(text: string): string {
  return text
    .replace(MEMBERS, (whole, name: string, colon: string, value: string) =>
      isSecretName(name) && !value.includes('{{') ? `"${name}"${colon}"${LEFT_OUT}"` : whole
    )
    .replace(PARAMETERS, (whole, mark: string, name: string) =>
      isSecretParameter(name) ? `${mark}${name}=${LEFT_OUT}` : whole
    )
    .replace(USER_IN_ADDRESS, `$1${LEFT_OUT}@`)
    .replace(SCHEMES, `$1$2${LEFT_OUT}`)
    .replace(KEYS, LEFT_OUT)
}

interface Open {
  readonly settings: unknown
  /** Where a secret stood. */
  readonly leftOut: readonly string[]
}

/** Settings that nothing here understands, without their secrets. */
export function openSettings(settings: unknown): Open {
  return openTree(settings, (text) => text.trim() !== '' && !text.includes('{{'))
}

/** Of one node: whoever writes texts that are longer writes them for people. It is looked at without a pause. */
const MOST_CHARACTERS = 100_000

function openTree(settings: unknown, isWritten: (text: string) => boolean): Open {
  const leftOut: string[] = []
  let left = MOST_CHARACTERS
  const textAt = (text: string, isSecret: boolean, place: string): string => {
    left -= text.length
    if (left < 0) return text
    const open = isSecret && isWritten(text) ? LEFT_OUT : withoutSecrets(text)
    if (open !== text) leftOut.push(place)
    return open
  }
  const read = (value: unknown, isSecret: boolean, place: string): unknown => {
    if (typeof value === 'string') return textAt(value, isSecret, place)
    if (Array.isArray(value)) return value.map((item, at) => read(item, isSecret, `${place}[${at}]`))
    if (!isMembers(value)) return value
    const row = textOf(value.name) || textOf(value.key)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const isHidden = isSecretName(name) || (name === 'value' && isSecretParameter(row))
        return [name, read(member, isHidden, place === '' ? name : `${place}.${name}`)]
      })
    )
  }
  return { settings: read(settings, false, ''), leftOut }
}

/** What became of a node without the secrets that stood in its headers, its query and its address. */
export function openBecome(become: Become): Become {
  const connections = [...(become.connections ?? [])]
  const notes: string[] = []
  const parts = Object.entries(become.parts).map(([name, part]) => {
    const { open, note, needed } = openPart(part)
    if (note !== '') notes.push(note)
    if (needed !== undefined) connections.push(needed)
    return [name, open] as const
  })
  if (notes.length === 0) return become
  return {
    ...become,
    verdict: become.verdict === 'exact' ? 'adapted' : become.verdict,
    note: [become.note, ...notes].join(' ').trim(),
    parts: Object.fromEntries(parts),
    connections
  }
}

interface OpenPart {
  readonly open: Part
  readonly note: string
  readonly needed?: NeededConnection
}

export function openPart(part: Part): OpenPart {
  if (part.type === 'placeholder') return { open: part, note: '' }
  const { fields } = part
  const headers = openTable(fields.headers, 'the header')
  const query = openTable(fields.query, 'the parameter')
  const address = openAddress(fields.url)
  const leftOut = [...headers.leftOut, ...query.leftOut, ...address.leftOut]
  if (leftOut.length === 0) return { open: part, note: noteOfKept(fields) }
  const named = textOf(fields.connection)
  const connection = named === '' ? connectionOf(address.url) : named
  const open = {
    ...part,
    fields: {
      ...fields,
      connection,
      ...(headers.leftOut.length > 0 && { headers: headers.table }),
      ...(query.leftOut.length > 0 && { query: query.table }),
      ...(address.leftOut.length > 0 && { url: address.url })
    }
  }
  const told = `A flow is no place for a secret. Left out, and to be put into the connection "${connection}": ${listed(leftOut)}.`
  const note = `${told} ${noteOfKept(open.fields)}`.trimEnd()
  return named === '' ? { open, note, needed: { name: connection, kind: 'http' } } : { open, note }
}

/** Of bodies and code, which a connection cannot send. */
function noteOfKept(fields: Members): string {
  const { leftOut } = openTree(fields, isLiteral)
  if (leftOut.length === 0) return ''
  return `What looks like a secret stands in its settings, for all who may read the flow: ${listed(leftOut)}.`
}

const MOST_LISTED = 8

/** Names that others gave. */
export function listed(names: readonly string[]): string {
  const more = names.length - MOST_LISTED
  const first = names.slice(0, MOST_LISTED).map((name) => cutText(name, 80))
  return `${first.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

function openTable(table: unknown, what: string): { table?: Members; leftOut: readonly string[] } {
  if (!isMembers(table)) return { leftOut: [] }
  const secret = Object.keys(table).filter((name) => isSecretParameter(name) && isLiteral(table[name]))
  return {
    table: Object.fromEntries(Object.entries(table).filter(([name]) => !secret.includes(name))),
    leftOut: secret.map((name) => `${what} ${JSON.stringify(cutText(name, 60))}`)
  }
}

/** A template that says the same each time. */
function isLiteral(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isLiteral)
  return typeof value === 'string' && value.trim() !== '' && !value.replaceAll('{{', '').includes('{')
}

const USER = /^(\s*https?:\/\/)[^\s/@?#]+@/i

function openAddress(url: unknown): { url: string; leftOut: readonly string[] } {
  if (typeof url !== 'string') return { url: '', leftOut: [] }
  const leftOut: string[] = []
  const withoutUser = url.replace(USER, (_whole, scheme: string) => {
    leftOut.push('who signs in')
    return scheme
  })
  const mark = withoutUser.indexOf('?')
  if (mark < 0) return { url: withoutUser, leftOut }
  const [query = '', ...fragment] = withoutUser.slice(mark + 1).split('#')
  const kept = query.split('&').filter((pair) => {
    const [name = '', ...value] = pair.split('=')
    if (!isSecretParameter(name) || !isLiteral(value.join('='))) return true
    leftOut.push(`the parameter ${JSON.stringify(cutText(name, 60))}`)
    return false
  })
  const rest = fragment.length === 0 ? '' : `#${fragment.join('#')}`
  return {
    url: `${withoutUser.slice(0, mark)}${kept.length === 0 ? '' : `?${kept.join('&')}`}${rest}`,
    leftOut
  }
}

/** Named after the host, so that all requests there have one. */
function connectionOf(url: string): string {
  return connectionName(/^\s*https?:\/\/([^/?#{}:]+)/i.exec(url)?.[1] ?? '', 'http')
}
