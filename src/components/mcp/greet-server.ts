import { isPlainObject, type JsonValue, type OpenConnection, type Step } from '../../plugin-api.ts'
import type { Greeting } from './greeting.ts'
import { readMessage } from './read-messages.ts'
import { CLIENT, headersOf, isRefusedKey, post, refusal, sendMessage, within } from './send-message.ts'

interface Greeter {
  readonly connection: OpenConnection
  readonly step: Pick<Step, 'pause'>
  readonly nextId: () => number
}

/** In 2026 the handshake was dropped. */
const STATELESS = '2026-07-28'
/** The version of those with a handshake that we ask for; a server answers with one that it speaks. */
const WITH_HANDSHAKE = '2025-11-25'

/** Finds out how the server wants to be spoken to: without a handshake, and where it does not know that, with one. */
export async function greetServer(greeter: Greeter): Promise<Greeting> {
  return (await isStateless(greeter)) ? { era: 'stateless', version: STATELESS } : shakeHands(greeter)
}

/** Whatever is no answer to the question comes from a server that never heard of it. */
async function isStateless({ connection, step, nextId }: Greeter): Promise<boolean> {
  const id = nextId()
  const greeting = { era: 'stateless', version: STATELESS } as const
  const method = 'server/discover'
  const message = { jsonrpc: '2.0', id, method, params: within(greeting, {}) }
  const answer = await post(connection, message, headersOf(greeting, method, {}))
  if (answer.status >= 300) {
    await answer.discard()
    if (isRefusedKey(answer.status)) throw refusal(connection.name, answer.status)
    return false
  }
  try {
    const { result } = await readMessage(answer, id, step)
    const versions = isPlainObject(result) ? result.supportedVersions : undefined
    return Array.isArray(versions) && (versions as JsonValue[]).includes(STATELESS)
  } catch {
    return false
  }
}

async function shakeHands({ connection, step, nextId }: Greeter): Promise<Greeting> {
  const params = { protocolVersion: WITH_HANDSHAKE, capabilities: {}, clientInfo: CLIENT }
  let id: string | undefined
  const { result } = await sendMessage({ connection, step }, undefined, {
    id: nextId(),
    method: 'initialize',
    params,
    onAnswer: ({ headers }) => {
      id = headers['mcp-session-id']?.slice(0, 1_000)
    }
  })
  const said = isPlainObject(result) ? result.protocolVersion : undefined
  const greeting = { era: 'sessions', version: String(said ?? WITH_HANDSHAKE).slice(0, 40), id } as const
  const method = 'notifications/initialized'
  const told = await post(connection, { jsonrpc: '2.0', method }, headersOf(greeting, method, {}))
  await told.discard()
  if (told.status >= 300) throw refusal(connection.name, told.status)
  return greeting
}
