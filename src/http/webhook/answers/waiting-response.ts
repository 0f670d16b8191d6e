import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { AnswerWatch, Caller, Waiting } from '../../../runs/answers/answer-watch.ts'
import type { FlowAnswer } from '../../../runs/answers/flow-answer.ts'
import { answerOn, takeConnection } from '../../requests/taken-connection.ts'

type Watch = Pick<AnswerWatch, 'wait' | 'waitForEarlier' | 'leave' | 'sending'>

/** Sends what came of the run to a caller that is still there. */
export type SendAnswer = (response: ServerResponse, runId: string, answer: FlowAnswer | undefined) => void

const WAITS = Symbol('millrace.waits-for-answer')

/** Whatever closes when the caller goes away. */
type Open = (ServerResponse | Socket) & { [WAITS]?: WaitingResponse | undefined }

interface HowToWait {
  /** The run was there before, so it may have answered by now. */
  readonly isEarlier?: boolean
  /** Whoever waits for long does so on the bare connection: only where `send` takes the response that it is given, and no other. */
  readonly mayTakeConnection?: boolean
}

/**
 * A request that stays open until its flow answers. All that is held for it besides the connection is here, and no function is made for it:
 * thousands may wait.
 */
export class WaitingResponse implements Caller {
  /** The response; of who waits for long, the connection. */
  #open: Open
  #response: ServerResponse | undefined
  readonly #runId: string
  readonly #send: SendAnswer
  readonly #watch: Watch
  #mayTakeConnection = false
  #waiting: Waiting | undefined

  constructor(response: ServerResponse, runId: string, watch: Watch, send: SendAnswer) {
    this.#open = response
    this.#response = response
    this.#runId = runId
    this.#watch = watch
    this.#send = send
  }

  wait(ms: number, { isEarlier = false, mayTakeConnection = false }: HowToWait = {}): void {
    if (this.#open.destroyed) return
    this.#mayTakeConnection = mayTakeConnection
    this.#hold()
    const watch = this.#watch
    this.#waiting = isEarlier
      ? watch.waitForEarlier(this.#runId, ms, this)
      : watch.wait(this.#runId, ms, this)
  }

  waitsLong(): void {
    const response = this.#mayTakeConnection ? this.#response : undefined
    if (response === undefined) return
    this.#letGo()
    const connection = takeConnection(response)
    if (connection !== undefined) {
      this.#response = undefined
      this.#open = connection
    }
    this.#hold()
  }

  answered(answer: FlowAnswer | undefined): void {
    this.#letGo()
    this.#send(this.#response ?? this.#onConnection(), this.#runId, answer)
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

  #onConnection(): ServerResponse {
    const connection = this.#open as Socket
    this.#watch.sending(connection)
    return answerOn(connection)
  }

  #hold(): void {
    this.#open[WAITS] = this
    this.#open.once('close', callerGone)
  }

  #letGo(): void {
    this.#open[WAITS] = undefined
    this.#open.removeListener('close', callerGone)
  }
}

function callerGone(this: Open): void {
  this[WAITS]?.leave()
}
