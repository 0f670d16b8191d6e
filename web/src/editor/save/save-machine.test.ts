import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ORDERS } from '../graph/flow.test-kit.ts'
import type { Flow } from '../graph/flow.ts'
import { savedAs } from '../graph/saved-flow.test-kit.ts'
import type { SavedFlow } from '../graph/saved-flow.ts'
import {
  LONGEST_WAIT_MS,
  QUIET_MS,
  type SaveEvent,
  type SaveStep,
  startSaving,
  stepSaving,
  wakeAt
} from './save-machine.ts'
import { hasUnsaved, type SaveState, statusOf, unsavedOf } from './save-state.ts'

type Event = SaveEvent extends infer E ? (E extends unknown ? Omit<E, 'at'> : never) : never

/** A machine that is fed by hand; `effects` are those of the last event. */
class Bench {
  now = 0
  step: SaveStep

  constructor(live: SavedFlow = savedAs(1, ORDERS)) {
    this.step = startSaving(live, undefined, 0)
  }

  get state(): SaveState {
    return this.step.state
  }

  get status() {
    return statusOf(this.state)
  }

  get kinds() {
    return this.step.effects.map(({ kind }) => kind)
  }

  send(event: Event): this {
    this.step = stepSaving(this.state, { ...event, at: this.now } as SaveEvent)
    return this
  }

  /** To the moment that the machine waits for. */
  wait(): this {
    const at = wakeAt(this.state)
    assert.ok(at !== undefined, 'it waits for nothing')
    this.now = Math.max(this.now, at)
    return this.send({ kind: 'woke' })
  }

  edit(template: string): this {
    return this.send({ kind: 'edited', flow: withTemplate(this.state.mine, template) })
  }

  saved(): this {
    const document = this.state.sending
    assert.ok(document, 'nothing is on its way')
    return this.send({ kind: 'saved', saved: savedAs(this.state.base.edition + 1, document) })
  }
}

function withTemplate(flow: Flow, template: string): Flow {
  return {
    ...flow,
    nodes: flow.nodes.map((part) => (part.id === 'parser-1' ? { ...part, fields: { template } } : part))
  }
}

const failed = { kind: 'failed', message: 'No answer came.' } as const
const theirs = (document: Flow, edition = 2): SavedFlow => savedAs(edition, document)
const problem = { code: 'flow_invalid', message: 'The nodes form a cycle.', faults: [] }

describe('a save', () => {
  it('waits for a pause and carries all edits until then', () => {
    const bench = new Bench().edit('a')
    assert.equal(bench.status, 'dirty')
    bench.now = 600
    bench.edit('ab')
    assert.deepEqual([bench.kinds, wakeAt(bench.state)], [[], 600 + QUIET_MS])
    bench.wait()
    assert.deepEqual(bench.step.effects, [{ kind: 'save', edition: 1, document: withTemplate(ORDERS, 'ab') }])
    assert.equal(bench.status, 'saving')
    bench.saved()
    assert.deepEqual([bench.status, bench.state.base.edition, wakeAt(bench.state)], ['clean', 2, undefined])
  })

  it('does not wait forever', () => {
    const bench = new Bench()
    for (; bench.now < LONGEST_WAIT_MS; bench.now += 500)
      assert.deepEqual(bench.edit(`${bench.now}`).kinds, [])
    assert.deepEqual(bench.edit('now').kinds, ['save'])
  })

  it('goes one at a time; what is edited meanwhile goes with the next', () => {
    const bench = new Bench().edit('a').wait().edit('ab')
    bench.now += 60_000
    assert.deepEqual(bench.send({ kind: 'woke' }).kinds, [])
    bench.saved()
    assert.deepEqual(bench.step.effects, [{ kind: 'save', edition: 2, document: withTemplate(ORDERS, 'ab') }])
  })

  it('is not made when everything was undone', () => {
    const bench = new Bench().edit('a').send({ kind: 'edited', flow: structuredClone(ORDERS) })
    assert.deepEqual([bench.status, wakeAt(bench.state)], ['clean', undefined])
  })

  it('is made at once when asked for', () => {
    assert.deepEqual(new Bench().edit('a').send({ kind: 'flush' }).kinds, ['save'])
    assert.deepEqual(new Bench().send({ kind: 'flush' }).kinds, [])
  })

  it('takes over what the service completed, once', () => {
    const bench = new Bench().edit('a').wait()
    const document = { ...bench.state.mine, description: 'completed' }
    bench.send({ kind: 'saved', saved: savedAs(2, document) })
    assert.deepEqual(bench.step.effects, [{ kind: 'adopt', flow: document, renamed: new Map() }])
    assert.deepEqual([bench.status, bench.state.mine], ['clean', document])
  })
})

