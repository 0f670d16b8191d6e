import type { FileValue, Step, StreamedBody } from '../../plugin-api.ts'

/** Bytes that are there, and files that are read when they are sent. */
export type BodyPiece = Uint8Array | FileValue

export type BodyContent = string | Uint8Array | readonly BodyPiece[]

/** As it is sent. Files are opened now, so that their sizes are known, and read each time that the body is sent. */
export async function sendable(
  content: BodyContent,
  step: Pick<Step, 'files'>
): Promise<string | Uint8Array | StreamedBody> {
  if (!Array.isArray(content)) return content as string | Uint8Array
  const pieces: { readonly size: number; read(): AsyncIterable<Uint8Array> | Uint8Array[] }[] = []
  for (const piece of content as readonly BodyPiece[]) {
    if (piece instanceof Uint8Array) pieces.push({ size: piece.byteLength, read: () => [piece] })
    else {
      const file = await step.files.open(piece.file)
      pieces.push({ size: file.value.size, read: () => file.read() })
    }
  }
  const size = pieces.reduce((sum, piece) => sum + piece.size, 0)
  return {
    size,
    async *read() {
      for (const piece of pieces) yield* piece.read()
    }
  }
}

/** The same where all of it has to be there, to be signed for instance. */
export async function gathered(
  content: BodyContent,
  step: Pick<Step, 'files'>,
  most: number
): Promise<string | Uint8Array> {
  if (!Array.isArray(content)) return content as string | Uint8Array
  const pieces: Uint8Array[] = []
  let left = most
  for (const piece of content as readonly BodyPiece[]) {
    const bytes = piece instanceof Uint8Array ? piece : await (await step.files.open(piece.file)).bytes(left)
    pieces.push(bytes)
    left -= bytes.byteLength
  }
  return Buffer.concat(pieces)
}
