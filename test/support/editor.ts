import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { FlowBody } from './api-client.ts'
import { type OpenOptions, PATIENCE_MS, type TestBrowser } from './browser.ts'
import { ordersFlow } from './documents.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'
import { goTo } from './shared-page.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface EditorOptions extends Pick<OpenOptions, 'viewport' | 'theme' | 'key' | 'fresh'> {
  readonly document?: Readonly<Record<string, unknown>>
  readonly service?: ServiceOptions
}

/** The canvas of one flow, as somebody with a mouse and a keyboard finds it. */
export class Editor {
  readonly page: Page
  readonly service: Service
  readonly flow: FlowBody

  constructor(page: Page, service: Service, flow: FlowBody) {
    this.page = page
    this.service = service
    this.flow = flow
  }

  get canvas(): Locator {
    return this.page.locator('[data-canvas]')
  }

  /** A node or a note. */
  node(id: string): Locator {
    return this.canvas.locator(`[data-node="${id}"]`)
  }

  nodes(): Locator {
    return this.canvas.locator('[data-node]')
  }

  port(node: string, port: string): Locator {
    return this.node(node).locator(`[data-handleid="${port}"]`)
  }

  ports(node: string): Locator {
    return this.node(node).locator('[data-handleid]')
  }

  wire(from: string, to: string): Locator {
    return this.page.locator(`.react-flow__edge[data-id="${from} -> ${to}"]`)
  }

  wires(): Locator {
    return this.page.locator('.react-flow__edge')
  }

  /** All of a node, in the inspector: see `inspect`. */
  inspected(node: string): Locator {
    return this.page.locator(`[data-inspected="${node}"]`)
  }

  /** Clicks a node, so that the inspector shows all of it. */
  async inspect(node: string): Promise<Locator> {
    const { x, y } = await this.headOf(node)
    await this.page.mouse.click(x, y)
    await this.inspected(node).waitFor()
    return this.inspected(node)
  }

  /** A field of the node that is inspected. */
  field(node: string, label: string): Locator {
    return this.inspected(node).getByLabel(label, { exact: true })
  }

  /** What the shown run did at a node, below it. */
  ran(node: string): Locator {
    return this.node(node).locator('[data-run]')
  }

  /** Starts the flow, and waits until the page has read what came of it: it is told of a run before that. */
  async runAndRead(payload: string): Promise<void> {
    const read = this.page.waitForResponse((answer) => /\/runs\/[^/?]+$/.test(answer.url()) && answer.ok())
    await this.service.run(this.flow.slug, payload)
    await read
  }

  /** Opens one of the folded parts of the inspector. */
  async unfold(node: string, title: string): Promise<void> {
    await this.inspected(node).locator('summary', { hasText: title }).click()
  }

  /** What stands around the canvas comes after it, keys of the editor included. */
  async ready(): Promise<void> {
    await this.#wait(WAIT_UNTIL_SHOWN, TOOLBAR)
  }

  /** Canvas and nodes are where they will stay: pointers are moved to places, not to elements. */
  async settled(): Promise<void> {
    await this.#wait(WAIT_UNTIL_STILL, TOOLBAR)
  }

  /** The same before there is anything around the canvas. */
  async drawn(): Promise<void> {
    await this.#wait(WAIT_UNTIL_STILL)
  }

  /** Leaves the flow and opens it again, within the page: to load that anew takes a second of a processor. */
  async reopen(query = ''): Promise<void> {
    await goTo(this.page, '/no/such/page')
    await this.canvas.waitFor({ state: 'detached' })
    await goTo(this.page, `/flows/${this.flow.id}${query}`)
    await this.settled()
  }

