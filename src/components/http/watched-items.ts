import { hash } from 'node:crypto'
import {
  compilePath,
  compileTemplate,
  compileTemplateTree,
  type GivenDocument,
  inField,
  inTurns,
  isPlainObject,
  type JsonValue,
  megabytes,
  type ReadDocuments,
  reachError,
  type SendRequest,
  type Step,
  StepError,
  scopeOf,
  type Template,
  type Turns
} from '../../plugin-api.ts'
import { buildHeaders, headerFaults } from './build-headers.ts'
import { buildUrl, printedWithin } from './build-url.ts'
import { parseBody } from './parse-body.ts'
import { ByteAllowance, readBeginning } from './read-bytes.ts'
import { statusError } from './status-error.ts'

type Values = Readonly<Record<string, JsonValue>>

/** What is looked at, and how. */
interface WatchedList {
  /** Those of the component, with the variables in text filled in. */
  readonly fields: Values
  /** Those of the context, with the flow and the time: no run has begun. */
  readonly variables: Values
  readonly send: SendRequest
  readonly connection: Step['connection']
  readonly readDocuments: ReadDocuments
  readonly pacer: Pick<Step, 'pause'>
}

export interface WatchedItem {
  /** What stands for its key, as long for every item. */
  readonly id: string
  readonly item: JsonValue
}

const MOST_BYTES = 10 * 1024 ** 2
/** In one answer. What is more is better asked for in parts. */
const MOST_ITEMS = 10_000
/** In characters. */
const LONGEST_KEY = 4_096
/** More than an answer has. */
const LONGEST_ITEM = 16 * MOST_BYTES
/** Of an answer that is a refusal, in bytes. */
const SHOWN = 500
/** Ten thousand have 96 bits each: that two of them are the same will not happen. */
const ID_LENGTH = 16

/** The items that are there now, oldest first as far as that is known. */
export async function watchedItems(list: WatchedList): Promise<WatchedItem[]> {
  const { fields, pacer } = list
  const answer = await ask(list)
  const items = await listIn(answer, list)
  if (items.length > MOST_ITEMS) throw tooMany(items.length)
  const key = String(fields.key ?? '').trim()
  return inTurns(identified(items, key === '' ? undefined : compileTemplate(key), list.variables), pacer)
}

interface ReadAnswer {
  readonly bytes: Buffer
  readonly status: number
  readonly contentType: string
}

async function ask({ fields, variables, send, connection }: WatchedList): Promise<ReadAnswer> {
  const scope = scopeOf(undefined, variables)
  const name = String(fields.connection ?? '')
  const tree = (value: JsonValue | undefined) =>
    isPlainObject(value) ? compileTemplateTree(value) : undefined
  const [fault] = headerFaults(fields.headers ?? null)
  if (fault !== undefined) throw failed('header_invalid', `Field "headers": ${fault.message}`)
  const templates = { url: compileTemplate(String(fields.url).trim()), query: tree(fields.query) }
  const url = buildUrl({ ...templates, hasConnection: name !== '' }, scope)
  const headers = { ...ACCEPTED, ...buildHeaders(tree(fields.headers), scope) }
  try {
    const reach = name === '' ? send : connection(name, ['http']).request
    const answer = await reach(url, { headers })
    if (answer.status >= 400) {
      const sent = { method: 'GET', mayRepeat: true }
      throw statusError(answer, await readBeginning(answer, SHOWN), sent, Date.now())
    }
    const allowance = new ByteAllowance(MOST_BYTES, { bytes: MOST_BYTES, of: 'step', most: MOST_BYTES })
    const bytes = await allowance.read(answer, 'GET')
    return { bytes, status: answer.status, contentType: answer.headers['content-type'] ?? '' }
  } catch (error) {
    const told = reachError(error, URL.parse(url)?.host ?? `the address of the connection "${name}"`)
    throw told.code === 'response_too_large' ? tooLong() : told
  }
}

const ACCEPTED = {
  'user-agent': 'Millrace',
  accept: 'application/json, application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.8'
}

async function listIn(
  answer: ReadAnswer,
  { fields, pacer, readDocuments }: WatchedList
): Promise<JsonValue[]> {
  const { bytes, contentType, status } = answer
  // A feed names the newest first.
  if (isMarkup(answer))
    return (await feedItems({ bytes, filename: '', contentType }, readDocuments)).reverse()
  const body = await inTurns(parseBody({ bytes, contentType, as: 'JSON', status }), pacer)
  const path = String(fields.items ?? '').trim()
  const found = path === '' ? body : inField('items', () => compilePath(path).read(body ?? undefined))
  if (Array.isArray(found)) return found
  const where = path === '' ? 'The answer' : `"${path}" of the answer`
  const what = found === undefined ? 'absent' : 'not a list'
  throw failed(
    'items_not_a_list',
    `${where} is ${what}. Say in Items where the list is, such as data.orders.`
  )
}

/** What begins with a bracket of its kind is not JSON, however it is named. */
function isMarkup({ bytes, contentType }: ReadAnswer): boolean {
  const start = bytes
    .subarray(0, 1_024)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  return start.startsWith('<') || /^(?:application|text)\/(?:[\w.-]+\+)?xml\b/i.test(contentType)
}

async function feedItems(document: GivenDocument, readDocuments: ReadDocuments): Promise<JsonValue[]> {
  const [read] = await readDocuments({ kind: 'feed' }, [document])
  if (read !== undefined && 'value' in read) return read.value as JsonValue[]
  throw failed(
    read?.fault.code ?? 'document_broken',
    `The answer is not JSON, and not a feed either: ${read?.fault.message ?? 'it is empty'}`
  )
}

/** One that is there twice is one. */
function* identified(
  items: readonly JsonValue[],
  key: Template | undefined,
  variables: Values
): Turns<WatchedItem[]> {
  const found = new Map<string, JsonValue>()
  for (const [at, item] of items.entries()) {
    const id = idOf(
      key === undefined ? yield* printedWithin(item, LONGEST_ITEM) : keyOf(item, at, key, variables)
    )
    if (!found.has(id)) found.set(id, item)
    yield
  }
  return [...found].map(([id, item]) => ({ id, item }))
}

function keyOf(item: JsonValue, at: number, key: Template, variables: Values): string {
  try {
    const scope = scopeOf(item, { ...variables, data: item })
    const text = inField('key', () => key.render(scope.data, scope.variables, LONGEST_KEY))
    if (text.trim() !== '') return text
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    throw failed(error.code, `Item ${at + 1} of the list: ${error.message}`)
  }
  throw failed(
    'key_empty',
    `Field "key": it is empty for item ${at + 1} of the list. Name what every item has.`
  )
}

function idOf(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, ID_LENGTH)
}

function tooLong(): StepError {
  return failed(
    'response_too_large',
    `The answer is longer than ${megabytes(MOST_BYTES)}, which is the most that is watched. Ask for less with Query.`
  )
}

function tooMany(count: number): StepError {
  return failed(
    'too_many_items',
    `The list has ${count} items, and one that is watched may have ${MOST_ITEMS}. Ask for fewer with Query, such as the newest.`
  )
}

function failed(code: string, message: string): StepError {
  return new StepError(message, { code, retryable: false })
}
