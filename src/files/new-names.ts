import { randomBytes } from 'node:crypto'

/** Few enough that the folders of a place fill evenly, and more than are written at the same time. */
const ALIKE = 64

/**
 * Names for bytes, never used before. So many in a row begin with the same two digits: files that are written in the same moments are in the
 * same folder, and share its syncs.
 */
export class NewNames {
  #beginning = ''
  #left = 0

  next(): string {
    if (this.#left === 0) {
      this.#beginning = randomBytes(1).toString('hex')
      this.#left = ALIKE
    }
    this.#left -= 1
    return this.#beginning + randomBytes(15).toString('hex')
  }
}
