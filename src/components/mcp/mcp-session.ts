import {
  boundedWords,
  type ConnectionResource,
  isPlainObject,
  type JsonValue,
  type OpenConnection,
  type Step,
  StepError
} from '../../plugin-api.ts'
import { type Message, readMessage } from './read-messages.ts'

/** The version that we ask for; a server answers with one that it speaks. */
const VERSION = '2025-06-18'

export const MCP_KIND = ['mcp'] as const

/** What a server has said of a session with it, for all steps that use the connection as it is now. */
interface Session {
  begun: Promise<Greeting> | undefined
  next: number
}

interface Greeting {
  readonly version: string
  /** Undefined where the server keeps no state. */
  readonly id: string | undefined
}

const SESSIONS: ConnectionResource<Session> = {
  open: () => ({ begun: undefined, next: 1 }),
  close: () => {}
}

type AskingStep = Pick<Step, 'connection' | 'idempotencyKey' | 'pause'>

/** Asks the server that the connection leads to. */
export type AskServer = (method: string, params: Readonly<Record<string, JsonValue>>) => Promise<Message>

/** Works with a server, within its session. One that it has forgotten is begun anew, once. */
export function withServer<R>(
  step: AskingStep,
  name: string,
  work: (ask: AskServer) => Promise<R>
): Promise<R> {
  const connection = step.connection(name, MCP_KIND)
  return connection.withResource(SESSIONS, (session) =>
    work(async (method, params) => {
      const greeting = await greet(session, connection, step)
      try {
        return await ask(connection, step, { session, greeting, method, params })
      } catch (error) {
        if (!(error instanceof SessionGone)) throw error
        session.begun = undefined
        return ask(connection, step, {
          session,
          greeting: await greet(session, connection, step),
          method,
          params
        })
      }
    })
  )
}

function greet(session: Session, connection: OpenConnection, step: AskingStep): Promise<Greeting> {
  session.begun ??= begin(session, connection, step).catch((error) => {
    session.begun = undefined
    throw error
  })
  return session.begun
}

async function begin(session: Session, connection: OpenConnection, step: AskingStep): Promise<Greeting> {
  const id = session.next++
  const params = {
    protocolVersion: VERSION,
    capabilities: {},
    clientInfo: { name: 'millrace', version: '1' }
  }
  const answer = await send(connection, { jsonrpc: '2.0', id, method: 'initialize', params }, {})
  const { result } = answered(await readMessage(answer, id, step))
  const greeting = {
    version: isPlainObject(result) ? String(result.protocolVersion ?? VERSION).slice(0, 40) : VERSION,
    id: answer.headers['mcp-session-id']?.slice(0, 1_000)
  }
  const told = await send(
    connection,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    headersOf(greeting)
  )
  await told.discard()
  return greeting
}

interface Asked {
  readonly session: Session
  readonly greeting: Greeting
  readonly method: string
  readonly params: Readonly<Record<string, JsonValue>>
}

async function ask(
  connection: OpenConnection,
  step: AskingStep,
  { session, greeting, method, params }: Asked
): Promise<Message> {
  const id = session.next++
  const headers = { ...headersOf(greeting), 'idempotency-key': step.idempotencyKey }
  const answer = await send(connection, { jsonrpc: '2.0', id, method, params }, headers)
  return answered(await readMessage(answer, id, step))
}

function headersOf({ version, id }: Greeting): Record<string, string> {
  return { 'mcp-protocol-version': version, ...(id !== undefined && { 'mcp-session-id': id }) }
}

class SessionGone extends Error {}

async function send(
  connection: OpenConnection,
  message: object,
  headers: Readonly<Record<string, string>>
): ReturnType<OpenConnection['request']> {
  const answer = await connection.request(String(connection.settings.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers
    },
    body: JSON.stringify(message)
  })
  if (answer.status < 300) return answer
  await answer.discard()
  if (answer.status === 404 && headers['mcp-session-id'] !== undefined) throw new SessionGone()
  throw refusal(connection.name, answer.status)
}

function refusal(name: string, status: number): StepError {
  const isKey = status === 401 || status === 403
  const remedy = isKey
    ? 'Put a valid token into the connection.'
    : 'Check the address of the connection, and that the server runs.'
  return new StepError(`The MCP server of the connection "${name}" answered ${status}. ${remedy}`, {
    code: isKey ? 'mcp_token_refused' : 'mcp_failed',
    retryable: status >= 500 || status === 429
  })
}

/** An error of the protocol: the request itself is wrong, or what it names is not there. */
function answered(message: Message): Message {
  const { error } = message
  if (!isPlainObject(error)) return message
  throw new StepError(
    `The MCP server says: ${boundedWords(String(error.message ?? 'something went wrong'))}`,
    {
      code: 'mcp_refused',
      retryable: false
    }
  )
}
