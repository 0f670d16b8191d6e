import type { ModelFetch, OpenAnswer } from '../model-fetch.ts'
import type { Answered, AnswerPart, Fetch, ModelOptions } from '../model-providers.ts'
import { PlainAnswer } from './plain-answer.ts'
import { plainRequest } from './plain-request.ts'

interface ChatModel {
  readonly name: string
  readonly address: string
  readonly key: string | undefined
  /** By the SDK, whose request is sent by this fetch. */
  readonly bySdk: (options: ModelOptions, fetch: Fetch) => Promise<Answered>
}

/**
 * Asks a model by Chat Completions ourselves where question and answer are plain, which most of an agent's are: the SDK takes a third of what an
 * agent adds to a call for them. Everything else is the SDK's; where that shows in the middle of an answer, it gets what came before.
 */
export async function askPlainly(
  { name, address, key, bySdk }: ChatModel,
  options: ModelOptions,
  calls: Pick<ModelFetch, 'fetch' | 'open'>
): Promise<Answered> {
  const body = plainRequest(name, options)
  if (body === undefined) return bySdk(options, calls.fetch)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Millrace',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(options.headers as Readonly<Record<string, string>>)
  }
  const answer = await calls.open(address, { method: 'POST', headers, body })
  if (answer instanceof Response) return bySdk(options, async () => answer)
  const readBySdk = async (events: AsyncIterable<string>) =>
    (await bySdk(options, async () => answer.responseOf(events))).stream
  return { stream: partsOf(answer, readBySdk) }
}

async function* partsOf(
  { events }: OpenAnswer,
  readBySdk: (events: AsyncIterable<string>) => Promise<AsyncIterable<AnswerPart>>
): AsyncGenerator<AnswerPart> {
  const plain = new PlainAnswer()
  const taken: string[] = []
  try {
    for (;;) {
      const { done, value } = await events.next()
      if (done === true) break
      taken.push(value)
      if (!plain.take(value)) return yield* await readBySdk(following(taken, events))
    }
    yield* plain.parts() ?? (await readBySdk(following(taken, events)))
  } finally {
    // Who reads no further lets go of the socket.
    await events.return(undefined)
  }
}

async function* following(taken: readonly string[], events: AsyncGenerator<string>): AsyncGenerator<string> {
  yield taken.join('')
  yield* events
}
