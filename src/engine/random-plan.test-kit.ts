import fc from 'fast-check'
import { plan } from './plan.test-kit.ts'
import type { Plan } from './plan.ts'

interface RandomPlan {
  readonly drawing: string
  readonly plan: Plan
}

/** Any graph without cycles: a wire may lead from every node to every later one. Some reach outside. */
export function randomPlan(maxNodes: number): fc.Arbitrary<RandomPlan> {
  return fc
    .integer({ min: 1, max: maxNodes })
    .chain((size) =>
      fc.tuple(
        fc.array(fc.constantFrom('', '', '!', '(webhook)', '(chat)'), { minLength: size, maxLength: size }),
        fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 2 * size })
      )
    )
    .map(([marks, pairs]) => {
      const names = marks.map((mark, index) => `N${index}${mark}`)
      const wires = pairs
        .filter(([a, b]) => a !== b)
        .map(([a, b]) => `N${Math.min(a, b)} -> N${Math.max(a, b)}`)
      const drawing = [...names, ...wires].join('; ')
      return { drawing, plan: plan(drawing) }
    })
}
