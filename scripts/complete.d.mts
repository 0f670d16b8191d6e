import type { Declared } from './declared.mjs'

export interface NextWords {
  readonly words?: readonly (readonly [word: string, does: string])[]
  /** What has to be asked for the names. */
  readonly ask?: string
}

export function nextWords(declared: Declared, typed: readonly string[]): NextWords | undefined
export function completionFor(args: readonly string[]): string | undefined
export function typedOf(args: readonly string[]): readonly string[]
