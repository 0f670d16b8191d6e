import type { StepNews, TextNews } from '../live-text/text-news.ts'

type RunListener = (news: StepNews) => void

interface FlowInUse {
  readonly leave: () => void
  readonly runs: Map<string, Set<RunListener>>
  /** Requests whose run is not known yet. */
  expected: number
}

/** What steps tell while they work, for callers that get it as their answer: each is told of its own run, and a flow is subscribed to once for all of them. */
export class AnswerText {
  readonly #news: Pick<TextNews, 'subscribe'>
  readonly #flows = new Map<string, FlowInUse>()

  constructor(news: Pick<TextNews, 'subscribe'>) {
    this.#news = news
  }

  /** A run of the flow is about to be accepted: another process that executes it is to know in time that somebody listens. Returns what ends it. */
  expect(flowId: string): () => void {
    const flow = this.#inUse(flowId)
    flow.expected += 1
    return () => {
      flow.expected -= 1
      this.#leaveIfUnused(flowId, flow)
    }
  }

  /** Returns what ends it. */
  listen(run: { readonly id: string; readonly flowId: string }, listener: RunListener): () => void {
    const flow = this.#inUse(run.flowId)
    const ofRun = flow.runs.get(run.id) ?? new Set()
    flow.runs.set(run.id, ofRun.add(listener))
    return () => {
      ofRun.delete(listener)
      if (ofRun.size === 0 && flow.runs.get(run.id) === ofRun) flow.runs.delete(run.id)
      this.#leaveIfUnused(run.flowId, flow)
    }
  }

  #inUse(flowId: string): FlowInUse {
    return this.#flows.get(flowId) ?? this.#subscribe(flowId)
  }

  #subscribe(flowId: string): FlowInUse {
    const runs: FlowInUse['runs'] = new Map()
    const leave = this.#news.subscribe(flowId, (news) => {
      for (const each of news) for (const tell of runs.get(each.runId) ?? []) tell(each)
    })
    const flow = { leave, runs, expected: 0 }
    this.#flows.set(flowId, flow)
    return flow
  }

  #leaveIfUnused(flowId: string, flow: FlowInUse): void {
    if (flow.runs.size > 0 || flow.expected > 0 || this.#flows.get(flowId) !== flow) return
    this.#flows.delete(flowId)
    flow.leave()
  }
}
