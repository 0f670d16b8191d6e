import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { testBrowser } from '../support/browser.ts'
import { writeCode } from '../support/code-area.ts'
import { comesTo } from '../support/comes-to.ts'
import { contextAt, flowIn, makeContext, pathsOf } from '../support/contexts.ts'
import type { Service } from '../support/service.ts'
import { sharedPage } from '../support/shared-page.ts'

const shared = sharedPage(testBrowser(), { plugins: ['company.ts'] })

/**
 * The contexts of test/plugins/company.ts, and whatever the test adds before it goes there. What it adds stays for the
 * other tests, so it has a name of its own.
 */
async function openContexts(
  t: TestContext,
  path: string,
  prepare: (service: Service) => Promise<unknown> = async () => undefined
): Promise<{ service: Service; page: Page }> {
  const { service, page, goTo } = await shared(t)
  await prepare(service)
  await goTo(path)
  await node(page, 'Root').waitFor()
  return { service, page }
}

const node = (page: Page, name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}\\b`) })
const title = (page: Page, path: string) => page.getByRole('heading', { name: path, exact: true })
const at = (context: string, tab = 'visible') =>
  `/contexts?context=${encodeURIComponent(context)}${tab === 'visible' ? '' : `&tab=${tab}`}`

describe('the picture of the contexts', () => {
  it('is a tree for the keyboard', async (t) => {
    const { page } = await openContexts(t, '/contexts')
    await node(page, 'Root').focus()
    const press = async (key: string, path: string) => {
      await page.keyboard.press(key)
      await title(page, path).waitFor()
      await comesTo(page, () => page.evaluate(() => document.activeElement?.getAttribute('title')), path)
    }
    await press('ArrowDown', '/sales')
    await press('ArrowRight', '/sales/eu')
    await press('ArrowLeft', '/sales')
    await page.keyboard.press('ArrowLeft')
    await node(page, 'eu').waitFor({ state: 'detached' })
    assert.equal(await node(page, 'sales').getAttribute('aria-expanded'), 'false')
    await press('End', '/support')
    await press('s', '/sales')
    await page.keyboard.press('ArrowRight')
    await node(page, 'eu').waitFor()
    await press('Home', '/')
    await page.keyboard.press('Tab')
    // One stop for Tab.
    await comesTo(page, () => page.evaluate(() => document.activeElement?.matches('[role=treeitem]')), false)
  })

  it('shows who made each, by more than a colour, and what the chosen one sees', async (t) => {
    const { page } = await openContexts(t, '/contexts', (service) => makeContext(service, '/sales/trial'))
    await node(page, 'eu').getByText('Made by a plugin').waitFor()
    await node(page, 'trial').getByText('Made here').waitFor()
    const border = (name: string) =>
      node(page, name).evaluate((element) => getComputedStyle(element).borderTopStyle)
    assert.deepEqual([await border('eu'), await border('trial')], ['solid', 'dashed'])
    await node(page, 'trial').click()
    await title(page, '/sales/trial').waitFor()
    const seen = page.getByRole('treeitem', { name: /seen from the chosen one/ })
    const paths = () => seen.evaluateAll((found) => found.map((element) => element.getAttribute('title')))
    // Itself and all above it.
    await comesTo(page, paths, ['/', '/sales'])
  })
})

describe('what is visible in a context', () => {
  async function ask(page: Page, kind: string, name: string): Promise<string> {
    await page.getByRole('combobox', { name: 'Is this' }).click()
    await page.getByRole('option', { name: kind, exact: true }).click()
    await page.getByRole('combobox', { name: 'visible in' }).fill(name)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Explain' }).click()
    const answer = page.getByRole('region', { name: 'Explanation' })
    await answer.getByText(`"${name}"`).waitFor()
    return answer.innerText()
  }

  it('is listed by kind, own and inherited, with who registered it and where, and explained', async (t) => {
    const { page } = await openContexts(t, at('/sales'))
    const row = (list: string, name: string) =>
      page.getByRole('list', { name: list, exact: true }).getByRole('listitem').filter({ hasText: name })
    await row('Components', 'of-sales').getByText('Here').waitFor()
    await row('Components', 'of-company').getByText('From /').waitFor()
    assert.match(
      await row('Components', 'of-sales').innerText(),
      /by sales at test\/plugins\/company\.ts:\d+/
    )
    for (const list of [
      'Variables',
      'Members of run',
      'Decorators',
      'Routes',
      'Plugins',
      'Run hooks',
      'Request hooks'
    ])
      assert.ok((await page.getByRole('list', { name: list, exact: true }).count()) === 1, list)
    assert.match(await row('Variables', 'of_sales').innerText(), /of_sales\s+sales/)
    assert.equal(await row('Components', 'of-eu').count(), 0, 'what is below is not seen')

    assert.match(await ask(page, 'Component', 'of-sales'), /^Visible\s+.*it is registered there/)
    const below = await ask(page, 'Component', 'of-eu')
    assert.match(below, /^Hidden\s+.*a context never sees what its descendants register/)
    assert.match(below, /What to do: Wrap eu with share\(\)/)
    await page.getByText('Where the name is registered').waitFor()
    assert.equal(await page.locator('[role=treeitem][data-marked]').getAttribute('title'), '/sales/eu')
    assert.match(await ask(page, 'Component', 'of-sale'), /^Unknown\s+.*Did you mean "of-sales"/s)

    await page.getByText('Registered here', { exact: true }).click()
    await row('Components', 'of-company').waitFor({ state: 'detached' })
    await page.getByText('Inherited', { exact: true }).click()
    await row('Components', 'of-company').getByRole('button', { name: '/' }).click()
    await title(page, '/').waitFor()
    await node(page, 'support').click()
    await page.getByRole('button', { name: /^Hidden from \/support/ }).click()
    await page.getByRole('button', { name: 'Why is of-eu hidden?' }).click()
    await page.getByRole('region', { name: 'Explanation' }).getByText('it lives in /sales/eu').waitFor()
    await page.getByRole('region', { name: 'Explanation' }).getByRole('button', { name: '/sales/eu' }).click()
    await title(page, '/sales/eu').waitFor()
  })
})

describe('contexts that are made here', () => {
  it('are made, renamed, moved and deleted, and refused in plain words', async (t) => {
    const { service, page } = await openContexts(t, at('/sales', 'settings'), async (service) => {
      await makeContext(service, '/a')
      await makeContext(service, '/a/b')
      await service.createFlow(flowIn('/a/b'))
    })
    await page.getByText('The plugin sales sets the variables of this context in code').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0)
    await leaveSettings(page)
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New context' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('a b')
    await dialog.getByText('Use letters, digits, - and _ only').waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('made')
    await dialog.getByText('/sales/made').waitFor()
    await page.keyboard.press('Enter')
    await title(page, '/sales/made').waitFor()
    await dialog.waitFor({ state: 'detached' })

    await page.keyboard.press('F2')
    const place = page.getByRole('dialog', { name: 'Rename or move /sales/made' })
    await place.getByRole('textbox', { name: 'Name' }).fill('test')
    await place.getByRole('combobox', { name: 'In' }).click()
    await page.getByRole('option', { name: '/support', exact: true }).click()
    await place.getByRole('button', { name: 'Rename or move' }).click()
    await title(page, '/support/test').waitFor()
    await place.waitFor({ state: 'detached' })
    assert.ok((await pathsOf(service)).includes('/support/test'))

    await page.getByRole('button', { name: 'Delete' }).click()
    await page
      .getByRole('dialog', { name: 'Delete /support/test?' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await title(page, '/support').waitFor()
    await node(page, 'test').waitFor({ state: 'detached' })
    assert.ok(!(await pathsOf(service)).includes('/support/test'))

    await node(page, 'a').click()
    await title(page, '/a').waitFor()
    await page.getByRole('button', { name: 'New context' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('b')
    await page.keyboard.press('Enter')
    await dialog.getByText('There is a context "/a/b" already. Choose another name.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('F2')
    const moved = page.getByRole('dialog', { name: 'Rename or move /a' })
    await moved.getByRole('textbox', { name: 'Name' }).fill('c')
    await page.keyboard.press('Enter')
    await moved
      .getByText('flows, connections or collections live there, or keys are bound to it. Move those first.')
      .waitFor()
    await page.keyboard.press('Escape')
    await moved.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete /a?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The context "/a" cannot be deleted').waitFor()
  })
})

/** As somebody does: the router warns of whoever goes elsewhere by the address where it could have to ask first. */
async function leaveSettings(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Visible here' }).click()
  await page.getByRole('tab', { name: 'Visible here', selected: true }).waitFor()
}

describe('variables and settings of a context', () => {
  it('are edited, checked and saved, and not lost without a question', async (t) => {
    const { service, page } = await openContexts(t, at('/north/west', 'settings'), async (service) => {
      await makeContext(service, '/north', { limits: { rate_limit: 60 }, default_auth: 'None' })
      await makeContext(service, '/north/west', { variables: { region: 'west', id: 1 } })
    })
    const variable = (name: string) => page.getByRole('group', { name: `Variable ${name}`, exact: true })
    await variable('region').getByRole('textbox', { name: 'Value' }).fill('far west')
    await page.getByRole('button', { name: 'Add a variable' }).click()
    const added = variable('new variable')
    await added.getByRole('textbox', { name: 'Name' }).fill('id')
    await page.getByText('This name is already used.').first().waitFor()
    await page
      .getByRole('group', { name: 'Variable id' })
      .last()
      .getByRole('textbox', { name: 'Name' })
      .fill('ids')
    await variable('ids').getByText('JSON', { exact: true }).click()
    await variable('ids').getByRole('textbox', { name: 'Value' }).fill('[12345678901234567890')
    await page.getByText('This is not JSON.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled())
    await variable('ids').getByRole('textbox', { name: 'Value' }).fill('[7]')
    await variable('id').getByRole('button', { name: 'Remove id' }).click()
    await page.getByPlaceholder('Not set here (60 from /north)').fill('-1')
    await page.getByText('Enter a whole number').waitFor()
    await page.getByRole('textbox', { name: 'Rate limit' }).fill('5')
    await page.getByRole('combobox', { name: 'Authentication' }).click()
    await page.getByRole('option', { name: 'Signature' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The settings of /north/west were saved.').waitFor()
    const { variables, limits, default_auth } = await contextAt(service, '/north/west')
    assert.deepEqual(
      { variables, limits, default_auth },
      { variables: { region: 'far west', ids: [7] }, limits: { rate_limit: 5 }, default_auth: 'Signature' }
    )
    // Nothing is left to save, as soon as what was saved is read again.
    await comesTo(page, () => page.getByRole('button', { name: 'Save' }).isDisabled(), true)

    const region = variable('region').getByRole('textbox', { name: 'Value' })
    await region.fill('another')
    await page.getByText('Not saved yet.').waitFor()
    await node(page, 'sales').click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await region.inputValue(), 'another')
    await page.getByRole('button', { name: 'Discard' }).click()
    await comesTo(page, () => region.inputValue(), 'far west')
    await node(page, 'sales').click()
    await title(page, '/sales').waitFor()
    await leaveSettings(page)
  })

  it('are variables alone at the root, beside those of code', async (t) => {
    const { service, page } = await openContexts(t, at('/', 'settings'))
    t.after(() => service.request('PATCH', '/api/v1/contexts/%2F', { body: { variables: {} } }))
    await page.getByRole('button', { name: 'Add a variable' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('area')
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('eu')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The variables of the root were saved.').waitFor()
    assert.deepEqual((await contextAt(service, '/')).variables, { area: 'eu' })
    assert.equal(await page.getByRole('textbox', { name: 'Rate limit' }).count(), 0)
    await leaveSettings(page)
  })
})

describe('kept values of a context', () => {
  it('are found, changed and deleted', async (t) => {
    const { page, service, goTo } = await shared(t)
    const address = (key: string) => `/api/v1/kept/value?key=${encodeURIComponent(key)}`
    for (const key of ['mails:Ann', 'mails:Bob', 'cursor'])
      await service.request('PUT', address(key), { body: { value: { count: 3 }, expires_in_ms: 86_400_000 } })
    await goTo(at('/', 'kept'))
    const keys = page.getByRole('list', { name: 'Kept values' }).getByRole('listitem')
    await page.getByRole('searchbox', { name: 'Search kept values' }).fill('mails:')
    await comesTo(page, () => keys.count(), 2)

    await page.getByRole('button', { name: 'Open mails:Ann' }).click()
    const dialog = page.getByRole('dialog', { name: 'mails:Ann' })
    await writeCode(dialog.getByRole('textbox', { name: 'Value, as JSON' }), '{')
    await dialog.getByRole('button', { name: 'Keep' }).click()
    await dialog.getByText('Enter JSON').waitFor()
    await writeCode(dialog.getByRole('textbox', { name: 'Value, as JSON' }), '[4]')
    await dialog.getByRole('button', { name: 'Keep' }).click()
    await page.getByText('[4]').waitFor()
    const kept = (await service.get(address('mails:Ann'))).json<{
      value: unknown
      expires_at: string | null
    }>()
    assert.deepEqual(kept.value, [4])
    assert.notEqual(kept.expires_at, null, 'its time goes on')

    await page.getByRole('button', { name: 'Delete mails:Ann' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await comesTo(page, () => keys.count(), 1)
    assert.equal((await service.get(address('mails:Ann'))).status, 404)
  })
})

describe('flows of a context', () => {
  it('are listed, lead to their canvas, and are moved', async (t) => {
    const { service, page } = await openContexts(t, at('/sales', 'flows'), async (service) => {
      await service.createFlow({ ...flowIn('/sales'), name: 'Offers', slug: 'offers' })
      const bound = flowIn('/sales', { type: 'of-sales' })
      await service.createFlow({ ...bound, edges: [], name: 'Bound', slug: 'bound' })
    })
    const list = page.getByRole('list', { name: 'Flows in /sales' })
    await list.getByRole('link', { name: 'Offers' }).waitFor()
    const move = async (flow: string, to: string) => {
      await page.getByRole('button', { name: `Move ${flow}` }).click()
      const dialog = page.getByRole('dialog', { name: `Move ${flow}` })
      await dialog.getByRole('combobox', { name: 'Into' }).click()
      await page.getByRole('option', { name: to, exact: true }).click()
      await dialog.getByRole('button', { name: 'Move', exact: true }).click()
      return dialog
    }
    await (await move('Offers', '/support')).waitFor({ state: 'detached' })
    await list.getByRole('link', { name: 'Offers' }).waitFor({ state: 'detached' })
    assert.equal((await service.get('/api/v1/flows/offers')).json<{ context: string }>().context, '/support')

    const refused = await move('Bound', '/support')
    await refused
      .getByText(/of-sales.*\/sales/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await refused.waitFor({ state: 'detached' })
    await list.getByRole('link', { name: 'Bound' }).click()
    await page.waitForURL('**/flows/*')
  })
})
