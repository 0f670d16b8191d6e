import type { ServerResponse } from 'node:http'
import type { AnswerWatch, Caller, Waiting } from '../../../runs/answers/answer-watch.ts'
import type { FlowAnswer } from '../../../runs/answers/flow-answer.ts'

type Watch = Pick<AnswerWatch, 'wait' | 'waitForEarlier' | 'leave'>

/** Sends what came of the run to a caller that is still there. */
export type SendAnswer = (response: ServerResponse, runId: string, answer: FlowAnswer | undefined) => void

const WAITS = Symbol('millrace.waits-for-answer')

/**
 * A request that stays open until its flow answers. All that is held for it besides the connection is here, and no function is made for it:
 * thousands may wait.
 */
export class WaitingResponse implements Caller {
  readonly #response: ServerResponse & { [WAITS]?: WaitingResponse | undefined }
  readonly #runId: string
  readonly #send: SendAnswer
  readonly #watch: Watch
  #waiting: Waiting | undefined

  constructor(response: ServerResponse, runId: string, watch: Watch, send: SendAnswer) {
    this.#response = response
    this.#runId = runId
    this.#watch = watch
    this.#send = send
  }

  /** `isEarlier`: the run was there before, so it may have answered by now. */
  wait(ms: number, isEarlier: boolean): void {
    if (this.#response.destroyed) return
    this.#response[WAITS] = this
    this.#response.once('close', callerGone)
    const watch = this.#watch
    this.#waiting = isEarlier
      ? watch.waitForEarlier(this.#runId, ms, this)
      : watch.wait(this.#runId, ms, this)
  }

  answered(answer: FlowAnswer | undefined): void {
    this.#letGo()
    this.#send(this.#response, this.#runId, answer)
  }

  /** The answer has begun: the caller is told its end, however long that takes. */
  stay(): void {
    if (this.#waiting !== undefined) this.#watch.leave(this.#waiting)
    this.#waiting = this.#watch.wait(this.#runId, Number.POSITIVE_INFINITY, this)
  }

  /** The run goes on; nobody waits for what it answers. */
  leave(): void {
    this.#letGo()
    if (this.#waiting !== undefined) this.#watch.leave(this.#waiting)
  }

  #letGo(): void {
    this.#response[WAITS] = undefined
    this.#response.removeListener('close', callerGone)
  }
}

function callerGone(this: ServerResponse & { [WAITS]?: WaitingResponse }): void {
  this[WAITS]?.leave()
}
