import type { Welcome } from './welcome.ts'

/** What an application learns of a service that begins for the first time in its store. */
export interface FirstStart {
  /** The key that was made: told here and nowhere else, ever. Null where the application has set one. */
  readonly apiKey: string | null
  /** Signs in to the page, once, within a day. A path where the public address is not known. */
  readonly signInLink: string | null
}

export function firstStartOf(
  { generatedKey, signInToken }: Welcome,
  addressOf: (token: string) => string
): FirstStart {
  return { apiKey: generatedKey, signInLink: signInToken === null ? null : addressOf(signInToken) }
}

/**
 * For an application that does not ask: on stderr, since its log may be silent, and then nobody ever had the key. And not
 * in the log, which is shipped and kept.
 */
export function tellOnStderr({ apiKey, signInLink }: FirstStart): void {
  // Whoever has set a key can get in, and has no use for a line in every test of a plugin.
  if (apiKey === null) return
  const lines = [
    `Millrace made its first API key, and shows it this once: ${apiKey}`,
    ...(signInLink === null ? [] : [`Its page: ${signInLink} signs in once, within a day`])
  ]
  process.stderr.write(`${lines.join('\n')}\n`)
}
