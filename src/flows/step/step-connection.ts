import type { ApiOperation } from './api-operation.ts'

/** A body that is too long to be held in memory. */
export interface StreamedBody {
  /** In bytes: all of them are sent, and no more. */
  readonly size: number
  /** From its beginning, each time that it is sent: after a redirect, or with another sign-in, it is once more. */
  read(): AsyncIterable<Uint8Array>
}

/** What a step sends. */
export interface OutgoingRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | StreamedBody | null
  /** `manual`: a redirect is an answer like any other. */
  readonly redirect?: 'follow' | 'manual'
}

/** What came back. The body has to be read or discarded: until then it holds the socket. */
export interface IncomingAnswer {
  readonly status: number
  /** Names in lower case; several values of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Where it came from, after redirects. */
  readonly url: string
  /** Decompressed, as it comes. */
  readonly body: AsyncIterable<Uint8Array>
  /**
   * For bodies that come in many small pieces: from now on a read comes so many milliseconds after the one before, and
   * brings in one piece what has come meanwhile. Asked before each read.
   */
  readEvery(waitMs: () => number): void
  discard(): Promise<void>
}

export type SendRequest = (url: string | URL, request?: OutgoingRequest) => Promise<IncomingAnswer>

/** A connection as the step has it that uses it. */
export interface OpenConnection {
  readonly name: string
  readonly kind: string
  readonly settings: Readonly<Record<string, unknown>>
  /**
   * In the clear. What of them gets into outputs, messages, logs, live text or errors of the step is redacted before anybody sees
   * it. What the component keeps, asks in a wait or gives to runs that it starts is not.
   */
  readonly secrets: Readonly<Record<string, string>>
  /** A text without the secrets: to be asked before what a peer said is cut, since half of a secret is not found any more. */
  readonly redact: (text: string) => string
  /**
   * Relative URLs follow the connection's address. Requests to that address carry its sign-in; requests to any other
   * carry nothing of it, also after a redirect.
   */
  readonly request: SendRequest
  /** The same in the types of the web. What either answers is rid of the secrets, in the encodings that connections/redaction knows. */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  /** What its document says of an operation, by its id or as `GET /path`. Throws where it has none of it. */
  readonly operation: (name: string) => Promise<ApiOperation>
  /**
   * A socket through the guard, for drivers that speak a protocol of their own. It is a `Socket` of node:net, which
   * types that the page shares cannot name.
   */
  readonly socket: () => object
  /**
   * What is costly to make is shared by all steps of this process that use the connection as it is now. It is closed when
   * nobody has used it for a minute, when the connection has changed, and when the service stops.
   */
  readonly withResource: <T, R>(
    resource: ConnectionResource<T>,
    work: (opened: T) => R | Promise<R>
  ) => Promise<R>
}

/** A constant of the component's module: it is known by its identity. */
export interface ConnectionResource<T> {
  open(connection: OpenConnection): T | Promise<T>
  close(opened: T): void | Promise<void>
}

/** What a socket through the guard does besides what one of node:net does. */
export interface GuardsStreams {
  /**
   * Guards what a driver reads from: the socket itself is guarded from the start, but a driver that puts TLS over it reads from
   * the stream that TLS gives it. `look` sees what the peer sends before the driver does; what it throws ends the session.
   */
  guard(stream: object, look?: (chunk: Uint8Array) => void): void
}
