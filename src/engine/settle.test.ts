import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RunTrigger } from '../flows/component/component.ts'
import { plan } from './plan.test-kit.ts'
import type { Plan } from './plan.ts'
import { begin, cancel, type Decision, markNotReached, type Standing, settle } from './settle.ts'

/** Plays a run by names; the rules decide, the test says which step ends how. */
class Game {
  readonly #plan: Plan
  readonly #standing: Standing
  /** Steps that may start now. */
  ready: string[]
  end: Decision['end']

  constructor(of: Plan, trigger: RunTrigger = 'webhook') {
    const { standing, ready } = begin(of, trigger)
    this.#plan = of
    this.#standing = standing
    this.ready = this.#names(ready)
  }

  start(...ids: string[]): this {
    for (const id of ids) this.#standing.statuses[this.#index(id)] = 'in progress'
    this.ready = this.ready.filter((id) => !ids.includes(id))
    return this
  }

  wait(id: string): this {
    this.#standing.statuses[this.#index(id)] = 'waiting'
    return this
  }

  succeed(...ids: string[]): this {
    for (const id of ids) this.#settle(id, 'succeeded')
    return this
  }

  fail(id: string): this {
    return this.#settle(id, 'failed')
  }

  cancel(): this {
    cancel(this.#standing)
    return this
  }

  giveUp(): this {
    markNotReached(this.#standing)
    return this
  }

  get failedFirst(): string | undefined {
    const { failed } = this.#standing
    return failed === undefined ? undefined : this.#plan.nodes[failed]!.id
  }

  get statuses(): Record<string, string> {
    return Object.fromEntries(this.#plan.nodes.map(({ id, index }) => [id, this.#standing.statuses[index]!]))
  }

  #settle(id: string, status: 'succeeded' | 'failed'): this {
    const outputs = status === 'failed' ? null : { out: id }
    const decision = settle(this.#standing, this.#index(id), { status, outputs })
    this.ready = [...this.ready, ...this.#names(decision.ready)].filter((name) => name !== id)
    this.end = decision.end
    return this
  }

  #index(id: string): number {
    return this.#plan.nodes.find((node) => node.id === id)!.index
  }

  #names(indexes: readonly number[]): string[] {
    return indexes.map((index) => this.#plan.nodes[index]!.id)
  }
}

describe('R1: a step is ready when what leads to it is settled', () => {
  //  A    B
  it('R1: steps without wires are ready at once', () => {
    assert.deepEqual(new Game(plan('A; B')).ready, ['A', 'B'])
  })

  //  A ─ B ─ C
  it('R1: a chain goes one by one', () => {
    const game = new Game(plan('A -> B -> C'))
    assert.deepEqual(game.ready, ['A'])
    assert.deepEqual(game.succeed('A').ready, ['B'])
    assert.deepEqual(game.succeed('B').ready, ['C'])
  })

  //  A ┬ B ┬ D
  //    └ C ┘
  it('R1: where branches meet, the slower one decides', () => {
    const game = new Game(plan('A -> B -> D; A -> C -> D')).succeed('A')
    assert.deepEqual(game.ready, ['B', 'C'])
    assert.deepEqual(game.succeed('C').ready, ['B'])
    assert.deepEqual(game.succeed('B').ready, ['D'])
  })

  //  W ┐
  //    ├ D      started by webhook: the Chat Input's branch is skipped
  //  C ┘
  it('R1: one source that succeeded is enough when the others were skipped', () => {
    const game = new Game(plan('W(webhook) -> D; C(chat) -> D'), 'webhook')
    assert.deepEqual(game.succeed('W').ready, ['D'])
  })
})

describe('R2: triggers start runs of their own kind', () => {
  const twoWays = plan('W(webhook) -> A; C(chat) -> B')
  //  W ─ A
  //  C ─ B
  it('R2: a webhook starts at the Webhook and skips the Chat Input', () => {
    const game = new Game(twoWays, 'webhook')
    assert.deepEqual(game.ready, ['W'])
    assert.equal(game.statuses.C, 'skipped')
  })

  it('R2: a chat turn starts at the Chat Input and skips the Webhook', () => {
    const game = new Game(twoWays, 'chat')
    assert.deepEqual(game.ready, ['C'])
    assert.equal(game.statuses.W, 'skipped')
  })

  it('R2: a run by API starts at the Webhook', () => {
    assert.deepEqual(new Game(twoWays, 'api').ready, ['W'])
  })

  it('R2: a run by API starts at the Chat Input where there is no Webhook', () => {
    assert.deepEqual(new Game(plan('C(chat) -> B'), 'api').ready, ['C'])
  })

  it('R2: a run by API starts at a trigger for it where there is one', () => {
    assert.deepEqual(new Game(plan('P(api); W(webhook)'), 'api').ready, ['P'])
  })

  it('R2: a flow without any trigger runs whole', () => {
    assert.deepEqual(new Game(plan('A -> B; C'), 'api').ready, ['A', 'C'])
  })

  //  W ─ A
  //  X            dropped on the canvas, and not wired yet
  it('R2: what no trigger has to do with is skipped', () => {
    const game = new Game(plan('W(webhook) -> A; X'), 'webhook')
    assert.deepEqual(game.ready, ['W'])
    assert.deepEqual(game.statuses, { W: 'queued', X: 'skipped', A: 'queued' })
    assert.equal(game.succeed('W', 'A').end, 'succeeded')
  })

  //  W ─ A
  //  X ─ Y ┘      X leads to what the trigger reaches, and to Z besides
  //  └ Z
  it('R2: what leads to a node that is taken is taken, and nothing that comes of it alone', () => {
    const game = new Game(plan('W(webhook) -> A; X -> Y -> A; X -> Z'), 'webhook')
    assert.deepEqual(game.ready, ['W', 'X'])
    assert.deepEqual(game.succeed('W', 'X').ready, ['Y'])
    assert.deepEqual(game.statuses.Z, 'skipped')
    assert.deepEqual(game.succeed('Y').ready, ['A'])
  })

  //  W ─ A
  //  C ─ B ┘      B has a trigger of its own; X leads to it alone
  //  X ──┘
  it('R2: what leads there and has a trigger of its own is skipped, with what leads to that alone', () => {
    const game = new Game(plan('W(webhook) -> A; C(chat) -> B -> A; X -> B'), 'webhook')
    assert.deepEqual(game.ready, ['W'])
    assert.deepEqual(game.succeed('W').ready, ['A'])
    const { statuses } = game
    assert.deepEqual([statuses.C, statuses.B, statuses.X], ['skipped', 'skipped', 'skipped'])
  })

  //  W ─ C        C is a Chat Input that a wire leads to: a step like any other
  it('R2: a trigger that a wire leads to starts nothing and is not skipped', () => {
    const game = new Game(plan('W(webhook) -> C(chat)'), 'webhook')
    assert.deepEqual(game.ready, ['W'])
    assert.deepEqual(game.succeed('W').ready, ['C'])
  })
})

describe('R3: what nothing reaches is skipped', () => {
  //  C ─ A ─ B ┐
  //  C ─ D ────┴ E
  //  W
  it('R3: skipping goes on through chains and meetings', () => {
    const game = new Game(plan('C(chat) -> A -> B -> E; C -> D -> E; W(webhook)'), 'webhook')
    assert.deepEqual(game.ready, ['W'])
    assert.deepEqual(game.statuses, {
      C: 'skipped',
      W: 'queued',
      A: 'skipped',
      D: 'skipped',
      B: 'skipped',
      E: 'skipped'
    })
  })

  //  W ──┐
  //  C ─ A ─ B
  it('R3: a step with one live source is not skipped', () => {
    const game = new Game(plan('C(chat) -> A; W(webhook) -> B; A -> B'), 'webhook')
    assert.equal(game.statuses.B, 'queued')
    assert.deepEqual(game.succeed('W').ready, ['B'])
  })
})

describe('R4: the first failure ends the run', () => {
  //  A ─ B
  //  C ─ D        C is in flight when A fails
  it('R4: no further step starts and steps in flight come to their end', () => {
    const game = new Game(plan('A -> B; C -> D')).start('A', 'C').fail('A')
    assert.deepEqual(game.ready, [])
    assert.equal(game.end, undefined)
    assert.deepEqual(game.succeed('C').ready, [])
    assert.equal(game.end, 'failed')
  })

  it('R4: what was neither run nor skipped is not reached', () => {
    const game = new Game(plan('W(webhook) -> A -> B; W -> C -> D; E(chat) -> F')).succeed('W')
    const { statuses } = game.start('A', 'C').fail('A').succeed('C').giveUp()
    assert.deepEqual(statuses, {
      W: 'succeeded',
      A: 'failed',
      C: 'succeeded',
      E: 'skipped',
      B: 'not reached',
      D: 'not reached',
      F: 'skipped'
    })
  })

  it('R4: the step that failed first is the one that is named', () => {
    const game = new Game(plan('A; B')).start('A', 'B').fail('B').fail('A')
    assert.equal(game.failedFirst, 'B')
  })
})

describe('R5 to R9', () => {
  //  A ─ C
  //  B ─ D        A waits for its next attempt
  it('R5: a step that waits does not fail the run, which goes on around it', () => {
    const game = new Game(plan('A -> C; B -> D')).start('A', 'B').wait('A')
    assert.deepEqual(game.succeed('B').ready, ['D'])
    game.succeed('D')
    assert.equal(game.end, undefined)
    assert.deepEqual(game.succeed('A').ready, ['C'])
  })

  //  A ─ B ─ C ─ D
  //      E
  it('R6: cancelling ends steps in flight and waiting, and reaches no other', () => {
    const game = new Game(plan('A -> B -> C -> D; E')).succeed('A').start('B').wait('E').cancel()
    assert.deepEqual(game.statuses, {
      A: 'succeeded',
      E: 'cancelled',
      B: 'cancelled',
      C: 'not reached',
      D: 'not reached'
    })
  })

  //  W ─ A        C ─ B
  it('R7: the run succeeds when every step succeeded or was skipped', () => {
    const game = new Game(plan('W(webhook) -> A; C(chat) -> B'), 'webhook').succeed('W')
    assert.equal(game.end, undefined)
    assert.equal(game.succeed('A').end, 'succeeded')
  })

  it('R8: a settled step never changes again', () => {
    const game = new Game(plan('A -> B; C')).succeed('A').fail('A')
    assert.equal(game.statuses.A, 'succeeded')
    assert.equal(game.failedFirst, undefined)
    assert.deepEqual(game.succeed('A').ready, ['C', 'B'])
  })

  it('R8: a skipped step cannot be brought back', () => {
    const game = new Game(plan('W(webhook); C(chat) -> B'), 'webhook').succeed('C', 'B')
    assert.equal(game.statuses.C, 'skipped')
    assert.equal(game.statuses.B, 'skipped')
  })

  it('R9: what a late step brings after a cancel is dropped', () => {
    const game = new Game(plan('A -> B')).start('A').cancel().succeed('A')
    assert.deepEqual(game.statuses, { A: 'cancelled', B: 'not reached' })
    assert.deepEqual(game.ready, [])
    assert.equal(game.end, undefined)
  })
})
