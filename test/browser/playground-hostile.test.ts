import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { startWith } from '../support/contexts.ts'
import { printFlow } from '../support/documents.ts'
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts'
import type { Service } from '../support/service.ts'
import { sharedPage } from '../support/shared-page.ts'

const SENDER = '<b onmouseover="window.hasRun=1">Mallory</b>'

/** A plugin whose component prints under a name of its own. */
const SAY = `export default async function say (context) {
  context.component({
    type: 'say', title: 'Say', effects: 'pure', inputs: { text: { title: 'Text', type: 'text' } },
    run: ({ inputs, run }) => { run.say({ text: inputs.text, sender: ${JSON.stringify(SENDER)} }); return {} }
  })
}`

const shared = sharedPage(testBrowser(), (file) => startWith(file, { 'say.js': SAY }))

/** What Markdown is made of. Anything else in a message was made by its text. */
const HARMLESS = [
  ...['a', 'blockquote', 'br', 'button', 'code', 'del', 'div', 'em', 'hr', 'li', 'ol', 'p', 'path', 'pre'],
  ...['span', 'strong', 'sup', 'svg', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul']
]

/** Watches for all that a text could bring a page to do. */
function watch(page: Page, service: Service): { readonly found: string[] } {
  const found: string[] = []
  page.on('dialog', (dialog) => {
    found.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => found.push(`window: ${popup.url()}`))
  page.on('download', (download) => found.push(`download: ${download.url()}`))
  page.on('frameattached', (frame) => found.push(`frame: ${frame.url()}`))
  page.on('framenavigated', (frame) => found.push(`navigation: ${frame.url()}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${service.address}/`)) found.push(`request: ${request.url()}`)
  })
  return { found }
}

function messagesOf(page: Page): Locator {
  return page.getByRole('log').getByTestId('message-text')
}

/** A flow that prints what its webhook gets, and a page that shows it. */
async function openPrinter(t: TestContext): Promise<{ service: Service; page: Page; slug: string }> {
  const { service, page, goTo } = await shared(t)
  const { id, slug } = await service.createFlow(printFlow())
  await goTo(`/flows/${id}/playground`)
  await page.getByText('Nothing here yet').waitFor()
  // The editor of the payload comes last, with a style of its own.
  await page.locator('.cm-content').waitFor()
  return { service, page, slug }
}

async function countsOf(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() => {
    const watched = ['script', 'iframe', 'object', 'embed', 'base', 'meta', 'form', 'math', 'style', 'link']
    return Object.fromEntries(watched.map((tag) => [tag, document.querySelectorAll(tag).length]))
  })
}

interface Seen {
  readonly text: string
  /** The elements and attributes that Markdown alone does not make. */
  readonly strangers: readonly string[]
}

/** What a reader sees of each message. One question for all of them: there are many. */
function lookAt(messages: Locator): Promise<Seen[]> {
  return messages.evaluateAll((roots, harmless) => {
    // The icons of the page itself are the only pictures.
    const isStranger = (element: Element) =>
      !harmless.includes(element.tagName.toLowerCase()) ||
      (element.tagName === 'svg' && !element.classList.contains('page-icon'))
    const isStrange = ({ name, value }: Attr) =>
      /^(on|src|action|formaction|xlink)/.test(name) ||
      (name === 'href' && !/^(https?:\/\/|mailto:)/.test(value))
    return roots.map((root) => {
      const elements = [...root.querySelectorAll('*')]
      const attributes = elements.flatMap((element) => [...element.attributes])
      const strangers = [
        ...elements.filter(isStranger).map((element) => element.outerHTML),
        ...attributes.filter(isStrange).map(({ name, value }) => `${name}=${value}`)
      ]
      return { text: (root as HTMLElement).innerText, strangers }
    })
  }, HARMLESS)
}

/** Does with messages what a reader may do: points at them, and clicks whatever is no link of the web. */
async function poke(messages: Locator): Promise<void> {
  await messages.evaluateAll((roots) => {
    const elements = roots.flatMap((root) => [...root.querySelectorAll<HTMLElement>('*')])
    for (const element of elements.filter((each) => each.textContent?.includes('click me')))
      if (element.closest('a') === null) element.click()
    for (const element of roots.flatMap((root) => [...root.querySelectorAll('*:not(a):not(button)')]))
      for (const type of ['mouseover', 'mouseenter', 'focus', 'load', 'error', 'toggle', 'animationend'])
        element.dispatchEvent(new Event(type))
  })
}