  /** In one question to the page: many tests do little more than to open the editor. */
  async #wait(script: string, ...parts: readonly string[]): Promise<void> {
    const selectors = JSON.stringify(['[data-canvas]', ...parts])
    await this.page.evaluate(`(${script})(${selectors}, ${PATIENCE_MS})`)
  }

  /** A place on a wire, in its middle. */
  wirePlace(from: string, to: string): Promise<Point> {
    return this.middleOf(this.wire(from, to).locator('path').first())
  }

  async middleOf(locator: Locator): Promise<Point> {
    const box = await locator.boundingBox()
    assert.ok(box, `${locator} is not in sight`)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  /** The part of a node by which it is dragged. */
  async headOf(node: string): Promise<Point> {
    const { x, y } = (await this.node(node).boundingBox())!
    return { x: x + 90, y: y + 12 }
  }

  /** A place on the canvas with nothing in it, far from its rim. */
  async emptyPlace(): Promise<Point> {
    const found = await this.page.evaluate<Point | null>(FIND_EMPTY_PLACE)
    assert.ok(found, 'the canvas has no empty place')
    return found
  }

  /** With the first pixel of the way: what is dragged begins to follow there. */
  async press(from: Point): Promise<void> {
    await this.page.mouse.move(from.x, from.y)
    await this.page.mouse.down()
    await this.page.mouse.move(from.x + 1, from.y + 1)
  }

  async pull(to: Point): Promise<void> {
    await this.page.mouse.move(to.x, to.y, { steps: 6 })
  }

  async drag(from: Point, to: Point): Promise<void> {
    await this.press(from)
    await this.pull(to)
    await this.page.mouse.up()
  }

  async connect(from: readonly [string, string], to: readonly [string, string]): Promise<void> {
    await this.drag(await this.middleOf(this.port(...from)), await this.middleOf(this.port(...to)))
  }

  /** Types over a template: its editor is loaded when it is focused. */
  async typeTemplate(within: Locator, text: string): Promise<void> {
    await within.getByRole('textbox', { name: 'Template' }).click()
    await within.locator('.cm-content:focus').waitFor()
    await this.page.keyboard.press('Control+a')
    await this.page.keyboard.type(text)
  }

  /** The same at one stroke, where it does not matter how: each key takes 30 ms of a processor. */
  async writeTemplate(within: Locator, text: string): Promise<void> {
    await this.typeTemplate(within, '')
    await this.page.keyboard.insertText(text)
  }

  /** Begins to write a title over the one that a node has. */
  async rename(node: string, title: string): Promise<void> {
    await this.choose(node, 'Rename')
    await this.typeTitle(node, title)
  }

  /** Where it was asked for by a key: the field for it may take a moment to be there. */
  async typeTitle(node: string, title: string): Promise<void> {
    await this.node(node).getByLabel('Title of the node').and(this.page.locator(':focus')).waitFor()
    await this.page.keyboard.insertText(title)
  }

  /** Quick add, opened by whatever: it is typed into when it has the focus. */
  async quickAdd(text: string): Promise<void> {
    const search = this.page.getByRole('combobox', { name: 'Search components' })
    await search.and(this.page.locator(':focus')).waitFor()
    await this.page.keyboard.insertText(text)
    await this.page.keyboard.press('Enter')
  }

  /** A node has the focus: one that was added or gone to takes it when it is drawn. */
  async focused(node: string): Promise<void> {
    await this.node(node).and(this.page.locator(':focus')).waitFor()
  }

  /** What stands beside the name: whether the work is saved. */
  get saving(): Locator {
    return this.page.getByRole('status', { name: 'Saving' })
  }

  /**
   * Everything is saved. What was done a moment ago has not been told yet, so a revision of the draft may be waited for,
   * or a later one: on a busy machine somebody who types pauses for long enough to be saved in between.
   */
  async saved(revision = 0): Promise<FlowBody> {
    await this.page.evaluate(`(${WAIT_UNTIL_SAVED})(${revision}, ${PATIENCE_MS})`)
    return this.read()
  }

  /** Opens what publishing would do. */
  async review(): Promise<Locator> {
    await this.page.getByRole('button', { name: 'Publish', exact: true, pressed: false }).click()
    const panel = this.page.getByRole('complementary', { name: 'Publish' })
    await panel.waitFor()
    return panel
  }

  /** Makes live what is drawn, and waits until the page says so. */
  async publish(): Promise<FlowBody> {
    const answer = this.page.waitForResponse((response) => response.url().endsWith('/publish'))
    const panel = await this.review()
    await panel.getByRole('button', { name: 'Publish', exact: true }).click()
    const published = await (await answer).json()
    await this.saving.getByTitle(`Version ${published.version} is live`, { exact: true }).waitFor()
    return published
  }

  /** What is edited, as the service has it: the draft, or what is live where there is none. */
  async read(): Promise<FlowBody> {
    const draft = await this.service.get(`/api/v1/flows/${this.flow.id}/draft`)
    return draft.status === 404 ? this.readLive() : draft.json<FlowBody>()
  }

  /** What webhooks run. */
  async readLive(): Promise<FlowBody> {
    return (await this.service.get(`/api/v1/flows/${this.flow.id}`)).json<FlowBody>()
  }

  /** A node of what is edited, as the service has it. */
  async readNode(id: string): Promise<Readonly<Record<string, unknown>>> {
    const found = (await this.read()).nodes.find((node) => node.id === id)
    assert.ok(found, `there is no node ${id}`)
    return found
  }

  async openMenu(node: string): Promise<Locator> {
    await this.node(node)
      .getByRole('button', { name: /^Menu of/ })
      .click()
    const menu = this.page.getByRole('menu')
    await menu.waitFor()
    return menu
  }

  async choose(node: string, entry: string): Promise<void> {
    const menu = await this.openMenu(node)
    await menu.getByRole('menuitem', { name: entry }).click()
    await menu.waitFor({ state: 'detached' })
  }
}

