import { MillraceError } from '../errors.ts'
import { operatorsKey, SignInLinks, signInPath } from '../keys/sign-in-links.ts'
import { type CommandStore, openCommandStore } from '../store/sqlite/open-command-store.ts'
import { type Config, reachableAddress } from './config.ts'

/**
 * A link that signs in to the page once, for whoever may read the folder of the store, and so is its operator.
 *
 * A start prints such a link only the first time: logs of later starts are read by machines and kept, and a link in
 * each of them would be a door left open a day at a time.
 */
export async function offerSignIn(
  config: Pick<Config, 'home' | 'host' | 'port' | 'database' | 'publicUrl'>,
  now: () => number
): Promise<string> {
  const { host, port, publicUrl } = config
  if (port === 0 && publicUrl === null) {
    throw new MillraceError(
      'config_invalid',
      'PORT is 0, so nobody knows where Millrace listens. Set PORT to the port that it printed when it started.'
    )
  }
  const store = await open(config)
  try {
    const key = operatorsKey(await store.keys.list(), now())
    if (key === undefined) throw withoutKey(config)
    const token = await new SignInLinks({ store: store.signIns, now }).offer(key.id)
    return (publicUrl ?? reachableAddress(host, port)) + signInPath(token)
  } finally {
    await store.close()
  }
}

async function open({ home, database }: Pick<Config, 'home' | 'database'>): Promise<CommandStore> {
  if (database === null) return openCommandStore(home)
  const { openPostgresStore } = await import('../store/postgres/open-postgres-store.ts')
  return openPostgresStore({ url: database.url, connections: 4, processId: 'sign-in', mayBeFirst: false })
}

function withoutKey({ home, database }: Pick<Config, 'home' | 'database'>): MillraceError {
  const where = database === null ? home : 'the database'
  return new MillraceError(
    'config_invalid',
    `No key in ${where} has every right, so there is nothing to sign in with. Start Millrace with MILLRACE_API_KEY set.`
  )
}