describe('a payload that would run script', () => {
  it(`shows as text, in each of ${HOSTILE_TEXTS.length} ways, and does nothing`, {
    timeout: 300_000
  }, async (t) => {
    const { service, page, slug } = await openPrinter(t)
    const before = await countsOf(page)
    const watched = watch(page, service)
    for (const { text } of HOSTILE_TEXTS) await service.run(slug, JSON.stringify(text))
    await messagesOf(page)
      .nth(HOSTILE_TEXTS.length - 1)
      .waitFor()
    await assertHarmless(page, 'as they come')
    assert.deepEqual(await countsOf(page), before)
    assert.deepEqual(watched.found, [])

    await page.reload()
    watched.found.length = 0
    await messagesOf(page)
      .nth(HOSTILE_TEXTS.length - 1)
      .waitFor()
    await assertHarmless(page, 'as they are read again')
    assert.deepEqual(watched.found, [])
  })

  it('shows as text also in the name of a session, of a sender and of a flow', async (t) => {
    const { service, page, goTo } = await shared(t)
    const name = '<img src=x onerror="window.hasRun=1;alert(1)">'
    const nodes = [
      { id: 'chat-input-1', type: 'chat-input' },
      { id: 'say-1', type: 'say' }
    ]
    const edges = [{ from: 'chat-input-1.message', to: 'say-1.text' }]
    const flow = await service.createFlow({ name, slug: 'said', context: '/say', nodes, edges })
    const session = '<svg onload="window.hasRun=1;alert(1)">'
    await goTo(`/flows/${flow.id}/playground`)
    const watched = watch(page, service)
    await page.getByRole('heading', { name }).waitFor()
    await service.post(`/api/v1/flows/${flow.id}/chat`, { text: 'hello', session })
    await page
      .getByRole('button', { name: session })
      .filter({ hasText: `${SENDER}: hello` })
      .click()
    await page.getByRole('region', { name: `Session ${session}` }).waitFor()
    await page.getByRole('log').getByText(SENDER).waitFor()
    assert.deepEqual(
      watched.found.filter((what) => !what.startsWith('navigation')),
      []
    )
    assert.equal(await page.evaluate(() => 'hasRun' in window), false)
  })
})

async function assertHarmless(page: Page, when: string): Promise<void> {
  const seen = await lookAt(messagesOf(page))
  assert.equal(seen.length, HOSTILE_TEXTS.length)
  for (const [index, { name, shows }] of HOSTILE_TEXTS.entries()) {
    const { text, strangers } = seen[index]!
    for (const part of shows) assert.ok(text.includes(part), `${name}, ${when}: no ${part} in ${text}`)
    assert.deepEqual(strangers, [], `${name}, ${when}`)
  }
  await poke(messagesOf(page))
  assert.equal(await page.evaluate(() => 'hasRun' in window), false, when)
}

describe('a payload that would keep the page busy', () => {
  it('shows as plain text, and the page goes on', async (t) => {
    const { service, page, slug } = await openPrinter(t)
    const heavy = [
      '[a](b '.repeat(2500),
      `${'>'.repeat(3000)}x`,
      `${'|a'.repeat(300)}\n${'|-'.repeat(300)}\n${'|x\n'.repeat(300)}`,
      `${'*a '.repeat(600)}${'a* '.repeat(600)}`,
      `${'['.repeat(190)}${']'.repeat(190)}`,
      'x'.repeat(500_000)
    ]
    for (const text of heavy) await service.run(slug, JSON.stringify(text))
    await messagesOf(page)
      .nth(heavy.length - 1)
      .waitFor()
    await page.getByRole('button', { name: 'Show all 500,000 characters' }).click()
    await comesTo(page, async () => (await messagesOf(page).last().innerText()).length, 500_000)
    for (const button of await page.getByRole('button', { name: /^Show all/ }).all()) await button.click()
    await service.run(slug, '"still here"')
    await page.getByRole('log').getByText('still here').waitFor()
  })
})