/** Starts a service with one more flow and opens its canvas. */
export async function openEditor(
  test: TestContext,
  browser: TestBrowser,
  { document = ordersFlow(), service: options, ...open }: EditorOptions = {}
): Promise<Editor> {
  const service = await startService(test, options)
  const flow = await service.createFlow(document)
  const page = await browser.open(test, service, { path: `/flows/${flow.id}`, ...open })
  const editor = new Editor(page, service, flow)
  if (flow.nodes.length > 0) await editor.settled()
  else await editor.ready()
  return editor
}

/** What comes last. */
const TOOLBAR = 'a[aria-label="All flows"]'

/** Between two looks. With each frame it would be drawn as often as it can: 60 ms of a processor for a second of waiting. */
const LOOK_AGAIN_MS = 40

/** In the page: all of these parts are there. */
const WAIT_UNTIL_SHOWN = `(parts, patience) => new Promise((resolve, reject) => {
  const since = performance.now()
  const isShown = (part) => document.querySelector(part)?.checkVisibility({ visibilityProperty: true })
  const look = () => {
    if (parts.every(isShown)) resolve()
    else if (performance.now() - since > patience) reject(new Error('not there: ' + parts.filter((part) => !isShown(part))))
    else setTimeout(look, ${LOOK_AGAIN_MS})
  }
  look()
})`

/** In the page: the same, with nodes, and three frames without any of them moving. */
const WAIT_UNTIL_STILL = `(parts, patience) => (${WAIT_UNTIL_SHOWN})([...parts, '[data-canvas] [data-node]'], patience)
  .then(() => new Promise((resolve) => {
    let last = '', still = 0
    const look = () => {
      const now = [...document.querySelectorAll('[data-canvas] [data-node]')]
        .map((node) => JSON.stringify(node.getBoundingClientRect())).join()
      still = now === last ? still + 1 : 0
      last = now
      if (still >= 3) resolve()
      else requestAnimationFrame(look)
    }
    look()
  }))`

/** In the page: three frames in which the draft stands beside the name, or what is live, as it does when all is saved. */
const WAIT_UNTIL_SAVED = `(revision, patience) => new Promise((resolve, reject) => {
  const since = performance.now()
  let frames = 0
  const look = () => {
    const status = document.querySelector('[role="status"][aria-label="Saving"]')
    const title = status?.querySelector('[title^="Draft "], [title^="Version "]')?.title
    const saved = title === undefined ? -1 : Number(/^Draft (\\d+)/.exec(title)?.[1] ?? 0)
    frames = saved >= revision ? frames + 1 : 0
    if (frames >= 3) resolve()
    else if (performance.now() - since > patience) reject(new Error('revision ' + revision + ' was not saved: ' + status?.innerText))
    else if (frames > 0) requestAnimationFrame(look)
    else setTimeout(look, ${LOOK_AGAIN_MS})
  }
  look()
})`

const FIND_EMPTY_PLACE = `(() => {
  const room = document.querySelector('[data-canvas]').getBoundingClientRect()
  const isFree = (x, y) => document.elementFromPoint(x, y)?.classList.contains('react-flow__pane')
  for (let y = room.top + 80; y < room.bottom - 260; y += 20) {
    for (let x = room.left + 80; x < room.right - 340; x += 20) {
      const corners = [[0, 0], [280, 0], [0, 120], [280, 120], [140, 60]]
      if (corners.every(([dx, dy]) => isFree(x + dx, y + dy))) return { x, y }
    }
  }
  return null
})()`
