/**
 * A piece of a long value that a step put out. A value is named within its run; a piece that is written again, as when a
 * step is repeated after a crash, takes the place of the one before.
 */
export interface LongPiece {
  readonly name: string
  readonly piece: number
  readonly bytes: Uint8Array
}
