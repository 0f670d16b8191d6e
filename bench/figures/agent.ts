import { cpuOf } from '../cpu-time.ts'
import { API_KEY, type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'
import { connectModel, post, startModel } from './model-flow.ts'

const CALLS = 20

const WRITES: Target = {
  name: `agent of ${CALLS} tool calls: commits of the store per call`,
  unit: '',
  must: { atMost: 2 }
}
const ADDED: Target = {
  name: 'what the agent adds to the model’s own time, per call',
  unit: 'ms',
  must: { atMost: 3 }
}
const PROCESSOR: Target = { name: 'processor of the service, per call', unit: 'ms' }

const FLOW = 'bench-agent'
const HEADERS = { 'content-type': 'application/json', 'x-api-key': API_KEY }
const RUNS_PER_ROUND = 5

interface Measured {
  readonly added: number
  readonly commits: number
  readonly processor: number
}

/** A question, a call of a tool that takes no time, the next question: against the same questions to the provider itself. */
export const agentGroup: FigureGroup = {
  key: 'agent',
  about: `an agent that calls a tool ${CALLS} times: what it writes, and what it adds to the model’s own time`,
  targets: [WRITES, ADDED, PROCESSOR],
  async measure({ workspace, options, say }: Bench): Promise<Figure[]> {
    const model = await startModel(workspace)
    const service = await startService(workspace, { home: workspace.folder('bench-agent') })
    await createAgentFlow(service, model.url)
    say('agent: warming up')
    const measured: Measured[] = []
    for (let turn = 0; turn < options.rounds * RUNS_PER_ROUND + 3; turn++) {
      const one = await measureRun(service, model.url)
      if (turn >= 3) measured.push(one)
    }
    await service.stop()
    const of = (name: keyof Measured) => median(measured.map((one) => one[name]))
    const detail = `median of ${measured.length} runs`
    return [
      { ...WRITES, measured: of('commits'), detail: `${detail}, all that the run writes included` },
      { ...ADDED, measured: of('added'), detail: `${detail}, the same questions asked directly taken off` },
      { ...PROCESSOR, measured: of('processor'), detail }
    ]
  }
}

async function createAgentFlow(service: Service, model: string): Promise<void> {
  await connectModel(service, model)
  await post(service, '/api/v1/flows', {
    name: FLOW,
    slug: FLOW,
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: {} },
      {
        id: 'agent-1',
        type: 'agent',
        fields: { connection: 'model', model: 'bench', prompt: '{calls}', max_steps: CALLS + 1 }
      },
      { id: 'tool', type: 'parser', fields: { template: 'done' }, tool: { arguments: {} } }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'agent-1.data' },
      { from: 'tool.tools', to: 'agent-1.tools' }
    ]
  })
}

async function measureRun(service: Service, model: string): Promise<Measured> {
  const directly = await timed(async () => {
    for (let call = 0; call <= CALLS; call++) await askProvider(model, call)
  })
  const [cpu, commits] = [cpuOf(service.child.pid!), await service.commits()]
  const through = await timed(() => post(service, `/api/v1/run/${FLOW}`, { input: { calls: CALLS } }))
  return {
    added: (through - directly) / CALLS,
    processor: (cpuOf(service.child.pid!) - cpu) / 1_000 / CALLS,
    commits: ((await service.commits()) - commits) / CALLS
  }
}

async function timed(task: () => Promise<void>): Promise<number> {
  const since = performance.now()
  await task()
  return performance.now() - since
}

/** The question that the agent asks after so many calls. */
async function askProvider(model: string, calls: number): Promise<void> {
  const answer = await fetch(`${model}/v1/chat/completions`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({
      messages: [
        { role: 'user', content: String(CALLS) },
        ...Array(calls).fill({ role: 'tool', content: 'done' })
      ],
      tools: [{ type: 'function', function: { name: 'tool' } }],
      stream: true
    })
  })
  await answer.text()
}
