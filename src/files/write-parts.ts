import type { FileHandle } from 'node:fs/promises'
import { HeldBytes } from './held-bytes.ts'

/** What comes from a network comes in parts of at most 64 kB: a write for each would cost more than its bytes. */
const PIECE_BYTES = 262_144
/** Small parts take more memory than their bytes. */
const PIECE_PARTS = 64
/** Of all files that are being written. Senders that are slow would else fill the memory with what is too little for a piece. */
const MOST_HELD = 33_554_432

/** For files that keep no more than that together. */
export function heldByFiles(): HeldBytes {
  return new HeldBytes(MOST_HELD)
}

/** Writes while more comes: one piece is on its way to the file as the next is gathered. */
export async function writeParts(
  file: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
  held: HeldBytes
): Promise<void> {
  let piece = new Piece(held)
  let writing = Promise.resolve()
  try {
    for await (const part of bytes) {
      piece.add(part)
      if (!piece.isFull()) continue
      await writing
      writing = piece.writeTo(file)
      // It is told where it is waited for.
      writing.catch(() => {})
      piece = new Piece(held)
    }
    await writing
    await piece.writeTo(file)
  } finally {
    piece.letGo()
    await writing.catch(() => {})
  }
}

class Piece {
  readonly #held: HeldBytes
  readonly #parts: Uint8Array[] = []
  #size = 0

  constructor(held: HeldBytes) {
    this.#held = held
  }

  add(part: Uint8Array): void {
    this.#parts.push(part)
    this.#size += part.length
    this.#held.keep(part.length)
  }

  isFull(): boolean {
    return this.#size >= PIECE_BYTES || this.#parts.length >= PIECE_PARTS || this.#held.isFull
  }

  async writeTo(file: FileHandle): Promise<void> {
    try {
      // A disk that is nearly full takes a part.
      for (let left = this.#parts; left.length > 0; )
        left = rest(left, (await file.writev(left)).bytesWritten)
    } finally {
      this.letGo()
    }
  }

  letGo(): void {
    this.#held.letGo(this.#size)
    this.#size = 0
  }
}

/** What is left of them after so many bytes. */
function rest(parts: readonly Uint8Array[], written: number): Uint8Array[] {
  let at = 0
  let left = written
  while (at < parts.length && left >= parts[at]!.length) left -= parts[at++]!.length
  return at === parts.length ? [] : [parts[at]!.subarray(left), ...parts.slice(at + 1)]
}
