import { get } from 'node:http'
import { API_KEY, type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'
import { createModelFlow, startModel } from './model-flow.ts'

const FIRST: Target = {
  name: 'first token through Millrace − the provider’s own',
  unit: 'ms',
  must: { atMost: 15 }
}

const FLOW = 'first-token'
const TRIES_PER_ROUND = 20
const HEADERS = { 'content-type': 'application/json', 'x-api-key': API_KEY }

/** From the webhook to the first piece of text at a watcher, against a call of the provider itself. */
export const firstTokenGroup: FigureGroup = {
  key: 'first-token',
  about: 'the first token of a language model, at who watches the flow against at who calls the provider',
  targets: [FIRST],
  async measure({ workspace, options, say }: Bench): Promise<Figure[]> {
    const model = await startModel(workspace)
    const service = await startService(workspace, { home: workspace.folder('bench-first-token') })
    await createModelFlow(service, model.url, [FLOW])
    const watcher = await watch(service)
    const [ours, theirs]: [number[], number[]] = [[], []]
    say('first-token: warming up')
    for (let turn = 0; turn < options.rounds * TRIES_PER_ROUND + 5; turn++) {
      const direct = await timed(() => askProvider(model.url))
      const through = await timed(() => askMillrace(service, watcher))
      if (turn < 5) continue
      ours.push(through)
      theirs.push(direct)
    }
    watcher.close()
    await service.stop()
    const added = median(ours.map((through, index) => through - theirs[index]!))
    const detail = `${median(ours).toFixed(1)} ms − ${median(theirs).toFixed(1)} ms, median of ${ours.length}`
    return [{ ...FIRST, measured: added, detail }]
  }
}

async function timed(task: () => Promise<void>): Promise<number> {
  const since = performance.now()
  await task()
  return performance.now() - since
}

async function askProvider(model: string): Promise<void> {
  const response = await fetch(`${model}/v1/chat/completions`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ messages: [{ role: 'user', content: '1' }], stream: true })
  })
  const reader = response.body!.getReader()
  await reader.read()
  await reader.cancel()
}

interface Watcher {
  /** Resolves at the next piece of text; and when its run has ended. */
  next(): { readonly text: Promise<void>; readonly end: Promise<void> }
  close(): void
}

function watch(service: Service): Promise<Watcher> {
  let onText = () => {}
  let onEnd = () => {}
  return new Promise((resolve) => {
    const request = get(
      `${service.url}/api/v1/flows/${FLOW}/events`,
      { headers: HEADERS, agent: false },
      (events) => {
        events.setEncoding('utf8').on('data', (text: string) => {
          if (text.includes('event: message.delta')) onText()
          if (text.includes('event: run.ended')) onEnd()
          resolve({ next, close: () => request.destroy() })
        })
        events.on('error', () => {})
      }
    )
    request.on('error', () => {})
  })

  function next() {
    const text = new Promise<void>((resolve) => {
      onText = resolve
    })
    const end = new Promise<void>((resolve) => {
      onEnd = resolve
    })
    return { text, end }
  }
}

/** Up to the first piece; the run is waited for, too, but that is no part of it. */
async function askMillrace(service: Service, watcher: Watcher): Promise<void> {
  const { text } = watcher.next()
  await fetch(`${service.url}/api/v1/webhook/${FLOW}`, {
    method: 'POST',
    headers: HEADERS,
    body: '{"tokens":1}'
  })
  await text
}
