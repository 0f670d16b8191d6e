import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { manualClock } from '../../../../src/clock.test-kit.ts'
import { type Service, startService } from '../../../../test/support/service.ts'
import type { Command } from '../commands/command.ts'
import { adopt, perform, startHistory, undo } from '../commands/history.ts'
import type { DraftStanding } from '../graph/draft-standing.ts'
import { edge, ORDERS } from '../graph/flow.test-kit.ts'
import type { Flow } from '../graph/flow.ts'
import { openDraft, openEdited, type ReadDraft } from '../graph/read-draft.ts'
import { openFlow, type ReadFlow } from '../graph/saved-flow.ts'
import { createAutosave } from './autosave.ts'
import { DraftEditions } from './draft-editions.ts'
import { openEdition } from './open-edition.ts'
import { failedSave, type ProblemAnswer } from './save-answer.ts'
import { QUIET_MS } from './save-machine.ts'
import {
  judgementOf,
  type SaveState,
  type SaveStatus,
  statusOf,
  type Unsaved,
  unsavedOf
} from './save-state.ts'

class Refused extends Error {
  readonly problem: ProblemAnswer
  constructor(problem: ProblemAnswer) {
    super(problem.detail)
    this.problem = problem
  }
}

/** A page with the flow open: a history, and what saves it as the draft over the real API. */
class Editor {
  readonly clock = manualClock()
  readonly asked: string[] = []
  readonly editions: DraftEditions
  readonly autosave
  readonly #id: string
  readonly #service: Service
  readonly #waiting: { readonly isSo: (state: SaveState) => boolean; readonly then: () => void }[] = []
  history
  isOnline = true
  /** Requests arrive, and their answers do not. */
  isDeaf = false
  /** Called when a request has been answered, before the page knows. */
  onAnswer: (() => unknown) | undefined

