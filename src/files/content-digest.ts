import { createHash, type Hash, webcrypto } from 'node:crypto'
import { HeldBytes } from './held-bytes.ts'

/** Is given bytes as they pass, and tells at their end what they were, in base64url. */
export interface Digest {
  update(part: Uint8Array): void
  /** To be called once. */
  end(): Promise<string>
}

const PIECE_BYTES = 262_144
/** Less is digested sooner than it is handed over. */
const WORTH_A_THREAD = 16_384
/** Of all pieces that are being gathered or wait for a thread. Beyond it, bytes are digested where they come. */
const MOST_HELD = 33_554_432
/** As many as SHA-256 has. */
const DIGEST_BYTES = 32

/** For digests that keep no more than that together. */
export function heldByDigests(): HeldBytes {
  return new HeldBytes(MOST_HELD)
}

/**
 * By which equal files are known: the SHA-512 of the SHA-512 of each piece, cut to 32 bytes. Threads digest the pieces: one digest of the
 * whole can only be taken where the bytes come, and took the main thread 2 to 4 ms for a megabyte where the processor has
 * no instructions for it, a third of an upload.
 */
export class ContentDigest implements Digest {
  readonly #held: HeldBytes
  readonly #digests: Promise<Uint8Array>[] = []
  #piece: Piece

  constructor(held: HeldBytes) {
    this.#held = held
    this.#piece = new Piece(held)
  }

  update(part: Uint8Array): void {
    for (let rest = part; rest.length > 0; ) {
      const fitting = rest.subarray(0, PIECE_BYTES - this.#piece.size)
      this.#piece.add(fitting)
      rest = rest.subarray(fitting.length)
      if (this.#piece.size === PIECE_BYTES) this.#endPiece()
    }
  }

  async end(): Promise<string> {
    if (this.#piece.size > 0) this.#endPiece()
    const whole = createHash('sha512')
    for (const digest of await Promise.all(this.#digests)) whole.update(digest)
    return whole.digest().subarray(0, DIGEST_BYTES).toString('base64url')
  }

  #endPiece(): void {
    const digest = this.#piece.digest()
    // It is told where the digest is asked for.
    digest.catch(() => {})
    this.#digests.push(digest)
    this.#piece = new Piece(this.#held)
  }
}

/** Keeps its parts for a thread, or digests them as they come where too much is kept. */
class Piece {
  readonly #held: HeldBytes
  #parts: Uint8Array[] = []
  #kept = 0
  #hash: Hash | undefined
  size = 0

  constructor(held: HeldBytes) {
    this.#held = held
  }

  add(part: Uint8Array): void {
    this.size += part.length
    if (this.#hash !== undefined) {
      this.#hash.update(part)
      return
    }
    this.#parts.push(part)
    this.#kept += part.length
    this.#held.keep(part.length)
    if (this.#held.isFull) this.#digestHere()
  }

  async digest(): Promise<Uint8Array> {
    if (this.size < WORTH_A_THREAD) this.#digestHere()
    if (this.#hash !== undefined) return this.#hash.digest()
    try {
      return new Uint8Array(await webcrypto.subtle.digest('SHA-512', Buffer.concat(this.#parts)))
    } finally {
      this.#letGo()
    }
  }

  #digestHere(): void {
    this.#hash ??= createHash('sha512')
    for (const part of this.#parts) this.#hash.update(part)
    this.#letGo()
  }

  #letGo(): void {
    this.#held.letGo(this.#kept)
    this.#kept = 0
    this.#parts = []
  }
}
