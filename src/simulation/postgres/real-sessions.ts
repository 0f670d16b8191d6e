import { Client, type ClientConfig } from 'pg'

/** A session of the real server, which one simulated connection after the other uses. */
export interface Session {
  readonly kind: string
  readonly client: Client & { readonly processID: number }
}

/**
 * Sessions are opened once and used again: to open one takes ten times as long as a statement, and what is prepared in it
 * stays so. Whatever a connection leaves behind in one, which is a transaction at the most, is ended first.
 */
export class RealSessions {
  readonly #url: string
  readonly #idle = new Map<string, Session[]>()
  readonly #all = new Set<Session>()

  constructor(url: string) {
    this.#url = url
  }

  async take(config: ClientConfig): Promise<Session> {
    const kind = config.options ?? ''
    const session = this.#idle.get(kind)?.pop() ?? (await this.#open(kind, config))
    return session
  }

  giveBack(session: Session): void {
    const idle = this.#idle.get(session.kind) ?? []
    this.#idle.set(session.kind, [...idle, session])
  }

  async end(): Promise<void> {
    await Promise.all([...this.#all].map(({ client }) => client.end()))
  }

  async #open(kind: string, { types }: ClientConfig): Promise<Session> {
    const client = new Client({
      connectionString: this.#url,
      options: `${kind} ${SETTINGS}`,
      pipeline: true,
      ...(types !== undefined && { types })
    } as ClientConfig)
    client.on('error', () => {})
    await client.connect()
    const session = { kind, client: client as Session['client'] }
    this.#all.add(session)
    return session
  }
}

/**
 * Functions of `simulation` go before PostgreSQL's own. Two that stand in each other's way are told at once: how long that
 * takes would otherwise decide what happens next. What the server does by its own clock, it does not.
 */
const SETTINGS = [
  'search_path=simulation,pg_catalog,millrace,public',
  'plan_cache_mode=force_generic_plan',
  'deadlock_timeout=1ms',
  'idle_in_transaction_session_timeout=0',
  'statement_timeout=0',
  'synchronous_commit=off'
]
  .map((setting) => `-c ${setting}`)
  .join(' ')
