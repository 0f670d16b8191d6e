/** Errors of steps that are mended in their connection: its key or sign-in did not do. */
const REFUSED: ReadonlySet<string> = new Set([
  'model_key_refused',
  'upstream_unauthorized',
  'sql_sign_in_refused',
  'mail_sign_in_refused',
  'oauth_failed',
  'oauth_refused',
  'oauth_sign_in_needed'
])

export function isRefusedSignIn(code: string): boolean {
  return REFUSED.has(code)
}
