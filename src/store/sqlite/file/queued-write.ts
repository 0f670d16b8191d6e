import { MillraceError } from '../../../errors.ts'

/** What somebody has handed in to be written, and waits for. */
export interface Write {
  readonly op: () => unknown
  readonly bytes: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  refused: boolean
  /** What the op returned, or what it threw when it was refused. */
  result: unknown
}

/** Throws what is no refusal: that is for the whole batch to deal with. */
export function doWrite(write: Write): void {
  write.refused = false
  try {
    write.result = write.op()
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error
    write.refused = true
    write.result = error
  }
}

export function settle(write: Write): void {
  if (write.refused) write.reject(write.result)
  else write.resolve(write.result)
}
