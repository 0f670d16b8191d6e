import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { SeenByTrigger } from '../../store/triggers.ts'
import { isDone, type Look, MOST_TAKEN, takeItems } from './seen-items.ts'

const item = (name: string | number) => ({ id: String(name).padStart(16, '0') })
const items = (...names: readonly (string | number)[]) => names.map(item)
const NOTHING: SeenByTrigger = { mark: 0, seen: null }

function look(given: Partial<Look<{ readonly id: string }>>): Look<{ readonly id: string }> {
  return { of: 'feed', since: 0, items: [], skipsFirst: true, skipsMissed: false, ...given }
}

/** All that was to be started was. */
function afterAll(known: SeenByTrigger, given: Partial<Look<{ readonly id: string }>>) {
  const { fresh, keep } = takeItems(known, look(given))
  const kept = keep ?? known
  return {
    fresh: fresh.map(({ id }) => id.replace(/^0+/, '')),
    kept: { ...kept, mark: kept.mark + fresh.length }
  }
}

describe('items of a list that is watched', () => {
  it('are new when they were not there at the first look', () => {
    const first = afterAll(NOTHING, { items: items('a', 'b') })
    assert.deepEqual(first.fresh, [])
    assert.ok(isDone(first.kept, look({})))
    const second = afterAll(first.kept, { items: items('c', 'a') })
    assert.deepEqual(second.fresh, ['c'])
    assert.equal(takeItems(second.kept, look({ items: items('a', 'b', 'c') })).keep, undefined)
  })

  it('are all new where all are to be taken, or where it is another list', () => {
    const first = afterAll(NOTHING, { items: items('a', 'b'), skipsFirst: false })
    assert.deepEqual(first.fresh, ['a', 'b'])
    assert.deepEqual(afterAll(first.kept, { items: items('a'), of: 'other', skipsFirst: false }).fresh, ['a'])
  })

  it('are seen when they are noted, and done when all have had their run', () => {
    const { fresh, keep } = takeItems(NOTHING, look({ items: items('a', 'b', 'c'), skipsFirst: false }))
    assert.equal(fresh.length, 3)
    const reached = (started: number) => ({ ...keep!, mark: keep!.mark + started })
    assert.deepEqual(
      [0, 1, 3].map((started) => isDone(reached(started), look({}))),
      [false, false, true]
    )
    assert.deepEqual(takeItems(reached(3), look({ items: items('a', 'b', 'c') })).fresh, [])
    const next = takeItems(reached(1), look({ items: items('d') }))
    assert.ok(next.keep!.mark >= keep!.mark + 3, 'the old marks are behind')
  })

  it('do not count where their flow refused them', () => {
    const { kept } = afterAll(NOTHING, { items: items('a') })
    const refused = afterAll(kept, { items: items('a', 'b'), since: 7 })
    assert.deepEqual(refused.fresh, [])
    assert.deepEqual(afterAll(refused.kept, { items: items('a', 'b', 'c'), since: 7 }).fresh, ['c'])
    assert.deepEqual(afterAll(kept, { items: items('b'), skipsMissed: true }).fresh, [])
  })

  it('are taken in parts where they are many', () => {
    const many = { items: Array.from({ length: 2_500 }, (_, at) => item(`n${at}`)), skipsFirst: false }
    let { fresh, kept } = afterAll(NOTHING, many)
    const counts = [fresh.length]
    const all = new Set(fresh)
    while (fresh.length > 0) {
      ;({ fresh, kept } = afterAll(kept, many))
      counts.push(fresh.length)
      for (const id of fresh) all.add(id)
    }
    assert.deepEqual([counts, all.size], [[MOST_TAKEN, MOST_TAKEN, 500, 0], 2_500])
  })

  it('are forgotten when ten thousand others have come after them', () => {
    let { kept } = afterAll(NOTHING, { items: items('a') })
    for (let page = 0; page < 30; page++) {
      const there = Array.from({ length: 1_000 }, (_, at) => item(`${page}n${at}`))
      ;({ kept } = afterAll(kept, { items: there }))
    }
    assert.ok(kept.seen!.length < 16 * 12_000 + 500)
    assert.deepEqual(afterAll(kept, { items: items('25n7', 'a') }).fresh, ['a'])
  })

  it('start one run each, whenever whoever starts them is killed', () => {
    const steps = fc.array(fc.tuple(fc.uniqueArray(fc.nat(30)), fc.nat(8)), { maxLength: 12 })
    fc.assert(
      fc.property(steps, (given) => {
        let known = NOTHING
        const started: string[] = []
        const ever = new Set<string>()
        let taken: { readonly id: string; readonly mark: number }[] = []
        const startTaken = (most: number) => {
          for (const { id, mark } of taken.splice(0, most)) {
            started.push(id)
            known = { ...known, mark }
          }
        }
        const lookAt = (names: readonly number[]) => {
          const { fresh, keep } = takeItems(known, look({ items: items(...names), skipsFirst: false }))
          if (keep === undefined) return
          known = keep
          taken = fresh.map(({ id }, at) => ({ id, mark: keep.mark + 1 + at }))
        }
        for (const [names, most] of given) {
          for (const { id } of items(...names)) ever.add(id)
          startTaken(100)
          lookAt(names)
          startTaken(most)
        }
        startTaken(100)
        assert.equal(new Set(started).size, started.length, 'none twice')
        assert.ok(
          [...ever].every((id) => started.includes(id)),
          'none is lost'
        )
      })
    )
  })
})
