import { webhookSending } from '../../../src/flows/webhook-sending.ts'
import type { Api } from './client.ts'
import { ApiProblem, readProblem, unreachable } from './problem.ts'

/** How the endpoint answered a request that the page sent. */
export interface WebhookAnswer {
  readonly status: number
  readonly durationMs: number
  /** What was answered, as text. */
  readonly body: string
  /** Where it was accepted. */
  readonly runId: string | undefined
  /** Where it was not, or its run failed before the flow answered. */
  readonly problem: ApiProblem | undefined
}

interface WebhookRequest {
  /** Id or slug. */
  readonly flow: string
  /** Those that its Webhook takes. */
  readonly methods: readonly string[]
  /** Sent byte for byte; in the query where it is called by GET. */
  readonly body: string
}

/**
 * Sends to a webhook as anybody would, with the session in the place of a key. Not by the client of the API: a 401 is
 * an answer to be shown here, since an endpoint may ask for a signature, and does not mean that the session ended.
 */
export async function sendToWebhook(api: Api, sent: WebhookRequest): Promise<WebhookAnswer> {
  const since = performance.now()
  try {
    const { method, query, body } = webhookSending(sent.methods, sent.body)
    const response = await fetch(api.address(`webhook/${encodeURIComponent(sent.flow)}${query}`), {
      method,
      credentials: 'same-origin',
      ...(body === null ? {} : { headers: { 'content-type': 'application/json' }, body })
    })
    const text = await response.text()
    // It is there whatever the flow answers.
    const run = response.headers.get('location')?.split('/api/v1/runs/').at(1)
    return answered({ status: response.status, body: text, durationMs: performance.now() - since }, run)
  } catch (error) {
    const problem = error instanceof ApiProblem ? error : unreachable()
    return { status: 0, durationMs: performance.now() - since, body: '', runId: undefined, problem }
  }
}

/** The same, with the proof that the sender of the flow would send: the service makes it, of a secret that no page can read. */
export async function sendAsSender(api: Api, flowId: string, body: string): Promise<WebhookAnswer> {
  const since = performance.now()
  const { run_id, ...answer } = await api.post<{
    readonly status: number
    readonly body: string
    readonly run_id?: string
  }>(`flows/${flowId}/send`, { body: { body } })
  return answered({ ...answer, durationMs: performance.now() - since }, run_id)
}

/** What a flow answers itself is no problem of the service, whatever its status. */
function answered(
  answer: Pick<WebhookAnswer, 'status' | 'body' | 'durationMs'>,
  runId: string | undefined
): WebhookAnswer {
  const said = readAnswer(answer.body)
  const isRefused = answer.status >= 400 && (runId === undefined || said.code === 'run_failed')
  return { ...answer, runId, problem: isRefused ? readProblem(answer.status, '', said) : undefined }
}

function readAnswer(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
