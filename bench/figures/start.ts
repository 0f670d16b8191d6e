import { PAYLOAD, webhookOf } from '../load.ts'
import { API_KEY, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Workspace } from '../workspace.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const START: Target = { name: 'start to first accepted webhook', unit: 'ms', must: { below: 1000 } }
const FIRST: Target = { name: 'first start, on an empty folder', unit: 'ms' }
const STARTS = 5

/** From spawning what `npm start` runs to the first 202. */
export const startGroup: FigureGroup = {
  key: 'start',
  about: 'from spawning the process to the first 202',
  targets: [START, FIRST],
  async measure({ workspace, say }: Bench): Promise<Figure[]> {
    const home = workspace.folder('bench-start')
    const first = await timeToFirstAccept(workspace, home)
    say(`start: first ever ${Math.round(first)} ms`)
    const later: number[] = []
    for (let index = 0; index < STARTS; index++) later.push(await timeToFirstAccept(workspace, home))
    const detail = `median of ${STARTS} starts of scripts/start.mjs on an existing store (${later.map(Math.round).join(', ')})`
    return [
      { ...START, measured: median(later), detail },
      {
        ...FIRST,
        measured: first,
        detail: 'store and example flow made; dependencies are installed already'
      }
    ]
  }
}

async function timeToFirstAccept(workspace: Workspace, home: string): Promise<number> {
  const since = performance.now()
  const service = await startService(workspace, { home })
  const response = await fetch(webhookOf(service), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    body: PAYLOAD
  })
  const elapsed = performance.now() - since
  if (response.status !== 202) throw new Error(`the first webhook was answered ${response.status}`)
  const end = await service.stop()
  if (end !== 0) throw new Error(`SIGTERM ended the service with ${end}, not 0`)
  return elapsed
}
