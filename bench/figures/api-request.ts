import { createCallFlow } from '../call-flow.ts'
import { type Loaded, type LoadedService, load, loadToTheEnd } from '../load.ts'
import { quietRounds } from '../quiet.ts'
import { type Service, startService } from '../service-process.ts'
import { startScript } from '../start-script.ts'
import { median } from '../statistics.ts'
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
    await createCallFlow(service, FLOW, upstream.url)
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
