import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { sampleChild } from '../../../contract/sample-children.test-kit.ts'
import { sampleOutcome, sampleRun } from '../../../contract/subject.test-kit.ts'
import type { AcceptedRun, RunRef, Store } from '../../../store.ts'
import { familyFaults } from '../../families.test-kit.ts'
import { databasePath } from '../../file/database-file.ts'
import { openSqliteStore } from '../../open-sqlite-store.ts'
import { folderFor, openFor, temporaryFolder } from '../../sqlite-subject.test-kit.ts'

const ALL = { runs: 1_000, bytes: 1e9 }
const RULES = { atOnce: 2, stopsOnFailure: false }
const NODE = 'each-1'

/** A parent and what a process knows of it: whether it has it in memory, and which children it executes. */
class Household {
  readonly store: () => Store
  readonly parent: AcceptedRun
  readonly stopsOnFailure: boolean
  /** Taken up, or never parked. */
  isUp = true
  begun: RunRef[] = []
  #index = 0
  #hasStarted = false

  constructor(store: () => Store, parent: AcceptedRun, stopsOnFailure: boolean) {
    this.store = store
    this.parent = parent
    this.stopsOnFailure = stopsOnFailure
  }

  get #rules() {
    return { atOnce: 2, stopsOnFailure: this.stopsOnFailure }
  }

  async start(count: number): Promise<void> {
    if (!this.isUp) return
    this.#hasStarted = true
    const children = Array.from({ length: count }, () => sampleChild(this.parent, { index: this.#index++ }))
    const begun = await this.store().runs.startChildren(this.parent, NODE, children, this.#rules)
    this.begun.push(...(begun ?? []))
  }

  async park(): Promise<void> {
    if (!this.isUp || !this.#hasStarted) return
    await this.store().runs.park(this.parent, '"parked"', null, [NODE])
    this.isUp = false
  }

  async endChild(status: 'succeeded' | 'failed'): Promise<void> {
    const child = this.begun.shift()
    if (child !== undefined) await this.store().runs.end(child, sampleOutcome({ status }))
  }

  async drop(): Promise<void> {
    if (this.isUp) await this.store().runs.dropChildren(this.parent, NODE)
  }

  async endParent(status: 'failed' | 'cancelled'): Promise<void> {
    await this.store().runs.end(this.parent, sampleOutcome({ status }))
    this.isUp = false
  }

  /** Goes on with those that failed. */
  async retry(): Promise<void> {
    const { runs } = this.store()
    if ((await runs.reopen(this.parent, '"again"')) === null) return
    this.isUp = true
    const ended = (await runs.children(this.parent.seq, NODE, 0, 100)).filter(
      ({ outcome }) => outcome !== null
    )
    const again = ended.map(({ index, ...run }) => ({ run, index, entry: '"again"' }))
    await runs.reopenChildren(this.parent, NODE, again, this.#rules)
  }

  /** Whatever is due is taken up; what is orphaned ends. */
  async takeDue(): Promise<number> {
    const { runs } = this.store()
    const parents = await runs.takeDue(this.parent.flowId, 3e12, ALL)
    if (parents.runs.length > 0) this.isUp = true
    const children = (await runs.takeDue('flow-b', 3e12, ALL)).runs
    for (const child of children) {
      if (await runs.isOrphaned(child.seq)) await runs.end(child, sampleOutcome({ status: 'cancelled' }))
      else this.begun.push(child)
    }
    return parents.runs.length + children.length
  }
}

const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('start' as const), count: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.constant({ do: 'park' as const }) },
  { weight: 5, arbitrary: fc.constant({ do: 'takeDue' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('endChild' as const),
      status: fc.constantFrom('succeeded' as const, 'failed' as const)
    })
  },
  { weight: 1, arbitrary: fc.constant({ do: 'drop' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('endParent' as const),
      status: fc.constantFrom('failed' as const, 'cancelled' as const)
    })
  },
  { weight: 1, arbitrary: fc.constant({ do: 'retry' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) }
)

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

async function execute(house: Household, each: Exclude<Act, { do: 'restart' }>): Promise<unknown> {
  switch (each.do) {
    case 'start':
      return house.start(each.count)
    case 'endChild':
      return house.endChild(each.status)
    case 'endParent':
      return house.endParent(each.status)
    default:
      return house[each.do]()
  }
}

/** Ends what is under way until nothing is: then no child is left, and the parent has been told. */
async function settle(house: Household): Promise<void> {
  for (;;) {
    while (house.begun.length > 0) await house.endChild('succeeded')
    if ((await house.takeDue()) === 0 && house.begun.length === 0) return
  }
}

describe('children, whatever happens in whatever order', () => {
  it('are counted, get their turn and wake their parent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(act, { minLength: 5, maxLength: 30 }),
        async (stopsOnFailure, acts) => {
          const folder = await temporaryFolder()
          let store: Store = await openSqliteStore({ folder })
          try {
            const parent = await store.runs.accept(sampleRun())
            const house = new Household(() => store, { ...parent }, stopsOnFailure)
            for (const each of acts) {
              if (each.do === 'restart') {
                await store.close()
                store = await openSqliteStore({ folder })
              } else await execute(house, each)
              assert.deepEqual(familyFaults(folder), [], JSON.stringify(each))
            }
            await settle(house)
            assert.deepEqual(familyFaults(folder), [])
            if (!house.isUp) assert.ok((await store.runs.get(parent.id))?.outcome, 'the parent sleeps on')
          } finally {
            await store.close()
            await rm(folder, { recursive: true })
          }
        }
      ),
      { numRuns: 40 }
    )
  })
})

describe('children that cannot be accepted', () => {
  it('leave nothing behind, in memory or in the counts', async (t) => {
    const { store, folder } = await openFor(t)
    const parent = await store.runs.accept(sampleRun())
    const [first, second, third] = [0, 1, 2].map((index) => sampleChild(parent, { index }))
    await store.runs.startChildren(parent, NODE, [first!], RULES)
    const namesake = { ...sampleChild(parent, { index: 3 }), id: first!.id }
    const twice = store.runs.startChildren(parent, NODE, [second!, namesake], RULES)
    const sound = store.runs.startChildren(parent, NODE, [third!], RULES)
    await assert.rejects(twice)
    assert.equal((await sound)?.length, 1)
    assert.deepEqual(await store.runs.backlog(), new Map(Object.entries({ 'flow-a': 1, 'flow-b': 2 })))
    assert.deepEqual(familyFaults(folder), [])
  })
})

describe('children that a crash left parked', () => {
  it('become due with the next start', async (t) => {
    const folder = await folderFor(t)
    const before = await openSqliteStore({ folder })
    const parent = await before.runs.accept(sampleRun())
    const children = Array.from({ length: 1_300 }, (_, index) => sampleChild(parent, { index }))
    await before.runs.startChildren(parent, NODE, children, { ...RULES, atOnce: 1 })
    await before.close()
    // As it is after the first slice.
    const db = new DatabaseSync(databasePath(folder))
    db.exec(
      `UPDATE waits SET state = 'over', ended_at = 7; INSERT INTO releases (awaited_by, at) SELECT no, 7 FROM waits`
    )
    db.close()
    const after = await openSqliteStore({ folder })
    assert.equal((await after.runs.takeDue('flow-b', 7, { ...ALL, runs: 2_000 })).runs.length, 1_299)
    assert.deepEqual(familyFaults(folder), [])
    await after.close()
  })
})
