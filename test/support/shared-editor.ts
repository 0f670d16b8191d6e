import type { TestContext } from 'node:test'
import type { FlowBody } from './api-client.ts'
import type { TestBrowser } from './browser.ts'
import { ordersFlow } from './documents.ts'
import { Editor, type EditorOptions } from './editor.ts'
import type { Service } from './service.ts'
import { pageOfProcess, sharedPage } from './shared-page.ts'

interface SharedEditorOptions extends Pick<EditorOptions, 'document'> {
  /** With all components in sight. Else only their categories are: they are a third of all that is drawn. */
  readonly isPaletteOpen?: boolean
  /** What the flow needs, before it is made. */
  readonly prepare?: (service: Service) => Promise<unknown>
  /** What happens to it before it is opened. */
  readonly before?: (service: Service, flow: FlowBody) => Promise<unknown>
}

type OpenEditor = (test: TestContext, options?: SharedEditorOptions) => Promise<Editor>

/**
 * The canvas in a window that tests share; see shared-page.ts. Each test gets a flow of its own. Files that say nothing
 * of their service share it too.
 */
export function sharedEditor(browser: TestBrowser, start?: Parameters<typeof sharedPage>[1]): OpenEditor {
  const open = start === undefined ? pageOfProcess() : sharedPage(browser, start)
  let categories: readonly string[] | undefined
  return async (test, { document = ordersFlow(), isPaletteOpen = false, prepare, before } = {}) => {
    const { service, page, goTo } = await open(test)
    await prepare?.(service)
    const flow = await service.createFlow(document)
    await before?.(service, flow)
    categories ??= await readCategories(service)
    if (!isPaletteOpen) await page.evaluate(`(${FOLD_PALETTE})(${JSON.stringify(categories)})`)
    await goTo(`/flows/${flow.id}`)
    const editor = new Editor(page, service, flow)
    if (flow.nodes.length > 0) await editor.settled()
    else await editor.ready()
    return editor
  }
}

async function readCategories(service: Service): Promise<string[]> {
  const answer = await service.get('/api/v1/components')
  const { components } = answer.json<{ components: { category: string }[] }>()
  return ['Recent', ...new Set(components.map(({ category }) => category))]
}

/** In the page: as somebody does who has closed all of them before. */
const FOLD_PALETTE = `(categories) => {
  localStorage.setItem('millrace.folded-components', JSON.stringify(categories))
}`
