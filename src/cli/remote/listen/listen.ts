import type { Command } from '../../command.ts'
import { UsageError } from '../../command-error.ts'
import type { Api } from '../api.ts'
import { followEvents, type StreamNews, streamNote } from '../events/follow-events.ts'
import { patiently } from '../events/patiently.ts'
import { flowPath, ofFlow } from '../flows/flow-named.ts'
import { toneOf } from '../print/paint.ts'
import { clockText } from '../print/times.ts'
import { harmless } from '../print/width.ts'
import { ApiRefusal } from '../refusals.ts'
import type { Remote } from '../remote.ts'
import { listedRuns, type Run, runPath } from '../runs/run-choice.ts'
import { Arrivals } from './arrivals.ts'
import { forwardedRequest } from './forwarded-request.ts'
import { bodyFor, type Sent, sendOn } from './send-on.ts'

/** Hands requests on in the order in which they came, one after the other, until somebody ends it. */
export async function listen({ operands, options }: Command<'listen'>, remote: Remote): Promise<void> {
  const { api, screen, outside } = remote
  const forward = readForward(options.forward)
  const flow = await ofFlow(api, operands.flow, () =>
    api.call<{ id: string; slug: string }>(flowPath(operands.flow))
  )
  const arrivals = new Arrivals()
  for await (const newest of listedRuns(api, { flow_id: flow.id }, 1)) arrivals.pass(newest)
  const begin = `Requests of ${flow.slug} go to ${forward}; Ctrl-C ends it.`
  for await (const news of followEvents(api, flowPath(flow.id, '/events'), outside.signal)) {
    const note = streamNote(news, begin)
    if (note !== undefined) screen.note(note)
    for await (const runId of arrivedBy(news, flow.id, arrivals, api)) await handOn(runId, forward, remote)
  }
}

async function* arrivedBy(
  news: StreamNews,
  flowId: string,
  arrivals: Arrivals,
  api: Api
): AsyncGenerator<string> {
  if (news.kind !== 'event') return
  if (news.event !== 'reset') {
    if (arrivals.isNewEvent(news)) yield String(news.data.run_id)
    return
  }
  // Too many came while the connection was broken for the stream to tell them one by one: the list has them.
  const missed = await Array.fromAsync(listedRuns(api, { flow_id: flowId, since: arrivals.since }))
  for (const run of missed.reverse()) if (arrivals.isNew(run)) yield run.id
}

function readForward(text: string | undefined): string {
  const url = text === undefined ? null : URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href
  const what =
    text === undefined ? 'Say where the requests go' : `--forward cannot be "${text}". Write an address`
  throw new UsageError(`${what}, for example --forward http://localhost:3000/hooks.`)
}

async function handOn(runId: string, forward: string, { api, screen, outside }: Remote): Promise<void> {
  // It was told, and is told only once: a service that is away just now is asked again.
  const ready = await patiently(() => readyToSend(runId, forward, api), outside.signal)
  if (ready === undefined) return
  const { forwarded, body, bytes } = ready
  const { method, url } = forwarded
  const sent = await sendOn(forwarded, body, outside.signal)
  if (screen.isJson) return screen.jsonLine({ run_id: runId, method, url, bytes, ...sent })
  const isGood = 'status' in sent && sent.status < 400
  const line = [
    screen.paint('dim', clockText(outside.now())),
    runId,
    method.padEnd(6),
    screen.paint(toneOf(isGood ? 'succeeded' : 'failed'), sentText(sent)),
    `${sent.took_ms} ms`
  ]
  screen.print(`${line.join('  ')}\n`)
}

/** Undefined where the run came from no request, or is gone already, or a file of it is. */
async function readyToSend(runId: string, forward: string, api: Api) {
  try {
    const { request } = await api.call<Pick<Run, 'request'>>(runPath(runId))
    if (request === null) return undefined
    const input = await api.bytes(runPath(runId, '/input'))
    const forwarded = forwardedRequest(request, input, forward, runId)
    return { forwarded, body: await bodyFor(forwarded.body, api), bytes: input.byteLength }
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 404) return undefined
    throw error
  }
}

function sentText(sent: Sent): string {
  return 'status' in sent ? String(sent.status) : harmless(sent.error)
}
