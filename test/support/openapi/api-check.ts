import fc from 'fast-check'
import type { ApiClient } from '../api-client.ts'
import { sendRequest } from '../http-request.ts'
import type { Operation } from '../routes.ts'
import { type ApiRequest, badRequests, goodRequests } from './api-requests.ts'
import { ApiWorld, HINTS } from './api-world.ts'
import { AnswerJudge, type ApiAnswer } from './judge-answer.ts'

/** Requests between two looks at what there is. */
const SPAN = 40

/** Sends generated requests to a service, and holds what it answers against its own description. */
export class ApiCheck {
  readonly #client: ApiClient
  readonly #world: ApiWorld
  #sent = 0

  constructor(client: ApiClient) {
    this.#client = client
    this.#world = new ApiWorld(client)
  }

  /** Operations that were answered with success, by method and path. */
  readonly served = new Set<string>()

  get sent(): number {
    return this.#sent
  }

  /** What holds for every request to the operation: those that fit, and those with one thing wrong. */
  propertiesOf(operation: Operation): fc.IAsyncProperty<[ApiRequest, string]>[] {
    const judge = new AnswerJudge(operation)
    const requests = [goodRequests(operation, HINTS), badRequests(operation, HINTS)]
    return requests.flatMap((some) =>
      some === undefined
        ? []
        : [
            fc.asyncProperty(some, HINTS['x-api-key'] as fc.Arbitrary<string>, async (request, key) => {
              const answer = await this.#send(operation, request, key)
              if (answer.status < 300) this.served.add(`${operation.method} ${operation.path}`)
              const fault = judge.fault(request, answer)
              if (fault !== undefined) throw new Error(inWords(operation, request, answer, fault))
            })
          ]
    )
  }

  async #send({ method }: Operation, request: ApiRequest, key: string): Promise<ApiAnswer> {
    if (this.#sent++ % SPAN === 0) await this.#world.refresh()
    const { path, body, headers } = request
    const apiKey = this.#world.fill(key)
    const response = await sendRequest({
      method,
      url: this.#client.address + this.#world.fill(path),
      headers: {
        ...headers,
        ...(apiKey === '' ? {} : { 'x-api-key': apiKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' })
      },
      ...(body === undefined ? {} : { body: Buffer.from(this.#world.fill(body)) })
    })
    const type = response.headers['content-type']?.split(';', 1)[0]
    const { statusCode: status = 0 } = response
    if (type === 'text/event-stream') {
      response.destroy()
      return { status, type, text: '' }
    }
    return { status, type, text: Buffer.concat(await response.toArray()).toString() }
  }
}

function inWords({ method }: Operation, request: ApiRequest, answer: ApiAnswer, fault: string): string {
  const { path, body = '' } = request
  return `${method} ${path} ${body.slice(0, 2_000)}\n${answer.status} ${answer.text.slice(0, 2_000)}\n${fault}`
}