describe('a failure', () => {
  it('is tried again, later each time, and keeps the edits', () => {
    const bench = new Bench().edit('a').wait()
    const waits = []
    for (let attempt = 0; attempt < 8; attempt++) {
      const before = bench.now
      bench.send(failed)
      assert.equal(bench.status, 'offline')
      assert.equal(bench.state.trouble, 'No answer came.')
      bench.wait()
      waits.push(bench.now - before)
      assert.equal(bench.status, 'offline', 'a further attempt does not make the badge flicker')
    }
    assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
    assert.equal(bench.saved().status, 'clean')
  })

  it('is tried again at once when the network is back, and carries the newest edits', () => {
    const bench = new Bench().edit('a').wait().send(failed).edit('ab')
    assert.deepEqual(bench.kinds, [])
    assert.deepEqual(bench.send({ kind: 'online' }).step.effects, [
      { kind: 'save', edition: 1, document: withTemplate(ORDERS, 'ab') }
    ])
  })

  it('waits as long as the service asks', () => {
    const bench = new Bench()
      .edit('a')
      .wait()
      .send({ ...failed, retryAfterMs: 7000 })
    assert.equal(wakeAt(bench.state), bench.now + 7000)
  })

  it('that is a refusal waits for the next edit', () => {
    const bench = new Bench().edit('a').wait().send({ kind: 'refused', problem })
    assert.deepEqual(
      [bench.status, bench.state.refused?.problem, wakeAt(bench.state)],
      ['invalid', problem, undefined]
    )
    assert.equal(bench.edit('ab').status, 'dirty')
    assert.deepEqual(bench.wait().kinds, ['save'])
    assert.equal(bench.saved().state.refused, undefined)
  })

  it('that is a refusal is tried again when asked for', () => {
    const bench = new Bench().edit('a').wait().send({ kind: 'refused', problem })
    assert.deepEqual(bench.send({ kind: 'flush' }).kinds, ['save'])
  })

  it('of a save that was made after all is found out, and is no conflict', () => {
    const bench = new Bench().edit('a').wait()
    const sent = bench.state.sending!
    bench.send(failed).edit('ab').wait()
    bench.send({ kind: 'stale' })
    assert.deepEqual(bench.step.effects, [{ kind: 'read' }])
    bench.send({ kind: 'read', live: theirs(structuredClone(sent)) })
    assert.deepEqual([bench.status, bench.state.conflicts, bench.state.base.edition], ['saving', [], 2])
    assert.equal(bench.saved().status, 'clean')
  })

  it('of such a save is one change of both when somebody else saved after it', () => {
    const bench = new Bench().edit('a').wait()
    const sent = bench.state.sending!
    bench.send(failed).wait().send({ kind: 'stale' })
    bench.send({ kind: 'read', live: theirs({ ...sent, name: 'Theirs' }) })
    assert.deepEqual([bench.state.conflicts, bench.state.mine.name], [[], 'Theirs'])
  })

  it('of such a save is found out although I have undone everything since', () => {
    const bench = new Bench().edit('a').wait()
    const sent = bench.state.sending!
    bench.send(failed).send({ kind: 'edited', flow: ORDERS })
    assert.equal(bench.status, 'offline')
    bench
      .wait()
      .send({ kind: 'stale' })
      .send({ kind: 'read', live: theirs(sent) })
    assert.deepEqual(bench.step.effects, [{ kind: 'save', edition: 2, document: ORDERS }])
  })

  it('leaves a draft for the next time the page is opened', () => {
    const bench = new Bench().edit('a').wait().edit('ab')
    const draft = unsavedOf(bench.state)!
    assert.deepEqual(draft, JSON.parse(JSON.stringify(draft)))
    assert.ok(hasUnsaved(bench.state))
    const same = startSaving(savedAs(1, ORDERS), draft, 0)
    assert.deepEqual([statusOf(same.state), same.state.mine], ['dirty', withTemplate(ORDERS, 'ab')])
    const landed = startSaving(theirs(withTemplate(ORDERS, 'a')), draft, 0)
    assert.deepEqual([landed.state.conflicts, landed.state.base.edition], [[], 2])
    const other = startSaving(theirs({ ...ORDERS, name: 'Theirs' }), draft, 0)
    assert.equal(other.state.mine.name, 'Theirs')
    assert.equal(unsavedOf(new Bench().state), undefined)
  })
})

