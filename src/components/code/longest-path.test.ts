import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expressionFault } from './expression-fault.ts'
import { longestPath } from './longest-path.ts'

describe('the longest path of an expression', () => {
  const LENGTHS: [expression: string, steps: number][] = [
    ['$', 0],
    ['a.b.c', 2],
    ['a.b + c.d.e', 2],
    ['{ "x.y.z.z": a.b, "n": c }', 1],
    ['a.(b.c.d).e', 3],
    ['a.[b, c].[b, c]', 4],
    ['a[0][1][2]', 3],
    ['$sum(items.(price * qty))', 2],
    ["'a.b' & `a.b`.c", 1],
    ['"a\\".b.c" & a.b', 1]
  ]
  for (const [expression, steps] of LENGTHS)
    it(`of ${expression} has ${steps} steps`, () => assert.equal(longestPath(expression), steps))

  it('is refused before it is read: 16 kB of it took seconds', () => {
    for (const step of ['.a', '.*', '.%', '[0]', '.(a)', '.[a,a]']) {
      const fault = expressionFault('expression', `a${step.repeat(16_000 / step.length)}`)
      assert.match(fault?.message ?? '', /path of more than 100 steps/)
    }
    assert.equal(expressionFault('expression', `a${'.a'.repeat(100)}`), undefined)
    assert.equal(expressionFault('expression', Array(1_000).fill('a.b.c').join(' + ')), undefined)
    assert.match(
      expressionFault('expression', 'a + '.repeat(6_000))?.message ?? '',
      /more than 20000 characters/
    )
  })
})
