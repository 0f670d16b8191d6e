import type { IncomingAnswer } from '../../flows/step/step-connection.ts'
import type { OpenedSecrets } from '../opened-secrets.ts'
import { redactBytes } from './redact-bytes.ts'

/**
 * What a peer answers, without what it was told of secrets: before a component has it, which may cut it, encode it, or go where it
 * leads.
 */
export function redactedAnswer(answer: IncomingAnswer, secrets: OpenedSecrets): IncomingAnswer {
  if (secrets.isEmpty) return answer
  const { status, headers, url, body, readEvery, discard } = answer
  return {
    status,
    headers: redactedHeaders(headers, secrets),
    url: secrets.redactText(url),
    body: redactBytes(body, () => secrets.spellings),
    readEvery,
    discard
  }
}

/** The same in the types of the web. */
export function redactedResponse(response: Response, secrets: OpenedSecrets): Response {
  if (secrets.isEmpty) return response
  const { status, statusText, url, body } = response
  const headers = redactedHeaders(Object.fromEntries(response.headers), secrets)
  const stream = body === null ? null : streamOf(redactBytes(body, () => secrets.spellings))
  const redacted = new Response(stream, { status, statusText, headers })
  return Object.defineProperty(redacted, 'url', { value: secrets.redactText(url) })
}

function streamOf(parts: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await parts.return?.()
    }
  })
}

function redactedHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: OpenedSecrets
): Readonly<Record<string, string>> {
  return secrets.redactValue(headers) as Readonly<Record<string, string>>
}
