import type { TestContext } from 'node:test'
import type { TestBrowser } from './browser.ts'
import { ordersFlow } from './documents.ts'
import { Editor, type EditorOptions } from './editor.ts'
import { sharedPage } from './shared-page.ts'

type OpenEditor = (test: TestContext, options?: Pick<EditorOptions, 'document'>) => Promise<Editor>

/** The canvas in a window that the tests of a file share; see shared-page.ts. Each test gets a flow of its own. */
export function sharedEditor(browser: TestBrowser, start?: Parameters<typeof sharedPage>[1]): OpenEditor {
  const open = sharedPage(browser, start)
  return async (test, { document = ordersFlow() } = {}) => {
    const { service, page, goTo } = await open(test)
    const flow = await service.createFlow(document)
    await goTo(`/flows/${flow.id}`)
    const editor = new Editor(page, service, flow)
    if (flow.nodes.length > 0) await editor.settled()
    else await editor.ready()
    return editor
  }
}
