import { MillraceError } from '../errors.ts'
import { operatorsKey, SignInLinks, signInPath } from '../keys/sign-in-links.ts'
import { type Config, reachableAddress } from './config.ts'
import { openStoreForCommand } from './open-command-store.ts'

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
  const store = await openStoreForCommand(config, 'sign-in')
  try {
    const key = operatorsKey(await store.keys.list(), now())
    if (key === undefined) throw withoutKey(config)
    const token = await new SignInLinks({ store: store.signIns, now }).offer(key.id)
    return (publicUrl ?? reachableAddress(host, port)) + signInPath(token)
  } finally {
    await store.close()
  }
}

function withoutKey({ home, database }: Pick<Config, 'home' | 'database'>): MillraceError {
  const where = database === null ? home : 'the database'
  return new MillraceError(
    'config_invalid',
    `No key in ${where} has every right, so there is nothing to sign in with. Start Millrace with MILLRACE_API_KEY set.`
  )
}
