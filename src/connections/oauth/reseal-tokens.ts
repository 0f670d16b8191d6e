import type { TokenStore } from '../../store/connections.ts'
import { resealSecret, SealBroken } from '../sealed-secret.ts'
import type { SecretKeys } from '../secret-keys.ts'
import { tokenPlace } from './tokens.ts'

/** Seals tokens with the first key, beside services that get new ones. What no key opens stays: it is asked for anew. */
export async function resealTokens(
  store: Pick<TokenStore, 'list' | 'write'>,
  keys: SecretKeys
): Promise<void> {
  for (;;) {
    const pending = (await store.list()).flatMap((stored) => {
      const tokens = resealed(stored.tokens, stored.connectionId, keys)
      return tokens === undefined ? [] : [{ ...stored, tokens, revision: stored.revision + 1 }]
    })
    if (pending.length === 0) return
    // One that was written meanwhile is found by the next look.
    for (const each of pending) await store.write(each)
  }
}

function resealed(tokens: string, connectionId: string, keys: SecretKeys): string | undefined {
  if (tokens === '') return undefined
  try {
    return resealSecret(tokens, tokenPlace(connectionId), keys)
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}
