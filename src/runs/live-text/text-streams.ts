import type { Clock } from '../../clock.ts'
import type { StepCall } from '../../engine/effects.ts'
import type { ExecutableRun } from '../../store/store.ts'
import type { TextDelta, TextNews, ToolNews } from './text-news.ts'
import { type TextRedactor, TextStream } from './text-stream.ts'

interface TextStreamsDeps {
  readonly news: Pick<TextNews, 'hasListeners' | 'publish'>
  readonly clock: Pick<Clock, 'startTimer' | 'stopwatch'>
}

/** Tokens come every few milliseconds: what a step puts out within this time is told as one. */
const GATHER_MS = 30
/** To tell takes no more than a tenth of the time, however many listen: whoever sends a request goes first. */
const REST_PER_MS = 10

/**
 * The text of all steps of this process, on its way to who listens. The first piece of a step goes out at once, the
 * others at the beat of one timer that all share.
 */
export class TextStreams {
  readonly #deps: TextStreamsDeps
  readonly #unsent = new Set<TextStream>()
  #beat: { stop(): void } | undefined

  constructor(deps: TextStreamsDeps) {
    this.#deps = deps
  }

  /** For one attempt at a step. */
  open(call: StepCall, run: Pick<ExecutableRun, 'id' | 'flowId'>, redactor: TextRedactor): TextStream {
    const place = { flowId: run.flowId, runId: run.id, node: call.node.id }
    return new TextStream(place, redactor, {
      isOver: () => call.abort.reason !== undefined,
      sendSoon: (stream) => this.#sendSoon(stream),
      sendNow: (stream) => this.#send([stream])
    })
  }

  /** After the text that was put out before. */
  tell(news: ToolNews): void {
    this.#send([...this.#unsent])
    if (this.#deps.news.hasListeners(news.flowId)) this.#deps.news.publish([news])
  }

  #sendSoon(stream: TextStream): void {
    this.#unsent.add(stream)
    this.#beat ??= this.#deps.clock.startTimer(GATHER_MS, () => this.#sendAll())
  }

  #sendAll(): void {
    const { clock } = this.#deps
    const begun = clock.stopwatch()
    const unsent = [...this.#unsent]
    this.#unsent.clear()
    this.#send(unsent)
    const rest = Math.max(GATHER_MS, (clock.stopwatch() - begun) * REST_PER_MS)
    this.#beat = unsent.length === 0 ? undefined : clock.startTimer(rest, () => this.#sendAll())
  }

  #send(streams: readonly TextStream[]): void {
    const { news } = this.#deps
    const deltas: TextDelta[] = []
    for (const stream of streams) {
      this.#unsent.delete(stream)
      const delta = stream.take()
      if (delta !== undefined && news.hasListeners(delta.flowId)) deltas.push(delta)
    }
    if (deltas.length > 0) news.publish(deltas)
  }
}
