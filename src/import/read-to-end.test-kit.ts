import type { Imported } from './imported-flow.ts'
import { readImport } from './read-import.ts'

/** What comes of a file, read in one go. */
export function toEnd(file: unknown): Imported {
  let n = 0
  const reading = readImport(file, { slugFor: (name) => `${name.toLowerCase()}-${++n}` })
  for (;;) {
    const { done, value } = reading.next()
    if (done === true) return value
  }
}
