import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'

/** An answer that is read while it comes. */
export class AnswerReader {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly #answer: IncomingMessage
  readonly #chunks: AsyncIterator<string>
  #text = ''

  constructor(answer: IncomingMessage) {
    this.status = answer.statusCode!
    this.headers = answer.headers
    this.#answer = answer
    this.#chunks = answer.setEncoding('utf8')[Symbol.asyncIterator]()
  }

  /** What has come, once that holds this text. */
  async until(text: string): Promise<string> {
    while (!this.#text.includes(text)) {
      const { value, done } = await this.#chunks.next()
      if (done === true) throw new Error(`the answer ended with ${JSON.stringify(this.#text)}`)
      this.#text += value
    }
    return this.#text
  }

  /** All of it. Fails where the connection is cut before. */
  async whole(): Promise<string> {
    for (;;) {
      const { value, done } = await this.#chunks.next()
      if (done === true) return this.#text
      this.#text += value
    }
  }

  leave(): void {
    this.#answer.destroy()
  }
}

/** Resolves when the answer begins. */
export async function readAnswer(
  address: string,
  { headers = {}, body = '{}' }: { readonly headers?: Record<string, string>; readonly body?: string } = {}
): Promise<AnswerReader> {
  const request = httpRequest(address, { method: 'POST', agent: false, headers })
  request.end(body)
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return new AnswerReader(answer)
}
