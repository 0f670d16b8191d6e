import type { OpenConnection } from '../../plugin-api.ts'

/** Connects, encrypts and signs in, as a mail would. Resolves to words for whoever tries the connection. */
export async function tryMailServer(connection: OpenConnection, signal: AbortSignal): Promise<string> {
  const { MailSession } = await import('./mail-session.ts')
  return MailSession.with(connection, signal, async (session) => {
    session.leave()
    const { user } = connection.settings
    const how = session.encryption ?? 'without encryption'
    const who =
      user === undefined ? 'nobody signed in, since no user is set' : `it took the sign-in of ${user}`
    return `It was reached (${how}), and ${who}. No mail was sent.`
  })
}
