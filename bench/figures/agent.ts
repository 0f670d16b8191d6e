import { cpuOf } from '../cpu-time.ts'
import { API_KEY, type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'
import { connectModel, post, startModel } from './model-flow.ts'

const CALLS = 20

const WRITES: Target = {
  name: `agent of ${CALLS} calls of a pure tool: commits of the store per call`,
  unit: '',
  must: { atMost: 2 }
}
const ACTS: Target = {
  name: `agent of ${CALLS} calls of a tool that acts: commits of the store per call`,
  unit: '',
  must: { atMost: 2 }
}
const ADDED: Target = {
  name: 'what the agent adds to the model’s own time, per call',
  unit: 'ms',
  must: { atMost: 3 }
}
const PROCESSOR: Target = { name: 'processor of the service, per call', unit: 'ms' }

const PURE = { slug: 'bench-agent', tool: { type: 'parser', fields: { template: 'done' } } }
const HEADERS = { 'content-type': 'application/json', 'x-api-key': API_KEY }
const RUNS_PER_ROUND = 5
const WARMING_UP = 3

interface Measured {
  /** Milliseconds of each call between the answer that calls a tool and the next question, as the model sees it. */
  readonly through: readonly number[]
  readonly directly: readonly number[]
  readonly commits: number
  readonly processor: number
}

interface Places {
  readonly service: Service
  readonly model: string
}

/** A question, a call of a tool that takes no time, the next question: against the same questions to the provider itself. */
export const agentGroup: FigureGroup = {
  key: 'agent',
  about: `an agent that calls a tool ${CALLS} times: what it writes, and what it adds to the model’s own time`,
  targets: [WRITES, ACTS, ADDED, PROCESSOR],
  async measure({ workspace, options, say }: Bench): Promise<Figure[]> {
    const { url: model } = await startModel(workspace)
    const service = await startService(workspace, { home: workspace.folder('bench-agent') })
    const acting = {
      slug: 'bench-acting-agent',
      tool: { type: 'api-request', fields: { url: `${model}/tool` } }
    }
    await connectModel(service, model)
    for (const flow of [PURE, acting]) await createAgentFlow(service, flow)
    say('agent: warming up')
    const places = { service, model }
    const measured: Measured[] = []
    for (let turn = 0; turn < options.rounds * RUNS_PER_ROUND + WARMING_UP; turn++) {
      const one = await measureRun(places)
      if (turn >= WARMING_UP) measured.push(one)
    }
    const acts = await commitsOfCalls(places, acting.slug)
    await service.stop()
    const of = (name: 'commits' | 'processor') => median(measured.map((one) => one[name]))
    const pause = (name: 'through' | 'directly') => median(measured.flatMap((one) => one[name]))
    const [through, directly] = [pause('through'), pause('directly')]
    const detail = `median of ${measured.length} runs`
    return [
      { ...WRITES, measured: of('commits'), detail: `${detail}, all that the run writes included` },
      { ...ACTS, measured: acts, detail: 'against a run that calls none' },
      {
        ...ADDED,
        measured: through - directly,
        detail: `from answer to question ${through.toFixed(1)} ms, of who asks directly ${directly.toFixed(1)} ms: medians of ${measured.length * CALLS} calls`
      },
      { ...PROCESSOR, measured: of('processor'), detail }
    ]
  }
}

async function createAgentFlow(
  service: Service,
  { slug, tool }: { readonly slug: string; readonly tool: object }
): Promise<void> {
  await post(service, '/api/v1/flows', {
    name: slug,
    slug,
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: {} },
      {
        id: 'agent-1',
        type: 'agent',
        fields: { connection: 'model', model: 'bench', prompt: '{calls}', max_steps: CALLS + 1 }
      },
      { id: 'tool', ...tool, tool: { arguments: {} } }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'agent-1.data' },
      { from: 'tool.tools', to: 'agent-1.tools' }
    ]
  })
}

async function measureRun({ service, model }: Places): Promise<Measured> {
  for (let call = 0; call <= CALLS; call++) await askProvider(model, call)
  const directly = await pausesOf(model)
  const [cpu, commits] = [cpuOf(service.child.pid!), await service.commits()]
  await post(service, `/api/v1/run/${PURE.slug}`, { input: { calls: CALLS } })
  return {
    through: await pausesOf(model),
    directly,
    processor: (cpuOf(service.child.pid!) - cpu) / 1_000 / CALLS,
    commits: ((await service.commits()) - commits) / CALLS
  }
}

async function pausesOf(model: string): Promise<number[]> {
  return (await fetch(`${model}/pauses`)).json() as Promise<number[]>
}

/** A run writes some by itself: when it is accepted, and when it ends. */
async function commitsOfCalls({ service }: Places, slug: string): Promise<number> {
  const commitsWith = async (calls: number) => {
    const before = await service.commits()
    await post(service, `/api/v1/run/${slug}`, { input: { calls } })
    return (await service.commits()) - before
  }
  const found: number[] = []
  for (let run = 0; run < RUNS_PER_ROUND; run++)
    found.push(((await commitsWith(CALLS)) - (await commitsWith(0))) / CALLS)
  return median(found)
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
