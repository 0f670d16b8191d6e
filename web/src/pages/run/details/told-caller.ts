import { readDuration } from '../../../../../src/flows/duration.ts'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import type { FlowDocument, Run } from '../../../api/shapes.ts'

/** What a run has for whoever called its flow. */
export interface ToldCaller {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: nothing. */
  readonly body: JsonValue | undefined
  /** Whose answer it is; undefined where the run just ended. */
  readonly node: string | undefined
  readonly afterMs: number
  readonly who: 'caller' | 'nobody' | 'too late'
}

type Told = Pick<
  Run,
  | 'answer'
  | 'created_at'
  | 'finished_at'
  | 'output'
  | 'replay_of'
  | 'request'
  | 'status'
  | 'steps'
  | 'test'
  | 'trigger'
>

/** Undefined where there is none (yet). `document` is the flow as the run used it, where it can still be had. */
export function toldCaller(run: Told, document: FlowDocument | undefined): ToldCaller | undefined {
  const waited = waitOf(run, document)
  const answer = run.answer === null ? answerByEnd(run, waited) : answerByStep(run.answer)
  if (answer === undefined) return undefined
  const { at, ...rest } = answer
  const afterMs = Math.max(0, Date.parse(at) - Date.parse(run.created_at))
  const isLate = waited !== undefined && afterMs > waited
  return { ...rest, afterMs, who: waited === undefined ? 'nobody' : isLate ? 'too late' : 'caller' }
}

/** How long the caller waited at most; undefined where nobody did. */
function waitOf({ trigger, request, replay_of, test }: Told, document: FlowDocument | undefined) {
  if (trigger !== 'webhook' || request === null || replay_of !== null || test) return undefined
  const fields = document?.nodes.find(({ type, disabled }) => type === 'webhook' && disabled !== true)?.fields
  if (fields?.respond !== 'When the flow answers') return undefined
  const ms = readDuration(String(fields.respond_within ?? '30s'))
  return typeof ms === 'number' ? ms : 30_000
}

function answerByStep({ node, status, headers, body, file, at }: NonNullable<Run['answer']>) {
  const shown = (file as JsonValue | null) ?? readBody(body, headers['content-type'])
  return { node, status, headers, body: shown, at }
}

function readBody(body: string, type = ''): JsonValue | undefined {
  if (body === '') return undefined
  if (!/\bjson\b/.test(type)) return body
  try {
    return JSON.parse(body) as JsonValue
  } catch {
    return body
  }
}

/** Who waited is told of the end, as the service tells it. */
function answerByEnd({ status, steps, output, finished_at: at }: Told, waited: number | undefined) {
  if (at === null || waited === undefined) return undefined
  const plain = { headers: {}, body: undefined, node: undefined, at }
  if (status === 'failed') return { ...plain, status: 500 }
  if (status !== 'succeeded') return undefined
  const gave = steps.find(({ type, status }) => type === 'return' && status === 'succeeded')
  if (gave === undefined) return { ...plain, status: 204 }
  return { status: 200, headers: { 'content-type': 'application/json' }, body: output, node: gave.node, at }
}
