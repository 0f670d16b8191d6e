import { timeOrderedIds } from '../src/clock.ts'
import type { StepRecord } from '../src/engine/step-record.ts'
import { runStartOf } from '../src/runs/record/run-start.ts'
import { encodeSteps } from '../src/runs/record/step-codec.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import type { NewRun, Outcome } from '../src/store/store.ts'
import { PAYLOAD } from './load.ts'

export interface Prefill {
  readonly folder: string
  readonly runs: number
  readonly onProgress: (done: number) => void
}

/** Runs that share a commit; large, because only the result counts here. */
const BATCH = 1_000
const SPREAD_MS = 7 * 86_400_000
const PROGRESS_EVERY = 100_000

/** Fills a store that the service made with ended runs of the flow `orders`, spread over the last week. */
export async function prefill({ folder, runs, onProgress }: Prefill): Promise<void> {
  const store = await openSqliteStore({ folder })
  try {
    const flow = (await store.flows.live()).find(({ slug }) => slug === 'orders')
    if (flow === undefined) throw new Error('the store to fill has no flow "orders"')
    const begin = Date.now() - SPREAD_MS
    let at = begin
    const newId = timeOrderedIds(() => at)
    for (let done = 0; done < runs; done += BATCH) {
      at = begin + Math.floor((done / runs) * SPREAD_MS)
      const news = Array.from({ length: BATCH }, () => runOf(flow, newId(), at))
      const accepted = await Promise.all(news.map((run) => store.runs.accept(run)))
      await Promise.all(accepted.map((run) => store.runs.end(run, outcomeOf(newId(), at))))
      if ((done + BATCH) % PROGRESS_EVERY === 0) onProgress(done + BATCH)
    }
  } finally {
    await store.close()
  }
}

const INPUT = Buffer.from(PAYLOAD)
const HEADERS = [
  'host',
  '127.0.0.1:7860',
  'content-type',
  'application/json',
  'content-length',
  `${INPUT.length}`
]
const REQUEST = JSON.stringify(['POST', '/api/v1/webhook/orders', '127.0.0.1', ...HEADERS])
const GIVENS = runStartOf({ input: INPUT, request: REQUEST })

function runOf(flow: { id: string; version: number }, id: string, createdAt: number): NewRun {
  return {
    id,
    flowId: flow.id,
    flowVersion: flow.version,
    trigger: 'webhook',
    session: 'default',
    createdAt,
    input: INPUT,
    request: REQUEST,
    replayOf: null,
    context: null
  }
}

const TEXT = 'Order 48213 from Ann Example'

function outcomeOf(messageId: string, at: number): Outcome {
  const message = { id: messageId, session: 'default', sender: 'Machine', text: TEXT, createdAt: at + 2 }
  const facts = {
    status: 'succeeded',
    attempts: 1,
    startedAt: at + 2,
    durationMs: 0.021,
    error: null
  } as const
  const steps: StepRecord[] = [
    {
      node: 'webhook-1',
      type: 'webhook',
      ...facts,
      outputs: { data: GIVENS.input, request: GIVENS.request }
    },
    { node: 'parser-1', type: 'parser', ...facts, outputs: { parsed_text: TEXT } },
    { node: 'chat-output-1', type: 'chat-output', ...facts, outputs: { message: TEXT }, messages: [message] }
  ]
  return {
    status: 'succeeded',
    startedAt: at + 2,
    finishedAt: at + 3,
    error: null,
    steps: encodeSteps(steps, GIVENS),
    messages: [message],
    nodesWithOutput: ['webhook-1', 'parser-1', 'chat-output-1'],
    usage: []
  }
}
