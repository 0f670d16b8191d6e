import type { Api } from '../api.ts'
import { isFinal, Pauses } from './patiently.ts'
import { readEvents } from './read-events.ts'

export interface ServiceEvent {
  readonly kind: 'event'
  readonly id: string | null
  readonly event: string
  readonly data: { readonly [name: string]: unknown }
}

/** What is told of a stream: that it is open, and what happens from then on is in it; that it broke; and what it says. */
export type StreamNews =
  | ServiceEvent
  | { readonly kind: 'open'; readonly isFirst: boolean }
  | { readonly kind: 'broken' }

/** A service says every 15 s that it is there. */
const SILENCE_MS = 50_000

/**
 * Live events, until the signal. Where the connection breaks it is opened again and goes on after the last event that was taken,
 * so none is missed. That it cannot be opened at first is an error, and so is a no.
 */
export async function* followEvents(api: Api, path: string, signal: AbortSignal): AsyncGenerator<StreamNews> {
  const following = { place: null, isFirst: true, isOpen: false, pauses: new Pauses() }
  while (!signal.aborted) {
    yield* untilBroken(api, path, following, signal)
    if (signal.aborted) return
    // Told once, however often it is tried again.
    if (following.isOpen) yield { kind: 'broken' }
    following.isOpen = false
    await following.pauses.wait(signal)
  }
}

interface Following {
  place: string | null
  isFirst: boolean
  isOpen: boolean
  readonly pauses: Pauses
}

async function* untilBroken(
  api: Api,
  path: string,
  following: Following,
  signal: AbortSignal
): AsyncGenerator<StreamNews> {
  try {
    const response = await openStream(api, path, following.place)
    yield { kind: 'open', isFirst: following.isFirst }
    following.isFirst = false
    following.isOpen = true
    for await (const { id, event, data } of readEvents(piecesOf(response, signal))) {
      following.pauses.begin()
      if (data !== '') yield { kind: 'event', id, event, data: JSON.parse(data) }
      following.place = id ?? following.place
    }
  } catch (error) {
    if (!signal.aborted && (following.isFirst || isFinal(error))) throw error
  }
}

function openStream(api: Api, path: string, place: string | null): Promise<Response> {
  const headers = { accept: 'text/event-stream', ...(place === null ? {} : { 'last-event-id': place }) }
  return api.fetch(path, { headers })
}

/** Silence for long means that the other side is gone: a connection may break without anybody being told. */
async function* piecesOf(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = response.body!.getReader()
  const stop = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const silence = setTimeout(stop, SILENCE_MS)
      const { done, value } = await reader.read().finally(() => clearTimeout(silence))
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** What people are told of the stream itself; `begin` when it is open. */
export function streamNote(news: StreamNews, begin: string | undefined): string | undefined {
  if (news.kind === 'broken') return 'The connection broke. It is opened again …'
  if (news.kind === 'event') return undefined
  return news.isFirst ? begin : 'The connection is there again; nothing was missed.'
}
