import { tooDeep } from './too-deep.ts'

/** What a text may hold that is read in turns. */
export interface ReadingBounds {
  readonly depth: number
  /** Of one object. */
  readonly members: number
  /** Texts, numbers, lists, objects and all else, however deep they stand. */
  readonly values: number
}

export interface Bounds extends ReadingBounds {
  /** Characters of a text inside of it that are read at once. */
  readonly piece: number
  /** Whether numbers may lose what JavaScript does not print. */
  readonly isPlain: boolean
}

export const NO_BOUNDS: Bounds = {
  depth: Number.POSITIVE_INFINITY,
  members: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
  piece: Number.POSITIVE_INFINITY,
  isPlain: false
}

/**
 * To list the names of an object takes as long as it takes: 50 ms for so many, and 600 for a million, wherever it is looked at.
 */
export const MOST_MEMBERS = 100_000

/** It is JSON, and more of it than is taken. */
export class BeyondBounds extends SyntaxError {
  readonly what: keyof ReadingBounds

  constructor(what: keyof ReadingBounds, most: number) {
    super(WORDS[what](most))
    this.what = what
  }
}

const WORDS: Readonly<Record<keyof ReadingBounds, (most: number) => string>> = {
  depth: tooDeep,
  members: (most) => `an object has more than ${most} members`,
  values: (most) => `there are more than ${most} values`
}
