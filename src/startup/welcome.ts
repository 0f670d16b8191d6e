import type { KeyRing } from '../keys/key-ring.ts'
import { operatorsKey, type SignInLinks } from '../keys/sign-in-links.ts'

export interface Welcome {
  /** Whether no start before this one has served. */
  readonly isFirstStart: boolean
  /** The key of a new store that the configuration gave none. */
  readonly generatedKey: string | null
  /** At the first start: what signs its operator in to the page, once. */
  readonly signInToken: string | null
}

type Show = (welcome: Welcome) => unknown

/** For a start that is not the first one, or serves nobody. */
export const NOT_FIRST: Welcome = { isFirstStart: false, generatedKey: null, signInToken: null }

interface WelcomeDeps {
  readonly keys: KeyRing
  readonly signInLinks: SignInLinks
  readonly now: () => number
  /** The key of the configuration. */
  readonly apiKey: string | null
}

/** Nothing but a start that served, or an operator, makes the first key. */
export function hasServed(keys: KeyRing): boolean {
  return keys.list().length > 0
}

/** Makes what is shown once. To be called by one process at a time. */
export async function welcome(
  { keys, signInLinks, now, apiKey }: WelcomeDeps,
  show: Show | undefined
): Promise<Welcome> {
  await keys.refresh()
  const isFirstStart = !hasServed(keys)
  if (apiKey !== null) await keys.configure(apiKey)
  if (!isFirstStart) return NOT_FIRST
  const generatedKey = apiKey === null ? await keys.createFirst() : null
  const key = operatorsKey(keys.list(), now())
  const signInToken = key === undefined ? null : await signInLinks.offer(key.id)
  const first = { isFirstStart, generatedKey, signInToken }
  await shown(first, show, keys)
  return first
}

async function shown(first: Welcome, show: Show | undefined, keys: KeyRing): Promise<void> {
  try {
    await show?.(first)
  } catch (error) {
    // A key that nobody has seen would lock everybody out.
    if (first.generatedKey !== null) await keys.remove(keys.list()[0]!.id)
    throw error
  }
}
