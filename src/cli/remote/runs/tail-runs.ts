import type { Command } from '../../command.ts'
import { followEvents, type ServiceEvent, streamNote } from '../events/follow-events.ts'
import { flowPath, ofFlow } from '../flows/flow-named.ts'
import { FlowNames } from '../flows/flow-names.ts'
import { clockText } from '../print/times.ts'
import { readCount } from '../read-values.ts'
import type { Remote } from '../remote.ts'
import { listedRuns } from './run-choice.ts'
import { lineOf, newsOf, newsOfRun, type RunNews } from './run-news.ts'

const LAST = 10

/** Runs as they happen, until somebody ends it. */
export async function tailRuns(command: Command<'runs tail'>, remote: Remote): Promise<void> {
  const { api, screen, outside } = remote
  const { flow } = command.operands
  const found =
    flow === undefined ? undefined : await ofFlow(api, flow, () => api.call<{ id: string }>(flowPath(flow)))
  const path = found === undefined ? '/api/v1/events' : flowPath(found.id, '/events')
  const teller = new Teller(command, remote, found?.id)
  for await (const news of followEvents(api, path, outside.signal)) {
    const note = streamNote(news, undefined)
    if (note !== undefined) screen.note(note)
    if (news.kind === 'event') await teller.tell(news)
    // After the stream is open, so that nothing lies between the two.
    else if (news.kind === 'open' && news.isFirst) await teller.tellBefore()
  }
}

class Teller {
  readonly #options: Command<'runs tail'>['options']
  readonly #remote: Remote
  readonly #flowId: string | undefined
  readonly #names: FlowNames
  /** What was told of runs that were there before may come once more. */
  readonly #told = new Set<string>()

  constructor({ options }: Command<'runs tail'>, remote: Remote, flowId: string | undefined) {
    this.#options = options
    this.#remote = remote
    this.#flowId = flowId
    this.#names = new FlowNames(remote.api)
  }

  async tellBefore(): Promise<void> {
    const last = readCount('last', this.#options.last) ?? LAST
    const query = { flow_id: this.#flowId, status: this.#options.status }
    const runs = await Array.fromAsync(listedRuns(this.#remote.api, query, last))
    for (const run of runs.reverse()) {
      this.#told.add(`${run.id} ${run.status}`)
      await this.#print(newsOfRun(run), { kind: 'event', id: null, event: 'run', data: { ...run } })
    }
    if (this.#remote.screen.isTerminal) this.#remote.screen.note('Live from here; Ctrl-C ends it.')
  }

  async tell(event: ServiceEvent): Promise<void> {
    if (event.event === 'reset') return this.#remote.screen.note(String(event.data.message))
    const news = newsOf(event)
    if (news === undefined || !this.#isWanted(news)) return
    if (news.step === null && this.#told.delete(`${news.run} ${news.status}`)) return
    await this.#print(news, event)
  }

  #isWanted({ step, status }: RunNews): boolean {
    if (step !== null && !this.#options.steps) return false
    return this.#options.status === undefined || step !== null || status === this.#options.status
  }

  async #print(news: RunNews, { id, event, data }: ServiceEvent): Promise<void> {
    const { screen, outside } = this.#remote
    if (screen.isJson) return screen.jsonLine({ id, event, data })
    const time = news.at ?? new Date(outside.now()).toISOString()
    const flow = await this.#names.of(news.flowId)
    screen.print(lineOf(news, flow, screen.isTerminal ? clockText(time) : time, screen))
  }
}
