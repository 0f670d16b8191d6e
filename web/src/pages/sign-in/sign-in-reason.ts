const REASONS = new Map([
  ['used', 'This sign-in link has already been used; it works once. Sign in with an API key.'],
  ['expired', 'This sign-in link is too old. Sign in with an API key.'],
  ['ended', 'Your session has ended, or its key was revoked. Sign in again to continue.']
])

/** Why somebody has to sign in, by the word in the address, which anybody may have written. */
export function signInReason(word: string | null): string | undefined {
  return REASONS.get(word ?? '')
}
