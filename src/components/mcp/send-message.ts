import {
  boundedWords,
  type IncomingAnswer,
  isPlainObject,
  type JsonValue,
  type OpenConnection,
  type Step,
  StepError
} from '../../plugin-api.ts'
import { Forgotten, type Greeting } from './greeting.ts'
import { type Message, readMessage } from './read-messages.ts'

type Params = Readonly<Record<string, JsonValue>>
type Headers = Readonly<Record<string, string>>

export const CLIENT = { name: 'millrace', version: '1' }

interface Sender {
  readonly connection: OpenConnection
  readonly step: Pick<Step, 'pause'>
}

interface Request {
  readonly id: number
  readonly method: string
  readonly params: Params
  readonly headers?: Headers
  readonly onAnswer?: (answer: IncomingAnswer) => void
}

/** Asks, as the server wants to be spoken to; undefined where that is still to be found out. */
export async function sendMessage(
  { connection, step }: Sender,
  greeting: Greeting | undefined,
  { id, method, params, headers, onAnswer }: Request
): Promise<Message> {
  const message = { jsonrpc: '2.0', id, method, params: within(greeting, params) }
  const answer = await post(connection, message, { ...headersOf(greeting, method, params), ...headers })
  if (answer.status < 300) {
    onAnswer?.(answer)
    return answered(await readMessage(answer, id, step))
  }
  if (answer.status === 404 && greeting?.era === 'sessions' && greeting.id !== undefined) {
    await answer.discard()
    throw new Forgotten()
  }
  throw await whyRefused(answer, { connection, step, greeting, id })
}

const META = 'io.modelcontextprotocol'

/** Without a handshake each request says who asks, and by which version. */
export function within(greeting: Greeting | undefined, params: Params): Params {
  if (greeting?.era !== 'stateless') return params
  const said = {
    [`${META}/protocolVersion`]: greeting.version,
    [`${META}/clientInfo`]: CLIENT,
    [`${META}/clientCapabilities`]: {}
  }
  return { ...params, _meta: said }
}

export function headersOf(greeting: Greeting | undefined, method: string, { name }: Params): Headers {
  if (greeting === undefined) return {}
  const version = { 'mcp-protocol-version': greeting.version }
  if (greeting.era === 'sessions')
    return { ...version, ...(greeting.id !== undefined && { 'mcp-session-id': greeting.id }) }
  return { ...version, 'mcp-method': method, ...(typeof name === 'string' && { 'mcp-name': inHeader(name) }) }
}

const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/
const ENCODED = /^=\?base64\?.*\?=$/i

function inHeader(name: string): string {
  if (PLAIN.test(name) && !ENCODED.test(name)) return name
  return `=?base64?${Buffer.from(name).toString('base64')}?=`
}

export function post(
  connection: OpenConnection,
  message: object,
  headers: Headers
): ReturnType<OpenConnection['request']> {
  return connection.request(String(connection.settings.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers
    },
    body: JSON.stringify(message)
  })
}

/** A server that was changed meanwhile speaks another version. */
const WRONG_VERSION = -32022

interface RefusedRequest extends Sender {
  readonly greeting: Greeting | undefined
  readonly id: number
}

/** What is wrong with a request is mostly said in the body, as an error of the protocol. */
async function whyRefused(
  answer: IncomingAnswer,
  { connection, step, greeting, id }: RefusedRequest
): Promise<Error> {
  const { status } = answer
  const isSaid = status >= 400 && status < 500 && !isRefusedKey(status) && status !== 429
  const said = isSaid ? await readMessage(answer, id, step).catch(() => undefined) : undefined
  await answer.discard()
  if (!isPlainObject(said?.error)) return refusal(connection.name, status)
  if (greeting?.era === 'stateless' && said.error.code === WRONG_VERSION) return new Forgotten()
  return faultOf(said.error)
}

export function isRefusedKey(status: number): boolean {
  return status === 401 || status === 403
}

export function refusal(name: string, status: number): StepError {
  const isKey = isRefusedKey(status)
  const remedy = isKey
    ? 'Put a valid token into the connection, or sign in again.'
    : 'Check the address of the connection, and that the server runs.'
  return new StepError(`The MCP server of the connection "${name}" answered ${status}. ${remedy}`, {
    code: isKey ? 'mcp_token_refused' : 'mcp_failed',
    retryable: status >= 500 || status === 429
  })
}

/** An error of the protocol: the request itself is wrong, or what it names is not there. */
function answered(message: Message): Message {
  if (!isPlainObject(message.error)) return message
  throw faultOf(message.error)
}

function faultOf({ message }: Params): StepError {
  return new StepError(`The MCP server says: ${boundedWords(String(message ?? 'something went wrong'))}`, {
    code: 'mcp_refused',
    retryable: false
  })
}
