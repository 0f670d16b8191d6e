import { type Loaded, type LoadedService, load, loadToTheEnd } from '../load.ts'
import { quietRounds } from '../quiet.ts'
import { waitForLine } from '../ready-line.ts'
import { API_KEY, ROOT, type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Workspace } from '../workspace.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const RUNS: Target = {
  name: 'webhook → API Request → stored, runs/s ÷ bare Fastify that calls the same',
  unit: '',
  must: { atLeast: 0.5 }
}

const FLOW = 'bench-call'

interface Round {
  readonly bare: Loaded
  readonly service: LoadedService
}

/** Calling somebody else for each request and storing what came back, against a server that calls and stores nothing. */
export const apiRequestGroup: FigureGroup = {
  key: 'api-request',
  about:
    'webhook → API Request to a server of this machine → stored, against a bare Fastify that makes the call',
  targets: [RUNS],
  async measure({ workspace, options, say }: Bench): Promise<Figure[]> {
    const upstream = await startScript(workspace, ['bench/upstream.ts'], /The upstream is ready at (\S+)\n/)
    const bare = await startScript(
      workspace,
      ['bench/bare-caller.ts', upstream.url],
      /The bare caller is ready at (\S+)\n/
    )
    const service = await startService(workspace, {
      home: workspace.folder('bench-api-request'),
      env: { MILLRACE_EGRESS_ALLOW: new URL(upstream.url).host }
    })
    await createFlow(service, upstream.url)
    say('api-request: warming up')
    await playRound(bare.url, service, Math.min(options.seconds, 3), true)
    const rounds = await quietRounds({
      rounds: options.rounds,
      pids: [upstream.pid, bare.pid, service.child.pid!],
      play: (index) => playRound(bare.url, service, options.seconds, index % 2 === 0),
      onRound: (round, index, isQuiet) =>
        say(
          `api-request: round ${index + 1}: bare ${whole(round.bare.perSecond)}/s, runs ${whole(runsPerSecond(round))}/s` +
            (isQuiet ? '' : '; other work was going on')
        )
    })
    await service.stop()
    const bareRate = whole(median(rounds.map((round) => round.bare.perSecond)))
    const runRate = whole(median(rounds.map(runsPerSecond)))
    return [
      {
        ...RUNS,
        measured: median(rounds.map((round) => runsPerSecond(round) / round.bare.perSecond)),
        detail: `${runRate} runs/s ÷ ${bareRate} requests/s, from the first request to the last result`
      }
    ]
  }
}

async function startScript(workspace: Workspace, args: readonly string[], line: RegExp) {
  const child = workspace.spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  return { url: await waitForLine(child, line, 30_000), pid: child.pid! }
}

async function createFlow(service: Service, upstream: string): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/flows`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    body: JSON.stringify({
      name: 'Bench call',
      slug: FLOW,
      nodes: [
        { id: 'webhook-1', type: 'webhook', fields: {} },
        { id: 'api-1', type: 'api-request', fields: { method: 'POST', url: upstream } }
      ],
      edges: [{ from: 'webhook-1.data', to: 'api-1.data' }]
    })
  })
  if (!response.ok) throw new Error(`the flow was refused: ${await response.text()}`)
}

async function playRound(
  url: string,
  service: Service,
  seconds: number,
  isBareFirst: boolean
): Promise<Round> {
  const flow = FLOW
  if (isBareFirst) {
    const bare = await load({ url, seconds })
    return { bare, service: await loadToTheEnd(service, { seconds, flow }) }
  }
  const loaded = await loadToTheEnd(service, { seconds, flow })
  return { bare: await load({ url, seconds }), service: loaded }
}

function runsPerSecond({ service }: Round): number {
  return service.answered / service.secondsToTheEnd
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