  constructor(t: TestContext, service: Service, { flow, draft, left }: Opened) {
    this.#service = service
    this.#id = flow.id
    const opened = openEdition(openEdited(flow, draft), left?.base)
    this.history = startHistory(opened.document)
    this.editions = new DraftEditions(
      {
        readDraft: () => this.#ask<ReadDraft>('GET', '/draft').catch(noneIfNotFound),
        readFlow: () => this.#ask('GET', ''),
        readVersion: async (version) =>
          (await this.#ask<{ document: ReadFlow }>('GET', `/versions/${version}`)).document,
        saveDraft: (body) => this.#ask('PUT', '/draft', body)
      },
      opened,
      (edition) => this.autosave.hear(edition)
    )
    this.autosave = createAutosave({
      live: opened,
      ...(left === undefined ? {} : { left }),
      save: this.editions.save,
      read: this.editions.read,
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

  get standing(): DraftStanding {
    return this.autosave.state.base.standing!
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

  async #ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    if (!this.isOnline) throw new Refused(UNREACHABLE)
    this.asked.push(`${method} ${path}`)
    const options = body === undefined ? {} : { body }
    const answer = await this.#service.request(method, `/api/v1/flows/${this.#id}${path}`, options)
    await this.onAnswer?.()
    if (this.isDeaf) throw new Refused(UNREACHABLE)
    if (answer.status >= 400) throw new Refused(answer.json<ProblemAnswer>())
    return answer.json<T>()
  }
}

interface Opened {
  readonly flow: ReadFlow
  readonly draft: ReadDraft | null
  readonly left?: Unsaved
}

const UNREACHABLE = { status: 0, code: 'unreachable', detail: 'No answer came.' }

function noneIfNotFound(thrown: unknown): null {
  if (thrown instanceof Refused && thrown.problem.code === 'draft_not_found') return null
  throw thrown
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
  const { id } = (await service.post('/api/v1/flows', { ...ORDERS, slug: 'edited' })).json<ReadFlow>()
  const path = `/api/v1/flows/${id}`
  const live = async () => (await service.get(path)).json<ReadFlow>()
  const draft = async () => {
    const answer = await service.get(`${path}/draft`)
    return answer.status === 404 ? null : answer.json<ReadDraft>()
  }
  return {
    live,
    draft,
    editor: async (left?: Unsaved) =>
      new Editor(t, service, { flow: await live(), draft: await draft(), ...(left && { left }) }),
    /** Of a program: it is live at once. */
    saveLive: async (changes: object) => {
      const answer = await service.request('PUT', path, { body: { ...(await live()), ...changes } })
      assert.equal(answer.status, 200, answer.text)
    },
    discard: async () => assert.equal((await service.request('DELETE', `${path}/draft`)).status, 204),
    publish: async () => assert.equal((await service.post(`${path}/publish`, {})).status, 200)
  }
}

function templateOf(flow: Flow | null): unknown {
  return flow?.nodes[1]?.fields.template
}

const TEMPLATE = templateOf(ORDERS)

describe('saving as you work', () => {
  it('makes one revision of a burst of edits, which comes back as it was sent, and nothing of it is live', async (t) => {
    const { live, draft, editor } = await open(t)
    const one = await editor()
    for (const text of ['O', 'Or', 'Ord']) one.do(setTemplate(text))
    one.do({
      kind: 'insert',
      fragment: { nodes: [], edges: [], notes: [{ id: 'note-1', text: 'Why', position: { x: 1, y: 2 } }] }
    })
    await one.save()
    const saved = openDraft((await draft())!)
    assert.deepEqual([saved.standing.revision, saved.standing.baseVersion], [1, 1])
    assert.equal(JSON.stringify(saved.document), JSON.stringify(one.history.flow))
    assert.deepEqual([(await live()).version, templateOf(await live())], [1, TEMPLATE])
  })

  it('brings two editors together, and undo takes back only what is mine', async (t) => {
    const { draft, editor } = await open(t)
    const [one, two] = [await editor(), await editor()]
    one.do(setTemplate('One'))
    two.do(rename('Two'))
    await one.save()
    await two.save()
    const both = openDraft((await draft())!)
    assert.deepEqual(
      [both.standing.revision, both.document.name, templateOf(both.document)],
      [2, 'Two', 'One']
    )
    assert.deepEqual(two.history.flow, both.document)
    two.undo()
    await two.save()
    const after = openDraft((await draft())!).document
    assert.deepEqual([after.name, templateOf(after)], ['Orders', 'One'])
    one.editions.hear({ kind: 'draft saved', revision: 3 })
    await one.untilState(({ base }) => base.standing?.revision === 3)
    assert.deepEqual(one.history.flow, after)
  })

  it('shows both where two edited one thing, and loses neither', async (t) => {
    const { draft, editor } = await open(t)
    const [one, two] = [await editor(), await editor()]
    one.do(setTemplate('One'))
    two.do(setTemplate('Two'))
    await one.save()
    two.clock.advance(QUIET_MS)
    await two.until('conflict')
    const [conflict] = two.autosave.state.conflicts
    assert.deepEqual([conflict?.mine, conflict?.theirs], ['Two', 'One'])
    assert.equal((await draft())?.revision, 1, 'nothing is overwritten meanwhile')
    two.autosave.choose(conflict!.id, 'mine')
    await two.until('clean')
    assert.equal(templateOf(await draft()), 'Two')
  })

  it('keeps what cannot be published, and tells what is in its way', async (t) => {
    const { draft, editor } = await open(t)
    const one = await editor()
    one.do(setTemplate('{broken'))
    await one.save()
    assert.equal(templateOf(await draft()), '{broken')
    assert.deepEqual(
      judgementOf(one.autosave.state).faults.map(({ node, field }) => [node, field]),
      [['parser-1', 'template']]
    )
    one.do(setTemplate('{broken} no more'))
    await one.save()
    assert.deepEqual(judgementOf(one.autosave.state).faults, [])
  })

  it('goes on when the network is back, and from what was kept when the tab was closed meanwhile', async (t) => {
    const { draft, editor } = await open(t)
    const one = await editor()
    one.isOnline = false
    one.do(rename('Offline'))
    one.clock.advance(QUIET_MS)
    await one.until('offline')
    const left: Unsaved = JSON.parse(JSON.stringify(unsavedOf(one.autosave.state)))
    one.isOnline = true
    one.autosave.reconnect()
    await one.until('clean')
    assert.equal((await draft())?.name, 'Offline')

    // The tab had been closed before; meanwhile somebody else wired something, and what was sent had arrived.
    const other = await editor()
    other.do({ kind: 'disconnect', edge: edge('webhook-1.data -> parser-1.data') })
    await other.save()
    const again = await editor({ ...left, mine: { ...left.mine, description: 'More' } })
    await again.until('clean')
    const saved = (await draft())!
    assert.deepEqual([saved.name, saved.description, saved.edges.length], ['Offline', 'More', 1])
  })

  it('knows its own work in what was saved without an answer', async (t) => {
    const { draft, editor } = await open(t)
    const one = await editor()
    one.isDeaf = true
    one.do(setTemplate('One'))
    one.clock.advance(QUIET_MS)
    await one.until('offline')
    one.isDeaf = false
    one.do(setTemplate('One and more'))
    // What tells of it, and the save that is refused for it, are both about the same revision.
    one.editions.hear({ kind: 'draft saved', revision: 1 })
    one.autosave.reconnect()
    await one.until('clean')
    assert.equal(templateOf(await draft()), 'One and more')
  })

  it('reads nothing again for having heard of its own save before the answer', async (t) => {
    const { editor } = await open(t)
    const one = await editor()
    one.onAnswer = () => one.editions.hear({ kind: 'draft saved', revision: 1 })
    one.do(setTemplate('One'))
    await one.save()
    assert.deepEqual(one.asked, ['PUT /draft'])
  })

  it('reads what somebody else has saved by the time that the answer is there', async (t) => {
    const { draft, editor } = await open(t)
    const [one, two] = [await editor(), await editor()]
    one.onAnswer = async () => {
      one.onAnswer = undefined
      two.do(rename('Two'))
      await two.save()
      one.editions.hear({ kind: 'draft saved', revision: 2 })
    }
    one.do(setTemplate('One'))
    one.clock.advance(QUIET_MS)
    await one.untilState(({ base }) => base.standing?.revision === 2)
    assert.deepEqual([one.history.flow.name, templateOf(await draft())], ['Two', 'One'])
  })

  it('sends nothing after it was stopped', async (t) => {
    const { draft, editor } = await open(t)
    const one = await editor()
    one.do(rename('Never'))
    one.autosave.stop()
    one.clock.advance(60_000)
    assert.deepEqual([one.clock.timers, await draft()], [0, null])
  })
})

describe('a draft that is edited', () => {
  it('takes in what went live past it, and what it changed itself stays', async (t) => {
    const { draft, editor, saveLive } = await open(t)
    const one = await editor()
    one.do(setTemplate('Mine'))
    await one.save()
    const nodes = ORDERS.nodes.map((node) =>
      node.id === 'parser-1'
        ? { ...node, title: 'Theirs', fields: { ...node.fields, template: 'Theirs' } }
        : node
    )
    await saveLive({ name: 'Theirs', nodes })
    one.editions.hear({ kind: 'flow saved', version: 2 })
    await one.untilState(({ base }) => base.standing?.baseVersion === 2)
    const saved = (await draft())!
    assert.deepEqual([saved.name, saved.nodes[1]?.title, templateOf(saved)], ['Theirs', 'Theirs', 'Mine'])
    assert.deepEqual([saved.behind, saved.base_version], [false, 2])
    assert.equal(JSON.stringify(one.history.flow), JSON.stringify(openDraft(saved).document))
  })

  it('is merged with what went live before there was one', async (t) => {
    const { draft, editor, saveLive } = await open(t)
    const one = await editor()
    one.do(setTemplate('Mine'))
    await saveLive({ name: 'Theirs' })
    one.editions.hear({ kind: 'flow saved', version: 2 })
    await one.save()
    const saved = (await draft())!
    assert.deepEqual([saved.name, templateOf(saved), saved.base_version], ['Theirs', 'Mine', 2])
  })

  it('begins anew when another has discarded it, with what was typed since', async (t) => {
    const { draft, editor, discard } = await open(t)
    const one = await editor()
    one.do(rename('Discarded'))
    await one.save()
    one.do(setTemplate('Typed'))
    await discard()
    await one.save()
    const saved = (await draft())!
    assert.deepEqual([saved.name, templateOf(saved)], ['Orders', 'Typed'])
    assert.deepEqual(one.history.flow, openDraft(saved).document)
  })

  it('shows what was typed where another has discarded just that', async (t) => {
    const { editor, discard } = await open(t)
    const one = await editor()
    one.do(setTemplate('Half'))
    await one.save()
    one.do(setTemplate('Half a template'))
    await discard()
    one.editions.hear({ kind: 'draft gone' })
    await one.until('conflict')
    assert.deepEqual(
      one.autosave.state.conflicts.map(({ mine, theirs }) => [mine, theirs]),
      [['Half a template', TEMPLATE]]
    )
    assert.equal(templateOf(one.history.flow), 'Half a template')
  })

  it('goes on over the version that another has made of it', async (t) => {
    const { draft, live, editor, publish } = await open(t)
    const one = await editor()
    one.do(rename('Published'))
    await one.save()
    one.do(setTemplate('Typed'))
    await publish()
    one.editions.hear({ kind: 'draft gone' })
    one.editions.hear({ kind: 'flow saved', version: 2 })
    await one.save()
    const saved = (await draft())!
    assert.deepEqual([saved.name, templateOf(saved), saved.base_version], ['Published', 'Typed', 2])
    assert.deepEqual([(await live()).name, templateOf(await live())], ['Published', TEMPLATE])
  })

  it('goes on from what a page of before there were drafts had kept', async (t) => {
    const { draft, live, editor, saveLive } = await open(t)
    const { document } = openFlow(await live())
    const left = { base: { version: 1, document }, mine: { ...document, name: 'Kept' }, sent: [] }
    await saveLive({ description: 'Since' })
    const one = await editor(left)
    await one.until('clean')
    assert.deepEqual([(await draft())?.name, (await draft())?.description], ['Kept', 'Since'])
  })
})

describe('what an answer means', () => {
  const rows: [answer: ProblemAnswer, kind: string][] = [
    [{ status: 409, code: 'draft_conflict', detail: '' }, 'stale'],
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
