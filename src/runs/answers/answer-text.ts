import type { StepNews, TextNews } from '../live-text/text-news.ts'

type RunListener = (news: StepNews) => void

interface HeardFlow {
  readonly leave: () => void
  readonly runs: Map<string, Set<RunListener>>
  /** Requests whose run is not known yet. */
  expected: number
}

/** What steps tell while they work, for callers that get it as their answer: each hears its own run, and a flow is listened to once for all of them. */
export class AnswerText {
  readonly #news: Pick<TextNews, 'subscribe'>
  readonly #flows = new Map<string, HeardFlow>()

  constructor(news: Pick<TextNews, 'subscribe'>) {
    this.#news = news
  }

  /** A run of the flow is about to be accepted: another process that executes it is to know in time that somebody listens. Returns what ends it. */
  expect(flowId: string): () => void {
    const flow = this.#heard(flowId)
    flow.expected += 1
    return () => {
      flow.expected -= 1
      this.#leaveIfUnheard(flowId, flow)
    }
  }

  /** Returns what ends it. */
  hear(run: { readonly id: string; readonly flowId: string }, listener: RunListener): () => void {
    const flow = this.#heard(run.flowId)
    const ofRun = flow.runs.get(run.id) ?? new Set()
    flow.runs.set(run.id, ofRun.add(listener))
    return () => {
      ofRun.delete(listener)
      if (ofRun.size === 0 && flow.runs.get(run.id) === ofRun) flow.runs.delete(run.id)
      this.#leaveIfUnheard(run.flowId, flow)
    }
  }

  #heard(flowId: string): HeardFlow {
    return this.#flows.get(flowId) ?? this.#listen(flowId)
  }

  #listen(flowId: string): HeardFlow {
    const runs: HeardFlow['runs'] = new Map()
    const leave = this.#news.subscribe(flowId, (news) => {
      for (const each of news) for (const tell of runs.get(each.runId) ?? []) tell(each)
    })
    const flow = { leave, runs, expected: 0 }
    this.#flows.set(flowId, flow)
    return flow
  }

  #leaveIfUnheard(flowId: string, flow: HeardFlow): void {
    if (flow.runs.size > 0 || flow.expected > 0 || this.#flows.get(flowId) !== flow) return
    this.#flows.delete(flowId)
    flow.leave()
  }
}