describe('what somebody else saved', () => {
  it('is taken over where I have done nothing', () => {
    const bench = new Bench().send({ kind: 'announced', edition: 2 })
    assert.deepEqual(bench.kinds, ['read'])
    const document = { ...ORDERS, name: 'Theirs' }
    bench.send({ kind: 'read', live: theirs(document) })
    assert.deepEqual(bench.step.effects, [{ kind: 'adopt', flow: document, renamed: new Map() }])
    assert.equal(bench.status, 'clean')
  })

  it('is merged with what I did, and both are saved', () => {
    const bench = new Bench().edit('mine').wait().send({ kind: 'stale' })
    bench.send({ kind: 'read', live: theirs({ ...ORDERS, name: 'Theirs' }) })
    const merged = { ...withTemplate(ORDERS, 'mine'), name: 'Theirs' }
    assert.deepEqual(bench.step.effects, [
      { kind: 'adopt', flow: merged, renamed: new Map() },
      { kind: 'save', edition: 2, document: merged }
    ])
  })

  it('waits while my own save is on its way, and the echo of that is nothing new', () => {
    const bench = new Bench().edit('a').wait().send({ kind: 'announced', edition: 2 })
    assert.deepEqual(bench.kinds, [])
    assert.deepEqual(bench.saved().kinds, [])
    bench.edit('ab').wait().send({ kind: 'announced', edition: 4 })
    assert.deepEqual(bench.saved().kinds, ['read'])
  })

  it('is asked about where both touched one thing; nothing is sent until it is chosen', () => {
    const bench = new Bench().edit('mine').send({ kind: 'announced', edition: 2 })
    bench.send({ kind: 'read', live: theirs({ ...withTemplate(ORDERS, 'theirs'), name: 'Theirs' }) })
    assert.deepEqual([bench.status, bench.kinds, wakeAt(bench.state)], ['conflict', [], undefined])
    const [conflict] = bench.state.conflicts
    assert.deepEqual([conflict?.mine, conflict?.theirs], ['mine', 'theirs'])
    bench.now += 100_000
    assert.deepEqual(bench.send({ kind: 'flush' }).kinds, [])
    bench.send({ kind: 'chose', conflict: conflict!.id, choice: 'mine' })
    assert.deepEqual(bench.kinds, ['adopt', 'save'])
    assert.deepEqual(bench.state.mine, { ...withTemplate(ORDERS, 'mine'), name: 'Theirs' })
  })

  it('may be chosen, and then there is nothing to save', () => {
    const bench = new Bench().edit('mine').send({ kind: 'announced', edition: 2 })
    bench.send({ kind: 'read', live: theirs(withTemplate(ORDERS, 'theirs')) })
    bench.send({ kind: 'chose', conflict: bench.state.conflicts[0]!.id, choice: 'theirs' })
    assert.deepEqual([bench.kinds, bench.status], [['adopt'], 'clean'])
  })

  it('is weighed anew when I go on editing, and when they save again', () => {
    const bench = new Bench().edit('mine').send({ kind: 'announced', edition: 2 })
    bench.send({ kind: 'read', live: theirs(withTemplate(ORDERS, 'theirs')) })
    assert.equal(bench.edit('mine too').state.conflicts[0]?.mine, 'mine too')
    bench.send({ kind: 'announced', edition: 3 })
    assert.deepEqual(bench.kinds, ['read'])
    bench.send({ kind: 'read', live: theirs(withTemplate(ORDERS, 'theirs again'), 3) })
    assert.equal(bench.state.conflicts[0]?.theirs, 'theirs again')
    bench.edit('theirs again')
    assert.deepEqual([bench.status, bench.state.base.edition], ['clean', 3])
  })

  it('cannot be read for a while: it is tried again', () => {
    const bench = new Bench().send({ kind: 'announced', edition: 2 }).send(failed)
    assert.deepEqual(bench.wait().kinds, ['read'])
  })

  it('is not asked for again and again where the service contradicts itself', () => {
    const bench = new Bench().edit('a').wait().send({ kind: 'stale' })
    bench.send({ kind: 'read', live: savedAs(1, ORDERS) })
    assert.deepEqual(bench.kinds, [])
    assert.ok(wakeAt(bench.state)! > bench.now)
  })
})
