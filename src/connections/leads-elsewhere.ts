/** Also for the page, which asks for the secrets before the service has to. */

type Settings = Readonly<Record<string, unknown>>

/**
 * Whether a change of these settings, complete with what they are where nothing is said, would take what was entered for one place
 * to another: whoever may change an address is not always the one who may know the secret.
 */
export function leadsElsewhere(before: Settings, after: Settings): boolean {
  return placeOf(before) !== placeOf(after) || trustsMore(before, after)
}

/** Where a token URL leads within its host matters too: providers of many have one host for all of them. */
function placeOf({ base_url, url, token_url, host, port }: Settings): string {
  return JSON.stringify([
    urlOf(base_url ?? url)?.origin,
    urlOf(token_url)?.href,
    typeof host === 'string' ? host.toLowerCase() : undefined,
    port
  ])
}

/** Another authority, or none, lets somebody else be the server, as another address does. */
function trustsMore(before: Settings, after: Settings): boolean {
  if (strengthOf(after.ssl) < strengthOf(before.ssl)) return true
  const isChecked = before.ssl === undefined || before.ssl === true
  return isChecked && (before.ca ?? '') !== (after.ca ?? '')
}

function strengthOf(ssl: unknown): number {
  if (ssl === true) return 2
  return ssl === 'no-verify' ? 1 : 0
}

function urlOf(text: unknown): URL | undefined {
  return typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
}
