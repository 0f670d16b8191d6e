import type { Api } from './client.ts'
import { ApiProblem, readProblem, unreachable } from './problem.ts'

/** How the endpoint answered a request that the page sent. */
export interface WebhookAnswer {
  readonly status: number
  readonly durationMs: number
  /** Where it was accepted. */
  readonly runId: string | undefined
  /** Where it was not. */
  readonly problem: ApiProblem | undefined
}

interface WebhookRequest {
  /** Id or slug. */
  readonly flow: string
  /** Sent byte for byte. */
  readonly body: string
}

/**
 * Sends to a webhook as anybody would, with the session in the place of a key. Not by the client of the API: a 401 is
 * an answer to be shown here, since an endpoint may ask for a signature, and does not mean that the session ended.
 */
export async function sendToWebhook(api: Api, { flow, body }: WebhookRequest): Promise<WebhookAnswer> {
  const since = performance.now()
  try {
    const response = await fetch(api.address(`webhook/${encodeURIComponent(flow)}`), {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body
    })
    const answer = readAnswer(await response.text())
    const durationMs = performance.now() - since
    const runId = typeof answer.run_id === 'string' ? answer.run_id : undefined
    const problem = response.ok ? undefined : readProblem(response.status, response.statusText, answer)
    return { status: response.status, durationMs, runId, problem }
  } catch (error) {
    const problem = error instanceof ApiProblem ? error : unreachable()
    return { status: 0, durationMs: performance.now() - since, runId: undefined, problem }
  }
}

/** The same, with the proof that the sender of the flow would send: the service makes it, of a secret that no page can read. */
export async function sendAsSender(api: Api, flowId: string, body: string): Promise<WebhookAnswer> {
  const since = performance.now()
  const { status, body: text } = await api.post<{ readonly status: number; readonly body: string }>(
    `flows/${flowId}/send`,
    { body: { body } }
  )
  const answer = readAnswer(text)
  return {
    status,
    durationMs: performance.now() - since,
    runId: typeof answer.run_id === 'string' ? answer.run_id : undefined,
    problem: status < 400 ? undefined : readProblem(status, '', answer)
  }
}

function readAnswer(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
