import { randomFillSync } from 'node:crypto'
import { startBare } from '../bare-process.ts'
import { createFlow } from '../create-flow.ts'
import { type Loaded, load, webhookOf } from '../load.ts'
import { quietRounds } from '../quiet.ts'
import { type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const RATE: Target = {
  name: '1 MB upload, requests/s ÷ bare Fastify that writes the file and syncs',
  unit: '',
  must: { atLeast: 0.7 }
}

const FLOW = 'bench-uploads'
const MEGABYTE = 1_000_000
/** So many in a second of a round: all of them stay on the disk until the end. */
const PER_SECOND = 40
const CONNECTIONS = 10

interface Round {
  readonly service: Loaded
  readonly bare: Loaded
}

/** Files that senders send: how fast they are taken, on disk before the answer. */
export const uploadsGroup: FigureGroup = {
  key: 'uploads',
  about: 'uploads of a megabyte against a bare Fastify that writes the file and syncs',
  targets: [RATE],
  async measure(bench: Bench): Promise<Figure[]> {
    const { workspace, options, say } = bench
    const service = await startService(workspace, { home: workspace.folder('bench-uploads') })
    await createUploadFlow(service)
    const bare = await startBare(workspace, 'bench/bare-upload.ts', [workspace.folder('bench-bare-uploads')])
    const upload = uploader(options.seconds * PER_SECOND)
    const play = async (isBareFirst: boolean): Promise<Round> => {
      const first = await upload(isBareFirst ? bare.url : webhookOf(service, FLOW))
      const second = await upload(isBareFirst ? webhookOf(service, FLOW) : bare.url)
      return isBareFirst ? { bare: first, service: second } : { service: first, bare: second }
    }
    await play(true)
    const rounds = await quietRounds({
      rounds: options.rounds,
      pids: [bare.pid, service.child.pid!],
      play: (index) => play(index % 2 === 0),
      onRound: (round, index, isQuiet) => {
        const rates = `${round.service.perSecond.toFixed(0)} and ${round.bare.perSecond.toFixed(0)} uploads/s`
        say(`uploads: round ${index + 1}: ${rates}${isQuiet ? '' : '; other work was going on'}`)
      }
    })
    await service.stop()
    const of = (value: (round: Round) => number) => median(rounds.map(value))
    const rate = (name: keyof Round) => of((round) => round[name].perSecond).toFixed(0)
    return [
      {
        ...RATE,
        measured: of((round) => round.service.perSecond / round.bare.perSecond),
        detail: `${rate('service')} ÷ ${rate('bare')} requests/s`
      }
    ]
  }
}

/** Each of them another: the same content is kept once. */
function uploader(amount: number): (url: string) => Promise<Loaded> {
  const bytes = randomFillSync(Buffer.alloc(MEGABYTE))
  let sent = 0
  const body = () => {
    sent += 1
    const own = Buffer.from(bytes)
    own.writeUInt32BE(sent, 0)
    return own
  }
  return (url) => load({ url, amount, connections: CONNECTIONS, body, type: 'application/octet-stream' })
}

/** A Webhook alone: what is measured is the way of the file to the disk. */
function createUploadFlow(service: Service): Promise<void> {
  return createFlow(service, {
    name: FLOW,
    slug: FLOW,
    nodes: [{ id: 'webhook-1', type: 'webhook', fields: {} }],
    edges: []
  })
}
