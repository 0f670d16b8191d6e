import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { equalJson } from '../graph/equal-json.ts'
import { flowOf, node } from '../graph/flow.test-kit.ts'
import type { Flow } from '../graph/flow.ts'
import { savedAs } from '../graph/saved-flow.test-kit.ts'
import type { SavedFlow } from '../graph/saved-flow.ts'
import { type SaveEffect, type SaveEvent, startSaving, stepSaving, wakeAt } from './save-machine.ts'
import { type SaveState, statusOf } from './save-state.ts'

type Event = SaveEvent extends infer E ? (E extends unknown ? Omit<E, 'at'> : never) : never

const failed = { kind: 'failed', message: 'No answer came.' } as const

/**
 * The service, as this part of the contract has it, behind a network that loses requests and answers. Both editors
 * write fields of their own on one node, and now and then the same one.
 */
class World {
  readonly versions: Flow[] = [flowOf([node('a-1')])]
  now = 0
  state: SaveState
  readonly pending: SaveEffect[] = []
  canvas: Flow
  /** Each state of the service that the page has come to know is one more; see `ServerDraft`. */
  edition = 1
  /** How many versions there were then. */
  known = 1
  readonly mineSet = new Map<string, string>()
  readonly theirSet = new Map<string, string>()
  /** Whatever I wrote, anywhere. */
  readonly written = new Set<string>()

  constructor() {
    this.canvas = this.versions[0]!
    this.state = startSaving(this.live, undefined, 0).state
  }

  get live(): SavedFlow {
    return savedAs(this.edition, this.versions.at(-1)!)
  }

  /** The page has an answer that tells what there is. */
  learn(): SavedFlow {
    this.known = this.versions.length
    this.edition++
    return structuredClone(this.live)
  }

  announce(): void {
    if (this.pending.length === 0 && this.versions.length > this.known) {
      this.happen({ kind: 'announced', edition: this.edition + 1 })
    }
  }

  happen(event: Event): void {
    const step = stepSaving(this.state, { ...event, at: this.now } as SaveEvent)
    this.state = step.state
    for (const effect of step.effects) {
      if (effect.kind === 'adopt') this.canvas = effect.flow
      else this.pending.push(effect)
    }
    assert.deepEqual(this.canvas, this.state.mine, 'what is saved is what is seen')
    assert.ok(this.pending.length <= 1, 'one request at a time')
  }

  edit(field: string, value: string): void {
    this.written.add(value)
    this.mineSet.set(field, value)
    this.canvas = withField(this.canvas, field, value)
    this.happen({ kind: 'edited', flow: this.canvas })
  }

  otherSaves(field: string, value: string): void {
    this.theirSet.set(field, value)
    this.versions.push(withField(this.live.document, field, value))
  }

  /** What becomes of the request on its way. */
  answer(fate: 'good' | 'lost' | 'answer lost'): void {
    const request = this.pending.shift()
    if (request === undefined || request.kind === 'adopt') return
    if (fate === 'lost') return this.happen(failed)
    if (request.kind === 'read') {
      if (fate === 'answer lost') return this.happen(failed)
      return this.happen({ kind: 'read', live: this.learn() })
    }
    const isThere = equalJson(request.document, this.live.document)
    const isStale = this.known !== this.versions.length && !isThere
    if (!isStale && !isThere) this.versions.push(structuredClone(request.document))
    if (fate === 'answer lost') return this.happen(failed)
    this.happen(isStale ? { kind: 'stale' } : { kind: 'saved', saved: this.learn() })
  }

  wake(): void {
    const at = wakeAt(this.state)
    if (at === undefined) return
    this.now = Math.max(this.now, at)
    this.happen({ kind: 'woke' })
  }

  /** With a good network and somebody who decides, everything comes to rest. */
  settle(choice: 'mine' | 'theirs'): void {
    for (let turn = 0; turn < 100; turn++) {
      const [conflict] = this.state.conflicts.filter((found) => found.choice === undefined)
      if (conflict !== undefined) this.happen({ kind: 'chose', conflict: conflict.id, choice })
      this.announce()
      this.answer('good')
      this.wake()
    }
  }
}

function withField(flow: Flow, field: string, value: string): Flow {
  return {
    ...flow,
    nodes: flow.nodes.map((part) => ({ ...part, fields: { ...part.fields, [field]: value } }))
  }
}

const anyTurn = fc.oneof(
  fc.record({ do: fc.constant('edit' as const), field: fc.constantFrom('m1', 'm2', 'm3', 'shared') }),
  fc.record({ do: fc.constant('other' as const), field: fc.constantFrom('t1', 't2', 'shared') }),
  fc.record({
    do: fc.constant('answer' as const),
    fate: fc.constantFrom('good' as const, 'lost' as const, 'answer lost' as const)
  }),
  fc.record({
    do: fc.constantFrom('wake' as const, 'announce' as const, 'online' as const, 'flush' as const)
  })
)
type Turn = typeof anyTurn extends fc.Arbitrary<infer T> ? T : never

function play(world: World, turn: Turn, index: number): void {
  world.now += 100
  switch (turn.do) {
    case 'edit':
      return world.edit(turn.field, `mine ${index}`)
    case 'other':
      return world.otherSaves(turn.field, `theirs ${index}`)
    case 'answer':
      return world.answer(turn.fate)
    case 'wake':
      return world.wake()
    case 'announce':
      return world.announce()
    default:
      return world.happen({ kind: turn.do })
  }
}

describe('whatever the network does and however both edit', () => {
  it('everything of both is saved in the end, and where they touched one thing, what was chosen', () => {
    const choices = fc.constantFrom('mine' as const, 'theirs' as const)
    fc.assert(
      fc.property(fc.array(anyTurn, { maxLength: 60 }), choices, (turns, choice) => {
        const world = new World()
        for (const [index, turn] of turns.entries()) play(world, turn, index)
        world.settle(choice)
        assert.equal(statusOf(world.state), 'clean')
        assert.deepEqual(world.live.document, world.canvas)
        const { fields } = world.canvas.nodes[0]!
        for (const [field, value] of world.theirSet) {
          if (field !== 'shared') assert.equal(fields[field], value, field)
        }
        // A save of mine without an answer, that others went on from, is theirs to the page: I am asked once more.
        const isOfMine = (value: unknown) => choice === 'theirs' && world.written.has(String(value))
        for (const [field, value] of world.mineSet) {
          if (field !== 'shared') assert.ok(fields[field] === value || isOfMine(fields[field]), field)
        }
        const shared = [world.mineSet, world.theirSet].flatMap((set) => set.get('shared') ?? [])
        const isKept = shared.includes(String(fields.shared)) || isOfMine(fields.shared)
        assert.ok(shared.length === 0 || isKept, String(fields.shared))
      }),
      { numRuns: 1000 }
    )
  })
})
