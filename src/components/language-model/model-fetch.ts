import {
  type IncomingAnswer,
  megabytes,
  type OpenConnection,
  type OutputLimit,
  reachError,
  StepError
} from '../../plugin-api.ts'
import { boundedAnswer, LONGEST_ERROR, readErrorBody } from './bounded-answer.ts'
import { TextEventMerger } from './merge-text-events.ts'
import type { Fetch } from './model-providers.ts'

/** With one stream a piece of text waits no longer than this for the next; the first one does not wait at all. */
const SHORTEST_GATHER_MS = 15
const LONGEST_GATHER_MS = 200
/** Each stream that is under way lets pieces of all of them wait so much longer: their cost stays the same. */
const GATHER_MS_PER_STREAM = 1

/** How many streams are under way in this process. */
export interface StreamCount {
  count: number
}

/** The fetch that the SDK gets: the connection's, with the pieces of a stream gathered. */
export interface ModelFetch {
  readonly fetch: Fetch
  /** The same for who reads the events as they come. An error is answered as it is to the SDK. */
  readonly open: (url: string, init: RequestInit) => Promise<OpenAnswer | Response>
  /** Why a call failed, in our own words: the SDK wraps what it is thrown. */
  readonly failure: () => StepError | undefined
}

/** The events of an answer, and how they come to the SDK. */
export interface OpenAnswer {
  readonly events: AsyncGenerator<string, undefined>
  readonly responseOf: (events: AsyncIterable<string>) => Response
}

interface ModelFetchOptions {
  readonly streams: StreamCount
  /** Told of the text that comes, which the SDK then gets later, as a whole; undefined: the SDK gets it as it comes. */
  readonly onText: ((text: string) => void) | undefined
  readonly outputLimit: OutputLimit
}

export function modelFetch(connection: OpenConnection, options: ModelFetchOptions): ModelFetch {
  let failure: StepError | undefined
  const fail = (error: unknown) => {
    if (error instanceof StepError) failure = error
  }

  async function send(url: string, init: RequestInit): Promise<OpenAnswer | Response> {
    const answer = await connection.request(url, {
      method: init.method ?? 'GET',
      headers: headersOf(init),
      body: typeof init.body === 'string' ? init.body : null
    })
    const { status, body } = answer
    if (status < 400) return openAnswer(answer, options, fail)
    const headers = withoutLength(answer.headers)
    const said = await readErrorBody(body)
    if (said !== undefined) return new Response(said, { status, headers })
    // This is what the SDK tells where there is nothing else to tell.
    const statusText = `an error of status ${status}, longer than ${megabytes(LONGEST_ERROR)}`
    return new Response('', { status, statusText, headers })
  }

  const open = async (url: string, init: RequestInit) => {
    try {
      return await send(url, init)
    } catch (error) {
      failure = error instanceof StepError ? error : reachError(error, new URL(url).host)
      throw failure
    }
  }
  const fetch: Fetch = async (url, init = {}) => {
    const answer = await open(String(url), init)
    return answer instanceof Response ? answer : answer.responseOf(answer.events)
  }
  return { fetch, open, failure: () => failure }
}

function headersOf({ headers = {} }: RequestInit): Record<string, string> {
  const isRecord = Object.getPrototypeOf(headers) === Object.prototype
  return isRecord ? (headers as Record<string, string>) : Object.fromEntries(new Headers(headers))
}

/** The body as it comes is longer than it was sent. */
function withoutLength(headers: Readonly<Record<string, string>>): Headers {
  const kept = new Headers(headers)
  kept.delete('content-encoding')
  kept.delete('content-length')
  return kept
}

function openAnswer(
  answer: IncomingAnswer,
  options: ModelFetchOptions,
  onError: (error: unknown) => void
): OpenAnswer {
  const reader = { isGone: false }
  const { status } = answer
  return {
    events: gathered(answer, options, { reader, onError }),
    responseOf: (events) => {
      const onCancel = () => {
        reader.isGone = true
      }
      return new Response(streamOf(events, onCancel), { status, headers: withoutLength(answer.headers) })
    }
  }
}

/** Read only as it is asked for; whoever reads no further lets go of the socket. */
function streamOf(texts: AsyncIterable<string>, onCancel: () => void): ReadableStream {
  const iterator = texts[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await iterator.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      cancel: async () => {
        onCancel()
        await iterator.return?.()
      }
    },
    { highWaterMark: 0 }
  )
}

interface Reading {
  readonly reader: { readonly isGone: boolean }
  readonly onError: (error: unknown) => void
}

/** `reader`: where it is gone the stream ends by itself, since text that is held back is handed to nobody for long. */
async function* gathered(
  { body, readEvery }: IncomingAnswer,
  { streams, onText, outputLimit }: ModelFetchOptions,
  { reader, onError }: Reading
): AsyncGenerator<string, undefined> {
  const merger = new TextEventMerger({ holdsBack: onText !== undefined })
  let isPaced = false
  streams.count++
  try {
    for await (const bytes of boundedAnswer(body, outputLimit)) {
      if (reader.isGone) return
      const { text, events } = merger.take(bytes)
      if (text !== '') onText?.(text)
      if (events !== '') yield events
      if (merger.hasText && !isPaced) {
        readEvery(() => gatherMs(streams.count))
        isPaced = true
      }
      // TLS brings what was read in pieces: those that are left come as one. And others have their turn.
      await new Promise((resolve) => setImmediate(resolve))
    }
    const rest = merger.end()
    if (rest !== '') yield rest
  } catch (error) {
    onError(error)
    throw error
  } finally {
    streams.count--
  }
}

function gatherMs(streams: number): number {
  return Math.min(Math.max(SHORTEST_GATHER_MS, streams * GATHER_MS_PER_STREAM), LONGEST_GATHER_MS)
}
