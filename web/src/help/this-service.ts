/** Where a service listens that nobody told anything else. */
const BY_ITSELF = 'http://127.0.0.1:7860'
/** Only of requests: where the documents tell of settings, it is what it is by itself. */
const REQUESTED = new RegExp(`${BY_ITSELF}(?=/(?:api/)?v1\\b)`, 'g')

/** A document with the requests in it sent to the service that shows it, so that they can be copied as they are. */
export function askingThisService(html: string, service: string): string {
  return html.replaceAll(REQUESTED, () => service.replaceAll('&', '&amp;'))
}

/** From the address that the page is served at, which ends with a slash. */
export function serviceAt(base: string): string {
  return base.replace(/\/$/, '')
}
