import type { PassThrough } from 'node:stream'
import type { ProblemCode } from '../../../errors.ts'
import type { FlowAnswer } from '../../../runs/answers/flow-answer.ts'
import type { StreamForm } from './streamed-answer.ts'

/** Begins the answer with a status and headers, and gives what its body is written to. */
export type OpenBody = (...head: Parameters<StreamForm['begin']>) => PassThrough

/** The text as it is. What was sent is not taken back: the connection is cut, as nothing else says that a text is not whole. */
export class TextStream implements StreamForm {
  readonly isForWhole = false
  readonly #open: OpenBody
  #body: PassThrough | undefined
  /** The first half of a letter whose second one is on its way. */
  #half = ''

  constructor(open: OpenBody) {
    this.#open = open
  }

  begin(head: Parameters<StreamForm['begin']>[0]): void {
    this.#body = this.#open(head)
  }

  send(text: string): void {
    const all = this.#half + text
    const isHalf = /[\ud800-\udbff]$/.test(all)
    this.#half = isHalf ? all.slice(-1) : ''
    this.#body!.write(isHalf ? all.slice(0, -1) : all)
  }

  restart(): boolean {
    return false
  }

  end(_whole: string, rest: string): void {
    this.#body!.end(this.#half + rest)
  }

  breakOff(): void {
    this.#body!.destroy(new Error('the flow did not answer as it had begun'))
  }
}

/** Server-sent events, named as those of a chat: `delta`, `restart`, then `message` and `end`, or `error`. */
export class EventStream implements StreamForm {
  readonly isForWhole = true
  readonly #runId: string
  readonly #open: OpenBody
  #body: PassThrough | undefined

  constructor(runId: string, open: OpenBody) {
    this.#runId = runId
    this.#open = open
  }

  begin(head: Parameters<StreamForm['begin']>[0]): void {
    this.#body = this.#open({
      ...head,
      headers: { ...head.headers, 'content-type': 'text/event-stream; charset=utf-8' }
    })
  }

  send(text: string): void {
    this.#tell('delta', { text })
  }

  restart(): boolean {
    this.#tell('restart', {})
    return true
  }

  end(whole: string, rest: string): void {
    if (rest !== '') this.send(rest)
    this.#tell('message', { text: whole })
    this.#tell('end', { run_id: this.#runId })
    this.#body!.end()
  }

  breakOff(answer: FlowAnswer | undefined): void {
    const [code, message] = faultOf(answer)
    this.#tell('error', { code, message, run_id: this.#runId })
    this.#body!.end()
  }

  #tell(event: string, data: object): void {
    this.#body!.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
}

/** What went wrong is for those who may read the run. */
function faultOf(answer: FlowAnswer | undefined): readonly [code: ProblemCode, message: string] {
  if (answer === undefined)
    return ['stopping', 'The service stops. The run goes on: ask again with the same Idempotency-Key.']
  if (answer.by === 'end' && answer.status === 'cancelled')
    return ['run_cancelled', 'The run was cancelled before its answer was whole.']
  return ['run_failed', 'The run did not answer as it had begun. What came so far is void.']
}
