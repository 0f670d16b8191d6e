import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { manualClock } from '../../../../src/clock.test-kit.ts'
import type { ApiClient } from '../../../../test/support/api-client.ts'
import type { Command } from '../commands/command.ts'
import { adopt, execute, startHistory, undo } from '../commands/history.ts'
import type { DraftStanding } from '../graph/draft-standing.ts'
import { ORDERS } from '../graph/flow.test-kit.ts'
import type { Flow } from '../graph/flow.ts'
import { openEdited, type ReadDraft } from '../graph/read-draft.ts'
import type { ReadFlow } from '../graph/saved-flow.ts'
import { createAutosave } from './autosave.ts'
import { openEdition } from './open-edition.ts'
import type { ProblemAnswer } from './save-answer.ts'
import { QUIET_MS } from './save-machine.ts'
import { type SaveState, type SaveStatus, statusOf, type Unsaved } from './save-state.ts'
import { ServerDraft } from './server-draft.ts'

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
  readonly serverDraft: ServerDraft
  readonly autosave
  readonly #id: string
  readonly #service: ApiClient
  readonly #watchers: { readonly isSo: (state: SaveState) => boolean; readonly then: () => void }[] = []
  history
  isOnline = true
  /** Requests arrive, and their answers do not. */
  losesAnswers = false
  /** Called when a request has been answered, before the page knows. */
  onAnswer: (() => unknown) | undefined

  constructor(t: TestContext, service: ApiClient, { flow, draft, left }: Opened) {
    this.#service = service
    this.#id = flow.id
    const opened = openEdition(openEdited(flow, draft), left?.base)
    this.history = startHistory(opened.document)
    this.serverDraft = new ServerDraft(
      {
        readDraft: () => this.#ask<ReadDraft>('GET', '/draft').catch(noneIfNotFound),
        readFlow: () => this.#ask('GET', ''),
        readVersion: async (version) =>
          (await this.#ask<{ document: ReadFlow }>('GET', `/versions/${version}`)).document,
        saveDraft: (body) => this.#ask('PUT', '/draft', body)
      },
      opened,
      (edition) => this.autosave.announce(edition)
    )
    this.autosave = createAutosave({
      live: opened,
      ...(left === undefined ? {} : { left }),
      save: this.serverDraft.save,
      read: this.serverDraft.read,
      problemOf: (thrown) => {
        assert.ok(thrown instanceof Refused, String(thrown))
        return thrown.problem
      },
      clock: this.clock,
      onChange: (state) => {
        for (const watcher of this.#watchers) if (watcher.isSo(state)) watcher.then()
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
    return this.autosave.state.base.standing
  }

  do(command: Command): void {
    this.history = execute(this.history, command, { at: this.clock.now() })
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
    if (!isSo(this.autosave.state)) await new Promise<void>((then) => this.#watchers.push({ isSo, then }))
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
    if (this.losesAnswers) throw new Refused(UNREACHABLE)
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

export const setTemplate = (value: string): Command => ({
  kind: 'set-field',
  node: 'parser-1',
  field: 'template',
  value
})
export const rename = (name: string): Command => ({ kind: 'change-flow', changes: { name } })

/** A flow of its own, and whoever edits it. */
export async function openFlowToEdit(t: TestContext, service: ApiClient) {
  const { slug: _, ...document } = ORDERS
  const { id } = (await service.post('/api/v1/flows', document)).json<ReadFlow>()
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

export function templateOf(flow: Flow | null): unknown {
  return flow?.nodes[1]?.fields.template
}

export const TEMPLATE = templateOf(ORDERS)
