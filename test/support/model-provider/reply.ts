/** What a provider's server is to answer to one call. */
export interface ModelReply {
  /** The text, sent piece by piece. */
  readonly pieces?: readonly string[]
  readonly usage?: ModelUsage
  /** Tools that are called after the text. */
  readonly calls?: readonly ToolCallReply[]
  /** Why the text ends: it is whole, the limit was reached, or the model would not go on. */
  readonly finish?: 'stop' | 'length' | 'refused'
  /** Answered instead of a text, in the way of the provider. */
  readonly error?: ModelFailure
  /** The stream breaks after so many pieces: the provider says that something went wrong, or the line goes dead. */
  readonly breaks?: { readonly after: number; readonly how: 'error' | 'cut' | 'end' }
  /** Waited for before the piece of this number is sent, and before the end. */
  readonly before?: (piece: number) => Promise<unknown> | undefined
}

export interface ToolCallReply {
  readonly id: string
  readonly name: string
  /** As JSON, where it is not a text. */
  readonly arguments: unknown
}

export interface ModelUsage {
  readonly input: number
  readonly output: number
  readonly cached?: number
}

export interface ModelFailure {
  readonly kind: ModelFailureKind
  readonly headers?: Readonly<Record<string, string>>
}

export type ModelFailureKind =
  | 'bad_key'
  | 'unknown_model'
  | 'context_too_long'
  | 'rate_limited'
  | 'out_of_credit'
  | 'overloaded'
  | 'server_error'

export interface FailureAnswer {
  readonly status: number
  readonly body: object
}

/** The text of an answer, as its protocol sends it. */
export interface WrittenReply {
  readonly id: string
  readonly model: string
  readonly finish: NonNullable<ModelReply['finish']>
  readonly usage: ModelUsage
  readonly calls: readonly ToolCallReply[]
}

export function argumentsOf({ arguments: given }: ToolCallReply): string {
  return typeof given === 'string' ? given : JSON.stringify(given)
}

/** How one provider's protocol spells things. */
export interface ModelProtocol {
  readonly name: string
  /** The call is of this protocol: the model that it asks for, and whether the answer is to be a stream. */
  matches(path: string, body: Record<string, unknown>): { model: string; isStream: boolean } | undefined
  keyOf(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined
  begin(reply: WrittenReply): string
  piece(text: string, reply: WrittenReply): string
  end(reply: WrittenReply, whole: string): string
  /** An error in the middle of a stream. */
  breakDown(): string
  /** The answer in one piece. */
  whole(reply: WrittenReply, text: string): object
  failure(kind: ModelFailureKind, model: string): FailureAnswer
}

export function event(data: { readonly type?: string; readonly [name: string]: unknown }): string {
  return `${data.type === undefined ? '' : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`
}

export function bearerOf(
  headers: Readonly<Record<string, string | string[] | undefined>>
): string | undefined {
  return /^Bearer (.+)$/i.exec(String(headers.authorization ?? ''))?.[1]
}
