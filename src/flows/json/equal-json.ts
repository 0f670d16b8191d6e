import type { Turns } from '../in-turns.ts'
import { weigh } from './json-pieces.ts'

type Members = Readonly<Record<string, unknown>>

/** In characters: what is compared at once. */
const SHORT = 16 * 1024

/** Whether two values are the same in JSON, in whatever order their members stand. */
export function* equalInTurns(one: unknown, other: unknown): Turns<boolean> {
  if (Object.is(one, other)) return true
  if (weigh(one, SHORT) <= SHORT || !isSameKind(one, other)) return equalJson(one, other)
  if (Array.isArray(one)) return yield* equalLists(one, other as unknown[])
  const [names, others] = [Object.keys(one as object), Object.keys(other as object)]
  yield
  if (names.length !== others.length) return false
  for (const [at, name] of names.entries()) {
    if (at % 1_000 === 999) yield
    if (!Object.hasOwn(other as object, name)) return false
    if (!(yield* equalInTurns((one as Members)[name], (other as Members)[name]))) return false
  }
  return true
}

/** The names of their places are not looked at: a list of a million has as many. */
function* equalLists(one: readonly unknown[], other: readonly unknown[]): Turns<boolean> {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) {
    if (at % 1_000 === 999) yield
    if (!(yield* equalInTurns(one[at], other[at]))) return false
  }
  return true
}

/** Both are lists, or both are objects. */
function isSameKind(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  return Array.isArray(one) === Array.isArray(other)
}

/** The same value in JSON, in whatever order its members stand. */
function equalJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isSameKind(one, other)) return false
  const [names, others] = [Object.keys(one as object), Object.keys(other as object)]
  return (
    names.length === others.length &&
    names.every(
      (name) =>
        Object.hasOwn(other as object, name) && equalJson((one as Members)[name], (other as Members)[name])
    )
  )
}
