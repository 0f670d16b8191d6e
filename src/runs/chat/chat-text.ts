import type { ToldCall } from '../../flows/step/step-calls.ts'
import { isText, type StepNews } from '../live-text/text-news.ts'

/** Where a chat is sent to. All pieces since the last message, together, are the next one. */
export interface ChatListener {
  piece(text: string): void
  /** The pieces since the last message are void: that text begins anew. */
  restart(): void
  /** The whole of it. */
  message(text: string): void
  /** A tool is called, or has answered. */
  tool?(call: ToldCall): void
}

export interface PrintedText {
  readonly id: string
  readonly node: string
  readonly text: string
}

interface Speaker {
  readonly node: string
  sent: string
  /** The first half of a letter whose second one is on its way. */
  half: string
  /** So much was received, as its step tells it now. */
  received: number
}

/**
 * What a run prints, and before that the text of it while it comes, in one order for one listener: one text at a time. What is printed in
 * the end is what holds; pieces that got lost on their way between processes come with it.
 */
export class ChatText {
  readonly #listener: ChatListener
  /** The nodes that print what others tell, by the node that tells it. */
  readonly #printers: ReadonlyMap<string, ReadonlySet<string>>
  readonly #done = new Set<string>()
  readonly #printed = new Set<string>()
  readonly #called = new Set<string>()
  #speaker: Speaker | undefined
  /** Printed while another text was on its way. */
  #later: PrintedText[] = []

  constructor(printers: ReadonlyMap<string, ReadonlySet<string>>, listener: ChatListener) {
    this.#printers = printers
    this.#listener = listener
  }

  take(news: StepNews): void {
    if (!isText(news)) return this.#tellCall(news.tool)
    const { node, at, text } = news
    this.#speaker ??= this.#speakerAt(node, at)
    const speaker = this.#speaker
    if (speaker?.node !== node) return
    if (at === 0 && speaker.received > 0) this.#restart(speaker)
    if (at !== speaker.received) return
    speaker.received += text.length
    const all = speaker.half + text
    speaker.half = /[\ud800-\udbff]$/.test(all) ? all.slice(-1) : ''
    this.#send(speaker, all.slice(0, all.length - speaker.half.length))
  }

  /** One that is told again, as a step may be, is sent once. */
  print(printed: PrintedText): void {
    if (this.#printed.has(printed.id)) return
    this.#printed.add(printed.id)
    // Signals may come late: a text that has been printed does not begin again.
    for (const [node, printers] of this.#printers) if (printers.has(printed.node)) this.#done.add(node)
    const speaker = this.#speaker
    if (speaker !== undefined && !this.#done.has(speaker.node)) this.#later.push(printed)
    else this.#tell(printed.text)
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#speaker === undefined) return
    this.#restart(this.#speaker)
    this.#speaker = undefined
    this.#tellLater()
  }

  /** A call that a death cut off is made again, and told again. */
  #tellCall(call: ToldCall): void {
    const told = `${call.id} ${call.result === undefined ? 'begun' : 'ended'}`
    if (this.#called.has(told)) return
    this.#called.add(told)
    this.#listener.tool?.(call)
  }

  #speakerAt(node: string, at: number): Speaker | undefined {
    const isNew = at === 0 && this.#printers.has(node) && !this.#done.has(node)
    return isNew ? { node, sent: '', half: '', received: 0 } : undefined
  }

  #restart(speaker: Speaker): void {
    if (speaker.sent !== '') this.#listener.restart()
    Object.assign(speaker, { sent: '', half: '', received: 0 })
  }

  #send(speaker: Speaker, text: string): void {
    if (text === '') return
    speaker.sent += text
    this.#listener.piece(text)
  }

  #tell(text: string): void {
    const speaker = this.#speaker ?? { node: '', sent: '', half: '', received: 0 }
    if (!text.startsWith(speaker.sent)) this.#restart(speaker)
    this.#send(speaker, text.slice(speaker.sent.length))
    this.#listener.message(text)
    this.#speaker = undefined
    this.#tellLater()
  }

  #tellLater(): void {
    for (const { text } of this.#later.splice(0)) this.#tell(text)
  }
}
