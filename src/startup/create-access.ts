import type { Clock } from '../clock.ts'
import { KnownHosts } from '../http/requests/known-hosts.ts'
import { OwnAddress } from '../http/waiting/own-address.ts'
import { KeyGuesses } from '../keys/key-guesses.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { LinkTokens } from '../keys/link-tokens.ts'
import { Sessions } from '../keys/sessions.ts'
import { SignInLinks } from '../keys/sign-in-links.ts'
import { TestAddressTokens } from '../keys/test-address-tokens.ts'
import { isSharedStore } from '../store/shared-store.ts'
import type { Store } from '../store/store.ts'

/** All by which somebody gets in, and the addresses at which they do. */
export interface Access {
  readonly keys: KeyRing
  readonly sessions: Sessions
  readonly signInLinks: SignInLinks
  readonly linkTokens: LinkTokens
  readonly testAddresses: TestAddressTokens
  readonly guesses: KeyGuesses
  readonly hosts: KnownHosts
  readonly ownAddress: OwnAddress
}

interface AccessOptions {
  readonly store: Store
  readonly clock: Pick<Clock, 'newId' | 'now'>
  readonly hosts: KnownHosts | undefined
}

const ANY_HOST = { host: null, publicUrl: null, allowedHosts: [] }

export async function createAccess({ store, clock, hosts: known }: AccessOptions): Promise<Access> {
  const { newId, now } = clock
  const confirmed = isSharedStore(store) ? { confirmed: () => store.library.confirmed('keys') } : {}
  const keys = new KeyRing({ store: store.keys, newId, now, ...confirmed })
  const hosts = known ?? new KnownHosts(ANY_HOST)
  return {
    keys,
    sessions: await Sessions.open({ store: store.signIns, keys, now, ...confirmed }),
    signInLinks: new SignInLinks({ store: store.signIns, now }),
    linkTokens: await LinkTokens.open(store.signIns),
    testAddresses: await TestAddressTokens.open(store.signIns),
    guesses: new KeyGuesses(now),
    hosts,
    ownAddress: new OwnAddress(hosts.publicUrl)
  }
}
