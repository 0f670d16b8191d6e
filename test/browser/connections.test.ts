import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, DIALOG, SEEN_PAGE, testBrowser } from '../support/browser.ts'
import { CANARY, SHOP } from '../support/connections.ts'
import { makeContext } from '../support/contexts.ts'
import { startOAuthProvider } from '../support/oauth-provider.ts'
import type { Service } from '../support/service.ts'
import { makePhone, sharedPage } from '../support/shared-page.ts'

const shared = sharedPage(testBrowser(), { plugins: ['reach.ts'] })

function connect(service: Service, given: Readonly<Record<string, unknown>>): Promise<unknown> {
  return service.post('/api/v1/connections', { ...SHOP, ...given })
}

function row(page: Page, text: string) {
  return page.getByRole('listitem').filter({ hasText: text })
}

interface Listed {
  readonly connections: readonly { name: string; settings: object; secrets: object }[]
}

describe('connections', () => {
  it('are made by keyboard, with a form that follows what is chosen and says what is missing', async (t) => {
    const { service, page, goTo } = await shared(t)
    await goTo('/connections')
    await page.getByText('No connections yet').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New connection' })
    await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText('bank')
    await page.keyboard.press('Enter')
    await dialog.getByText('Base URL is required.').waitFor()
    await dialog.getByLabel('Base URL').and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText('bank')
    await dialog.getByRole('combobox', { name: 'Authentication' }).click()
    await page.getByRole('option', { name: 'Bearer token' }).click()
    await dialog.getByLabel(/^Token/).fill(CANARY)
    await page.keyboard.press('Enter')
    // The service's own refusal, at the field that it is about.
    await dialog
      .getByText(/^The setting "base_url"/)
      .first()
      .waitFor()
    await dialog.getByLabel('Base URL').fill('https://bank.example')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await row(page, 'bank').getByText('https://bank.example').waitFor()
    await row(page, 'bank').getByText('No flow uses it').waitFor()
    assert.ok(!(await page.content()).includes(CANARY), 'the secret is gone from the page')
    const { connections } = (await service.get('/api/v1/connections')).json<Listed>()
    assert.partialDeepStrictEqual(connections, [
      { settings: { base_url: 'https://bank.example', auth: 'bearer' }, secrets: { token: 'set' } }
    ])
  })

  it('are changed without their secret, which is replaced unseen, and tested', async (t) => {
    const { service, page, goTo } = await shared(t)
    await connect(service, {
      name: 'till',
      settings: { base_url: 'https://till.example', auth: 'basic', user: 'ann' },
      secrets: { password: CANARY }
    })
    await page.route('**/connections/*/test', (route) =>
      route.fulfill({ json: { ok: false, message: 'The password is wrong.', took_ms: 12 } })
    )
    await goTo('/connections')
    await page.getByRole('button', { name: 'Test till' }).click()
    await row(page, 'till').getByText('Does not work: The password is wrong.').waitFor()
    await page.getByRole('button', { name: 'Change till' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change “till”' })
    await dialog.getByText('Stored, never shown').waitFor()
    await dialog.getByLabel('User').fill('bob')
    await dialog.getByRole('button', { name: 'Replace Password' }).click()
    await dialog
      .getByLabel(/^Password/)
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.insertText('another')
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'PUT'),
      page.keyboard.press('Enter')
    ])
    assert.deepEqual(sent.postDataJSON().secrets, { password: 'another' })
    await dialog.waitFor({ state: 'detached' })
    // It is another one now: what was tried says nothing of it.
    await row(page, 'till').getByText('Does not work').waitFor({ state: 'detached' })
    await page.unroute('**/connections/*/test')
  })

  it('are signed in for at the provider, which leads back to a page that says whether it worked', async (t) => {
    const provider = await startOAuthProvider(t)
    const { service, page, goTo } = await shared(t)
    const at = provider.url.replace('127.0.0.1', 'localhost')
    await connect(service, {
      name: 'crm',
      settings: {
        base_url: provider.url,
        auth: 'oauth2',
        grant: 'authorization_code',
        authorize_url: `${at}/authorize`,
        token_url: `${provider.url}/token`,
        client_id: 'millrace'
      },
      secrets: {}
    })
    await goTo('/connections')
    const signIn = async (decision: 'Allow' | 'Deny') => {
      await page.getByRole('button', { name: 'Sign in for crm' }).click()
      const dialog = page.getByRole('dialog', { name: 'Sign in for “crm”' })
      await dialog.getByText('/api/v1/connections/sign-in/callback').waitFor()
      await dialog.getByText('It asks for no scopes').waitFor()
      if (decision === 'Deny') await assertAccessible(page, DIALOG)
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        dialog.getByRole('link', { name: 'Open the provider’s page' }).click()
      ])
      await dialog.waitFor({ state: 'detached' })
      await opened.getByRole('link', { name: decision }).click()
      return opened
    }
    const denied = await signIn('Deny')
    await denied.getByRole('heading', { name: 'Not signed in' }).waitFor()
    await denied.getByText('access_denied').waitFor()
    await denied.close()
    const allowed = await signIn('Allow')
    await allowed.getByRole('heading', { name: 'Signed in', exact: true }).waitFor()
    await allowed.close()
    await page.getByRole('button', { name: 'Test crm' }).click()
    await row(page, 'crm').getByText('Works:').waitFor()
    assert.equal(provider.issued(), 1)
  })

  it('say who uses them, and are deleted with a warning that names these', async (t) => {
    const { service, page, goTo } = await shared(t)
    await makeContext(service, '/staging', {})
    await connect(service, {})
    await connect(service, { context: '/staging' })
    const node = { id: 'api-1', type: 'reach-api', fields: { connection: 'shop' } }
    await service.createFlow({ name: 'Fulfil', context: '/staging', nodes: [node] })
    await service.createFlow({ name: 'Refund', nodes: [node] })
    const drafted = await service.createFlow({ name: 'Sketch', context: '/staging', nodes: [] })
    await service.request('PUT', `/api/v1/flows/${drafted.id}/draft`, {
      body: { name: 'Sketch', nodes: [node], edges: [] }
    })
    await goTo('/connections')
    const staging = page.getByRole('region', { name: 'Connections of /staging' })
    await staging.getByText('Used by Fulfil, Sketch (its draft)').waitFor()
    await staging.getByRole('button', { name: 'Delete shop' }).click()
    const question = page.getByRole('dialog', { name: 'Delete “shop” in /staging?' })
    await question.getByText('will use “shop” of / instead').waitFor()
    await question.getByText('Fulfil in /staging').waitFor()
    await question.getByText('Sketch in /staging, its draft').waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await staging.waitFor({ state: 'detached' })
    const root = page.getByRole('region', { name: 'Connections of /' })
    await root.getByRole('link', { name: 'Fulfil' }).waitFor()
    await page.getByText('Deleted in the last 30 days (1)').click()
    const deleted = page.getByRole('list', { name: 'Deleted connections' })
    await deleted.getByText('of /staging').waitFor()
    await assertAccessible(page, SEEN_PAGE)
    await deleted.getByRole('button', { name: 'Bring back' }).click()
    await staging.getByRole('link', { name: 'Fulfil' }).waitFor()
    await staging.getByRole('button', { name: 'Delete shop' }).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await staging.waitFor({ state: 'detached' })
    await page.getByLabel('Search connections').fill('refund')
    await page.getByText(/^1 of/).waitFor()
    await root.getByRole('button', { name: 'Delete shop' }).click()
    const last = page.getByRole('dialog', { name: 'Delete “shop” in /?' })
    await last.getByText('3 flows use it. Their steps will fail').waitFor()
    await last.getByRole('button', { name: 'Cancel' }).click()
  })

  it('fit a phone, with long names, and axe finds nothing in the forms', async (t) => {
    const { service, page, goTo } = await shared(t)
    await makePhone(t, page)
    await connect(service, {
      name: 'a'.repeat(100),
      settings: { base_url: `https://${'b'.repeat(60)}.example/${'c'.repeat(200)}` },
      secrets: {}
    })
    await connect(service, {
      name: 'mail',
      kind: 'smtp',
      settings: { host: 'mail.example', from: 'a@b.example', user: 'ann' },
      secrets: { password: 'x' }
    })
    await goTo('/connections')
    await page.getByRole('button', { name: 'Change mail' }).waitFor()
    const overflow = () => page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)
    assert.equal(await overflow(), 0)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Change mail' }).click()
    await page.getByRole('dialog').getByText('Stored, never shown').waitFor()
    await assertAccessible(page, DIALOG)
    await page.getByRole('button', { name: 'Replace Password' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('')
    await page.keyboard.press('Enter')
    await page.getByText('Give it a name').waitFor()
    await assertAccessible(page, DIALOG)
  })
})
