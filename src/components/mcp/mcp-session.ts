import type { ConnectionResource, JsonValue, OpenConnection, Step } from '../../plugin-api.ts'
import { greetServer } from './greet-server.ts'
import { Forgotten, type Greeting } from './greeting.ts'
import type { Message } from './read-messages.ts'
import { sendMessage } from './send-message.ts'

export const MCP_KIND = ['mcp'] as const

/** What a server has said of a session with it, for all steps that use the connection as it is now. */
interface Session {
  begun: Promise<Greeting> | undefined
  next: number
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
        if (!(error instanceof Forgotten)) throw error
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

async function greet(session: Session, connection: OpenConnection, step: AskingStep): Promise<Greeting> {
  const byAnother = await session.begun?.catch(() => undefined)
  // It may have failed because the step that greeted was cancelled.
  if (byAnother !== undefined) return byAnother
  session.begun ??= greetServer({ connection, step, nextId: () => session.next++ }).catch((error) => {
    session.begun = undefined
    throw error
  })
  return session.begun
}

interface Asked {
  readonly session: Session
  readonly greeting: Greeting
  readonly method: string
  readonly params: Readonly<Record<string, JsonValue>>
}

function ask(
  connection: OpenConnection,
  step: AskingStep,
  { session, greeting, method, params }: Asked
): Promise<Message> {
  const headers = { 'idempotency-key': step.idempotencyKey }
  return sendMessage({ connection, step }, greeting, { id: session.next++, method, params, headers })
}
