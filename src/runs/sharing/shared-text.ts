import type { Clock } from '../../clock.ts'
import type { Signal, Signals } from '../../store/shared-store.ts'
import type { StepNews, TextListener, TextNews } from '../live-text/text-news.ts'
import { TextPublisher } from '../live-text/text-publisher.ts'

interface SharedTextDeps {
  readonly signals: Pick<Signals, 'tell' | 'flush'>
  readonly clock: Pick<Clock, 'stopwatch'>
}

/** Who has not said for so long that somebody listens there is gone, or has nobody left. Each says it once a second. */
const FORGOTTEN_MS = 5_000
/** Who listens to more flows than this is told the text of all: to name them would cost more. */
const MOST_NAMED = 150

interface Elsewhere {
  readonly flows: ReadonlySet<string | null>
  readonly heardAt: number
}

/**
 * The text of steps, told in all processes. A process tells the others which flows somebody listens to there, and gets
 * the text of these; text that nobody listens to is not sent anywhere.
 */
export class SharedText implements TextNews {
  readonly #deps: SharedTextDeps
  readonly #here = new TextPublisher()
  readonly #elsewhere = new Map<string, Elsewhere>()

  constructor(deps: SharedTextDeps) {
    this.#deps = deps
  }

  hasListeners(flowId: string): boolean {
    return this.#here.hasListeners(flowId) || this.#isHeardElsewhere(flowId)
  }

  publish(news: readonly StepNews[]): void {
    this.#here.publish(news)
    const text = news.filter(({ flowId }) => this.#isHeardElsewhere(flowId))
    if (text.length > 0) this.#deps.signals.tell({ text })
  }

  subscribe(flowId: string | null, listener: TextListener): () => void {
    const isNew = !this.#here.listenedTo().includes(flowId)
    const leave = this.#here.subscribe(flowId, listener)
    if (isNew) {
      this.#tellListening()
      void this.#deps.signals.flush()
    }
    return leave
  }

  take({ text, listening, from }: Signal): void {
    if (text !== undefined) this.#here.publish(text)
    if (listening === undefined || from === undefined) return
    this.#elsewhere.set(from, { flows: new Set(listening), heardAt: this.#deps.clock.stopwatch() })
  }

  /** Signals may have been missed, and processes may have gone. */
  look(): void {
    const oldest = this.#deps.clock.stopwatch() - FORGOTTEN_MS
    for (const [from, { heardAt }] of this.#elsewhere) if (heardAt < oldest) this.#elsewhere.delete(from)
    if (this.#here.listenedTo().length > 0) this.#tellListening()
  }

  #tellListening(): void {
    const flows = this.#here.listenedTo()
    const listening = flows.length > MOST_NAMED || flows.includes(null) ? [null] : flows
    this.#deps.signals.tell({ listening })
  }

  #isHeardElsewhere(flowId: string): boolean {
    for (const { flows } of this.#elsewhere.values()) if (flows.has(null) || flows.has(flowId)) return true
    return false
  }
}
