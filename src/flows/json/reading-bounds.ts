import { tooDeep } from './too-deep.ts'

/** What a text may hold that is read in turns. */
export interface ReadingBounds {
  readonly depth: number
  /** Of one object. */
  readonly members: number
  /** Texts, numbers, lists, objects and all else, however deep they stand. */
  readonly values: number
  /** Whether no object may have two members of one name: JSON.parse takes the last, and says nothing of the others. */
  readonly isUnique?: boolean
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

type Bound = 'depth' | 'members' | 'values'

/** It is JSON, and more of it than is taken. */
export class BeyondBounds extends SyntaxError {
  readonly what: Bound

  constructor(what: Bound, most: number) {
    super(WORDS[what](most))
    this.what = what
  }
}

/** It is JSON, and what of two members of one name is meant nobody can say. */
export class RepeatedName extends SyntaxError {
  readonly memberName: string
  /** Where the second of them begins. */
  readonly at: number

  constructor(name: string, at: number) {
    super(`an object has two members of one name`)
    this.memberName = name
    this.at = at
  }
}

/** It is no JSON from there on. */
export class BrokenJson extends SyntaxError {
  readonly at: number

  constructor(at: number) {
    super(`Unexpected text in JSON at position ${at}`)
    this.at = at
  }
}

const WORDS: Readonly<Record<Bound, (most: number) => string>> = {
  depth: tooDeep,
  members: (most) => `an object has more than ${most} members`,
  values: (most) => `there are more than ${most} values`
}
