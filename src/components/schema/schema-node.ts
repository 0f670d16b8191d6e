import type { Judgement, Misfit, Place, Seen } from './judgement.ts'
import type { Work } from './work.ts'

/** Holds a value against one keyword of a schema. `seen` is given where somebody asks which members were looked at. */
export type Check = (
  value: unknown,
  place: Place | undefined,
  judgement: Judgement,
  seen: Seen | undefined
) => void | Work<void>

/** A schema or a part of one. */
export class SchemaNode {
  checks: readonly Check[] = []
  /** `unevaluatedProperties` and `unevaluatedItems`, which are asked when all others were. */
  last: readonly Check[] = [];

  *judge(value: unknown, place: Place | undefined, judgement: Judgement, seenAround?: Seen): Work<void> {
    judgement.enter()
    if (judgement.isTurnOver(1 + this.checks.length)) yield
    const seen = seenAround ?? (this.last.length > 0 ? new Set<string | number>() : undefined)
    for (const check of this.checks) {
      const turns = check(value, place, judgement, seen)
      if (turns !== undefined) yield turns
    }
    for (const check of this.last) {
      const turns = check(value, place, judgement, seen)
      if (turns !== undefined) yield turns
    }
    judgement.leave()
  }

  /** Undefined where a value fits; what was seen in it counts only then. */
  *misfit(
    value: unknown,
    place: Place | undefined,
    judgement: Judgement,
    seen: Seen | undefined
  ): Work<Misfit | undefined> {
    const own = seen && new Set<string | number>()
    const misfit = (yield judgement.trial(() => this.judge(value, place, judgement, own))) as
      | Misfit
      | undefined
    if (misfit === undefined && own !== undefined) for (const key of own) seen!.add(key)
    return misfit
  }
}
