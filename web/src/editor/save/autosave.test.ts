import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { manualClock } from '../../../../src/clock.test-kit.ts'
import { type Service, startService } from '../../../../test/support/service.ts'
import type { Command } from '../commands/command.ts'
import { adopt, perform, startHistory, undo } from '../commands/history.ts'
import { edge, ORDERS } from '../graph/flow.test-kit.ts'
import { openFlow, type ReadFlow, saveBody } from '../graph/saved-flow.ts'
import { type AutosaveDeps, createAutosave } from './autosave.ts'
import { failedSave, type ProblemAnswer } from './save-answer.ts'
import { QUIET_MS } from './save-machine.ts'
import { draftOf, type SaveState, type SaveStatus, statusOf } from './save-state.ts'

class Refused extends Error {
  readonly problem: ProblemAnswer
  constructor(problem: ProblemAnswer) {
    super(problem.detail)
    this.problem = problem
  }
}

/** A page with the flow open: a history, and what saves it over the real API. */
class Editor {
  readonly clock = manualClock()
  readonly #id: string
  readonly #service: Service
  readonly #waiting: { readonly isSo: (state: SaveState) => boolean; readonly then: () => void }[] = []
  history = startHistory(ORDERS)
  isOnline = true
  autosave

  constructor(t: TestContext, service: Service, flow: ReadFlow, draft?: AutosaveDeps['draft']) {
    this.#service = service
    this.#id = flow.id
    this.history = startHistory(openFlow(flow).document)
    this.autosave = createAutosave({
      live: openFlow(flow),
      ...(draft === undefined ? {} : { draft }),
      save: async (saved) => openFlow(await this.#ask('PUT', '', saveBody(saved))),
      read: async () => openFlow(await this.#ask('GET', '')),
      readVersion: async (version) =>
        (await this.#ask<{ document: ReadFlow }>('GET', `/versions/${version}`)).document,
      problemOf: (thrown) => {
        assert.ok(thrown instanceof Refused, String(thrown))
        return thrown.problem
      },
      clock: this.clock,
      onChange: (state) => {
        for (const waiting of this.#waiting) if (waiting.isSo(state)) waiting.then()
      },
      onAdopt: (found, renamed) => {
        this.history = adopt(this.history, found, renamed)
      }
    })
    t.after(() => this.autosave.stop())
  }

  get status(): SaveStatus {
    return statusOf(this.autosave.state)
  }

  do(command: Command): void {
    this.history = perform(this.history, command, { at: this.clock.now() })
    this.autosave.edit(this.history.flow)
  }

  undo(): void {
    this.history = undo(this.history)
    this.autosave.edit(this.history.flow)
  }

  /** Until the badge says so. */
  until(status: SaveStatus): Promise<void> {
    return this.untilState((state) => statusOf(state) === status)
  }

  async untilState(isSo: (state: SaveState) => boolean): Promise<void> {
    if (!isSo(this.autosave.state)) await new Promise<void>((then) => this.#waiting.push({ isSo, then }))
  }

  /** Lets the pause pass that a save waits for, and waits for its answer. */
  async save(): Promise<void> {
    this.clock.advance(QUIET_MS)
    await this.until('clean')
  }

  async #ask<T = ReadFlow>(method: string, path: string, body?: unknown): Promise<T> {
    if (!this.isOnline) throw new Refused({ status: 0, code: 'unreachable', detail: 'No answer came.' })
    const options = body === undefined ? {} : { body }
    const answer = await this.#service.request(method, `/api/v1/flows/${this.#id}${path}`, options)
    if (answer.status >= 400) throw new Refused(answer.json<ProblemAnswer>())
    return answer.json<T>()
  }
}

const setTemplate = (value: string): Command => ({
  kind: 'set-field',
  node: 'parser-1',
  field: 'template',
  value
})
const rename = (name: string): Command => ({ kind: 'change-flow', changes: { name } })

async function open(t: TestContext) {
  const service = await startService(t)
  const created = await service.post('/api/v1/flows', { ...ORDERS, slug: 'edited' })
  const flow = created.json<ReadFlow>()
  const live = async () => (await service.get(`/api/v1/flows/${flow.id}`)).json<ReadFlow>()
  return { service, flow, live, editor: () => new Editor(t, service, flow) }
}

describe('saving as you work', () => {
  it('makes one version of a burst of edits, and the document comes back as it was sent', async (t) => {
    const { live, editor } = await open(t)
    const one = editor()
    for (const text of ['O', 'Or', 'Ord']) one.do(setTemplate(text))
    one.do({
      kind: 'insert',
      fragment: { nodes: [], edges: [], notes: [{ id: 'note-1', text: 'Why', position: { x: 1, y: 2 } }] }
    })
    await one.save()
    const saved = openFlow(await live())
    assert.equal(saved.version, 2)
    assert.equal(JSON.stringify(saved.document), JSON.stringify(one.history.flow))
  })

  it('brings two editors together, and undo takes back only what is mine', async (t) => {
    const { live, editor } = await open(t)
    const [one, two] = [editor(), editor()]
    one.do(setTemplate('One'))
    two.do(rename('Two'))
    await one.save()
    await two.save()
    const both = openFlow(await live())
    assert.deepEqual(
      [both.version, both.document.name, both.document.nodes[1]?.fields.template],
      [3, 'Two', 'One']
    )
    assert.deepEqual(two.history.flow, both.document)
    two.undo()
    await two.save()
    const after = openFlow(await live()).document
    assert.deepEqual([after.name, after.nodes[1]?.fields.template], ['Orders', 'One'])
    one.autosave.hear(4)
    await one.untilState(({ base }) => base.version === 4)
    assert.deepEqual(one.history.flow, after)
  })

  it('shows both where two edited one thing, and loses neither', async (t) => {
    const { live, editor } = await open(t)
    const [one, two] = [editor(), editor()]
    one.do(setTemplate('One'))
    two.do(setTemplate('Two'))
    await one.save()
    two.clock.advance(QUIET_MS)
    await two.until('conflict')
    const [conflict] = two.autosave.state.conflicts
    assert.deepEqual([conflict?.mine, conflict?.theirs], ['Two', 'One'])
    assert.equal(openFlow(await live()).version, 2, 'nothing is overwritten meanwhile')
    two.autosave.choose(conflict!.id, 'mine')
    await two.until('clean')
    assert.equal(openFlow(await live()).document.nodes[1]?.fields.template, 'Two')
  })

  it('keeps edits that the service refuses, with its faults, and saves them once they are mended', async (t) => {
    const { live, editor } = await open(t)
    const one = editor()
    one.do(setTemplate('{broken'))
    one.clock.advance(QUIET_MS)
    await one.until('invalid')
    const { problem } = one.autosave.state.refused!
    assert.deepEqual([problem.code, problem.faults[0]?.field], ['flow_invalid', 'template'])
    one.do(setTemplate('{broken} no more'))
    await one.save()
    assert.equal(openFlow(await live()).document.nodes[1]?.fields.template, '{broken} no more')
  })

  it('goes on when the network is back, and from a draft when the tab was closed meanwhile', async (t) => {
    const { service, flow, live, editor } = await open(t)
    const one = editor()
    one.isOnline = false
    one.do(rename('Offline'))
    one.clock.advance(QUIET_MS)
    await one.until('offline')
    const draft = JSON.parse(JSON.stringify(draftOf(one.autosave.state)))
    one.isOnline = true
    one.autosave.reconnect()
    await one.until('clean')
    assert.equal((await live()).name, 'Offline')

    // The tab had been closed before; meanwhile somebody else wired something, and what was sent had arrived.
    const other = editor()
    other.do({ kind: 'disconnect', edge: edge('webhook-1.data -> parser-1.data') })
    await other.save()
    const again = new Editor(t, service, await live(), {
      ...draft,
      mine: { ...draft.mine, description: 'More' }
    })
    await again.until('clean')
    const saved = openFlow(await live()).document
    assert.deepEqual([saved.name, saved.description, saved.edges.length], ['Offline', 'More', 1])
    assert.ok(flow.version < (await live()).version)
  })

  it('sends nothing after it was stopped', async (t) => {
    const { live, editor } = await open(t)
    const one = editor()
    one.do(rename('Never'))
    one.autosave.stop()
    one.clock.advance(60_000)
    assert.deepEqual([one.clock.timers, (await live()).version], [0, 1])
  })
})

describe('what an answer means', () => {
  const rows: [answer: ProblemAnswer, kind: string][] = [
    [{ status: 409, code: 'flow_conflict', detail: '' }, 'stale'],
    [{ status: 409, code: 'slug_taken', detail: '' }, 'refused'],
    [{ status: 422, code: 'flow_invalid', detail: '' }, 'refused'],
    [{ status: 403, code: 'forbidden', detail: '' }, 'refused'],
    [{ status: 404, code: 'flow_not_found', detail: '' }, 'refused'],
    [{ status: 0, code: 'unreachable', detail: '' }, 'failed'],
    [{ status: 401, code: 'unauthorized', detail: '' }, 'failed'],
    [{ status: 429, code: 'rate_limited', detail: '' }, 'failed'],
    [{ status: 503, code: 'stopping', detail: '' }, 'failed']
  ]
  for (const [answer, kind] of rows) {
    it(`${answer.status} ${answer.code}: ${kind}`, () => assert.equal(failedSave(answer).kind, kind))
  }
})
