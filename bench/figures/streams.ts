import type { ChildProcess } from 'node:child_process'
import { type Loaded, load, webhookOf } from '../load.ts'
import { quietRounds } from '../quiet.ts'
import { waitForLine } from '../ready-line.ts'
import { ROOT, type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Workspace } from '../workspace.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'
import { createModelFlow, startModel } from './model-flow.ts'

const STREAMS = 200
const TOKENS_PER_SECOND = 50

const HEARD: Target = {
  name: `${STREAMS} streams of ${TOKENS_PER_SECOND} tokens/s, one watcher each: heard whole`,
  unit: '',
  must: { atLeast: 1 }
}
const ACCEPTED: Target = {
  name: 'webhooks accepted meanwhile ÷ without streams',
  unit: '',
  must: { atLeast: 0.7 }
}

interface Round {
  readonly idle: Loaded
  readonly busy: Loaded
  /** The share of streams of which every token came, in order. */
  readonly whole: number
}

/** Models that speak to people who watch, while webhooks come in. */
export const streamsGroup: FigureGroup = {
  key: 'streams',
  about: `${STREAMS} language models that stream at once to a watcher each: tokens lost, and webhooks accepted meanwhile`,
  targets: [HEARD, ACCEPTED],
  async measure({ workspace, options, say }: Bench): Promise<Figure[]> {
    const model = await startModel(workspace)
    const service = await startService(workspace, { home: workspace.folder('bench-streams') })
    const flows = Array.from({ length: STREAMS }, (_, index) => `stream-${index}`)
    await createModelFlow(service, model.url, flows)
    const watchers = await startWatchers(workspace, service, flows)
    say('streams: warming up')
    await playRound(service, watchers.child, 1)
    const rounds = await quietRounds({
      rounds: options.rounds,
      pids: [model.pid, watchers.child.pid!, service.child.pid!],
      play: () => playRound(service, watchers.child, options.seconds),
      onRound: ({ idle, busy, whole }, index, isQuiet) =>
        say(
          `streams: round ${index + 1}: ${count(idle)}/s idle, ${count(busy)}/s with streams, ${whole * STREAMS} whole` +
            (isQuiet ? '' : '; other work was going on')
        )
    })
    await service.stop()
    const [idle, busy] = [
      median(rounds.map((r) => r.idle.perSecond)),
      median(rounds.map((r) => r.busy.perSecond))
    ]
    return [
      {
        ...HEARD,
        measured: Math.min(...rounds.map(({ whole }) => whole)),
        detail: `share of streams with every token in its place, worst round`
      },
      {
        ...ACCEPTED,
        measured: median(rounds.map((round) => round.busy.perSecond / round.idle.perSecond)),
        detail: `${Math.round(busy).toLocaleString('en')}/s ÷ ${Math.round(idle).toLocaleString('en')}/s`
      }
    ]
  }
}

async function startWatchers(workspace: Workspace, service: Service, flows: readonly string[]) {
  const args = ['bench/text-watchers.ts', service.url, ...flows]
  const child = workspace.spawn(process.execPath, args, { cwd: ROOT, stdio: ['pipe', 'pipe', 'pipe'] })
  await waitForLine(child, /The watchers are ready at (\S+)\n/, 30_000)
  return { child }
}

async function playRound(service: Service, watchers: ChildProcess, seconds: number): Promise<Round> {
  const url = webhookOf(service)
  const idle = await load({ url, seconds })
  await untilIdle(service)
  const heard = lineOf(watchers, 'heard ')
  const begun = lineOf(watchers, 'begun')
  // They speak a little longer than the load takes.
  watchers.stdin!.write(`${(seconds + 2) * TOKENS_PER_SECOND}\n`)
  await begun
  const busy = await load({ url, seconds })
  const { came, of } = JSON.parse(await heard) as { came: number; of: number }
  await untilIdle(service)
  return { idle, busy, whole: came / of }
}

async function untilIdle(service: Service): Promise<void> {
  while ((await service.counts()).backlog > 0) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** What follows the beginning in the next line that has it. */
function lineOf(child: ChildProcess, beginning: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const read = (chunk: Buffer) => {
      text += chunk.toString()
      const line = text.split('\n').find((each) => each.startsWith(beginning))
      if (line === undefined || !text.includes(`${line}\n`)) return
      child.stdout!.off('data', read)
      resolve(line.slice(beginning.length))
    }
    child.stdout!.on('data', read)
  })
}

function count({ perSecond }: Loaded): string {
  return Math.round(perSecond).toLocaleString('en')
}
