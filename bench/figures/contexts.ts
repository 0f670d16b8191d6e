import { fileURLToPath } from 'node:url'
import { API_KEY, type Service, startService } from '../service-process.ts'
import { compareServices } from './compare-services.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const CONTEXTS: Target = {
  name: 'accept with 500 contexts and 5,000 registrations ÷ with none',
  unit: '',
  must: { atLeast: 0.95 }
}

const CROWD = fileURLToPath(new URL('../crowd-plugin.ts', import.meta.url))
const HOME_OF_THE_FLOW = '/crowd/team-250'

/** Whether the tree of contexts costs anything per request: the flow lives in the middle of it. */
export const contextsGroup: FigureGroup = {
  key: 'contexts',
  about: 'accepting with 500 contexts and 5,000 registrations against none',
  targets: [CONTEXTS],
  async measure(bench: Bench): Promise<Figure[]> {
    const { workspace, say } = bench
    const start = (name: string, env = {}) => startService(workspace, { home: workspace.folder(name), env })
    const challenger = await start('bench-crowd', { MILLRACE_PLUGINS: CROWD })
    const reference = await start('bench-alone')
    await moveFlow(challenger, HOME_OF_THE_FLOW)
    say(`contexts: the crowd was ready after ${Math.round(challenger.readyAfterMs)} ms, warming up`)
    const names = ['crowd', 'alone'] as const
    return [await compareServices({ target: CONTEXTS, key: 'contexts', names, challenger, reference }, bench)]
  }
}

async function moveFlow(service: Service, context: string): Promise<void> {
  const flow = (await service.get('/api/v1/flows/orders')) as Record<string, unknown>
  const response = await fetch(`${service.url}/api/v1/flows/${flow.id}`, {
    method: 'PUT',
    headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ ...flow, context })
  })
  if (!response.ok) throw new Error(`the flow could not be moved: ${await response.text()}`)
}
