import type { StreamedHead } from '../../../engine/streamed-inputs.ts'
import type { FlowAnswer } from '../../../runs/answers/flow-answer.ts'
import { isText, type StepNews } from '../../../runs/live-text/text-news.ts'

/** How a caller is sent text while it comes. */
export interface StreamForm {
  /** Whether an answer that was not streamed is sent in this form too. */
  readonly isForWhole: boolean
  begin(head: StreamedHead): void
  send(text: string): void
  /** What was sent is void, and the text begins anew; false where nothing can be taken back. */
  restart(): boolean
  /** `rest` is what was not sent yet of the whole. */
  end(whole: string, rest: string): void
  /** The caller must not take what it has for whole. Undefined: the service stops before the flow has answered. */
  breakOff(answer: FlowAnswer | undefined): void
}

/**
 * The streamed answer of one run. What is stored in the end is the answer: what was sent is held against it, and where that goes on
 * otherwise the caller learns that it was none.
 */
export class StreamedAnswer {
  readonly #heads: ReadonlyMap<string, StreamedHead>
  readonly #form: StreamForm
  #head: StreamedHead | undefined
  #node: string | undefined
  #sent = ''
  /** So much of the text was received, as its step tells it now. */
  #received = 0
  #isBroken = false

  constructor(heads: ReadonlyMap<string, StreamedHead>, form: StreamForm) {
    this.#heads = heads
    this.#form = form
  }

  get hasBegun(): boolean {
    return this.#head !== undefined
  }

  /** Pieces may be missing, where they come from another process: then the rest is sent when there is all of it. */
  take(news: StepNews): void {
    if (!isText(news)) return
    const { node, at, text } = news
    if (this.#isBroken || (this.#node ?? node) !== node) return
    if (this.#head === undefined) this.#begin(node, at)
    if (this.#head === undefined) return
    if (at === 0 && this.#received > 0) this.#restart()
    if (at !== this.#received) return
    this.#received += text.length
    this.#send(at, text)
  }

  /** False where nothing was sent: then it is answered as it would have been without. */
  finish(answer: FlowAnswer | undefined): boolean {
    if (this.#isBroken) return true
    if (this.#head === undefined && this.#form.isForWhole) this.#beginWith(answer)
    if (this.#head === undefined) return false
    const whole = wholeOf(answer, this.#head)
    if (whole?.startsWith(this.#sent) === true) this.#form.end(whole, whole.slice(this.#sent.length))
    else if (whole !== undefined && this.#form.restart()) this.#form.end(whole, whole)
    else this.#breakOff(answer)
    return true
  }

  #begin(node: string, at: number): void {
    const head = this.#heads.get(node)
    if (head === undefined || at !== 0) return
    this.#head = head
    this.#node = node
    this.#form.begin(head)
  }

  #beginWith(answer: FlowAnswer | undefined): void {
    const head = [...this.#heads.values()].find((each) => wholeOf(answer, each) !== undefined)
    if (head === undefined) return
    this.#head = head
    this.#form.begin(head)
  }

  #restart(): void {
    this.#received = 0
    if (this.#form.restart()) this.#sent = ''
  }

  /** A text that began anew is sent again from where it gets further than before. */
  #send(at: number, text: string): void {
    const known = this.#sent.slice(at, at + text.length)
    if (!text.startsWith(known)) return this.#breakOff(OTHER_TEXT)
    const rest = text.slice(known.length)
    if (rest === '') return
    this.#sent += rest
    this.#form.send(rest)
  }

  #breakOff(answer: FlowAnswer | undefined): void {
    this.#isBroken = true
    this.#form.breakOff(answer)
  }
}

/** It would end with another text than it began with, if it ends well at all. */
const OTHER_TEXT: FlowAnswer = { by: 'end', status: 'failed' }

/** Another Respond may have been first. */
function wholeOf(answer: FlowAnswer | undefined, head: StreamedHead): string | undefined {
  if (answer?.by !== 'step') return undefined
  const { status, headers, body, file } = answer.answer
  const isSame = status === head.status && headers['content-type'] === head.headers['content-type']
  return isSame && file === undefined ? body : undefined
}
