/** A version or the draft of a flow, of a deleted one too, whose document may hold a signing secret itself. */
export interface DocumentWithSecret {
  readonly flowId: string
  /** Null for the draft. */
  readonly version: number | null
  readonly document: string
}

/** Documents that hold signing secrets, as they did before there were connections, on their way to hold none. */
export interface SecretMoves {
  /** Whether every process that uses the store takes such secrets from connections: others would let nobody in. */
  mayMove(): Promise<boolean>
  /** After `finish`, drafts alone: they are few, and those of earlier versions were not moved. */
  pending(): Promise<DocumentWithSecret[]>
  /** Puts another document into the place of this one; false where it is another by now. */
  rewrite(from: DocumentWithSecret, document: string): Promise<boolean>
  /** All are moved; nobody has to look again. */
  finish(): Promise<void>
}

/** What a document holds at least that has such a secret. */
export const SECRET_FIELD = '"signing_secret"'
