import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import type { FileValue } from '../../src/flows/file-value.ts'
import type { ApiClient } from '../support/api-client.ts'
import { assertAccessible, DESKTOP, DIALOG, PHONE, testBrowser } from '../support/browser.ts'
import { readCode, writeCode } from '../support/code-area.ts'
import { comesTo } from '../support/comes-to.ts'
import { ordersFlow } from '../support/documents.ts'
import { upload } from '../support/paper-flows.ts'
import { sharedPage } from '../support/shared-page.ts'

const shared = sharedPage(testBrowser(), { env: { MILLRACE_FILE_LIMIT: '100kb' } })

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="teal"/><script>alert(1)</script></svg>'
const HTML = '<h1>Hello</h1><script>alert(2)</script>'
const CSV = `sku;name\n${Array.from({ length: 30 }, (_, at) => `A-${at};"Thing; ${at}"`).join('\n')}\n`

/** A picture of one colour. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.alloc(1), Buffer.alloc(3 * width, 120)])
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

const stored = (service: ApiClient, filename: string, type: string, content: string | Uint8Array) =>
  upload(service, content, { query: `?filename=${filename}`, headers: { 'content-type': type } })

const shownFile = (within: Page | Locator, name: string) => within.getByRole('figure', { name, exact: true })

async function widthOf(picture: Locator): Promise<number> {
  await picture.waitFor()
  return picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    return image.naturalWidth
  })
}

describe('files on the page', () => {
  it('are shown as what they are, and nothing of them runs', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(ordersFlow({ name: 'Shop' }))
    const files: Record<string, FileValue> = {
      photo: await stored(service, 'photo.png', 'image/png', png(300, 200)),
      logo: await stored(service, 'logo.svg', 'image/svg+xml', SVG),
      stock: await stored(service, 'stock.csv', 'text/csv', CSV),
      page: await stored(service, 'page.html', 'text/html', HTML),
      note: await stored(service, 'note.txt', 'text/plain', 'one'),
      other: await stored(service, 'note.txt', 'text/plain', 'another'),
      invoice: await stored(service, 'invoice.pdf', 'application/pdf', '%PDF-1.4\n%%EOF'),
      fake: await stored(service, 'fake.png', 'image/png', HTML),
      archive: await stored(service, 'archive.zip', 'application/zip', 'PK')
    }
    const gone = { ...files.photo!, file: `file_${'x'.repeat(22)}`, filename: 'gone.png' }
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    const run = await service.run(flow.slug, JSON.stringify({ order_id: 7, customer: 'Ann', ...files, gone }))
    await goTo(`/runs/${run.id}`)
    const input = page.getByRole('region', { name: 'Input', exact: true })
    await shownFile(input, 'photo.png').getByText('image/png · ').waitFor()
    assert.equal(await widthOf(shownFile(input, 'photo.png').getByRole('img')), 300)
    const seen = async (name: string) => {
      await shownFile(input, name).scrollIntoViewIfNeeded()
      return shownFile(input, name)
    }
    const logo = (await seen('logo.svg')).getByRole('img')
    assert.equal(await widthOf(logo), 300)
    assert.match((await logo.getAttribute('src'))!, /^data:image\/svg\+xml,/, 'at no origin')
    const stock = await seen('stock.csv')
    await stock.getByRole('columnheader', { name: 'sku' }).waitFor()
    await stock.getByRole('cell', { name: 'Thing; 19' }).waitFor()
    assert.equal(await stock.getByRole('row').count(), 21)
    await (await seen('page.html')).getByText('<script>alert(2)</script>').waitFor()
    await shownFile(input, 'note.txt').last().scrollIntoViewIfNeeded()
    await shownFile(input, 'note.txt').getByText('another', { exact: true }).waitFor()
    const invoice = await seen('invoice.pdf')
    await invoice.locator('iframe').or(invoice.getByText('shows PDFs after a download')).waitFor()
    await (await seen('fake.png')).getByText('not the picture that it is said to be').waitFor()
    const link = (await seen('archive.zip')).getByRole('link', { name: 'Download archive.zip' })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    assert.equal(download.suggestedFilename(), 'archive.zip')
    const lost = await seen('gone.png')
    await lost.getByText('This file is gone').waitFor()
    assert.equal(await lost.getByRole('link').count(), 0)
    assert.deepEqual(dialogs, [])
    await assertAccessible(page, 'main')
    await (await seen('photo.png')).getByRole('button', { name: 'Show photo.png in full' }).click()
    await page.getByRole('dialog', { name: 'photo.png' }).getByAltText('photo.png').waitFor()
    await assertAccessible(page, DIALOG)
    await page.keyboard.press('Escape')
    await page.setViewportSize(PHONE)
    await seen('stock.csv')
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await comesTo(page, overflow, 0)
    await page.setViewportSize(DESKTOP)
  })

  it('are shown in the Playground where a flow prints one', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(
      ordersFlow({
        name: 'Printer',
        nodes: ordersFlow().nodes.map((node) =>
          node.id === 'parser-1' ? { ...node, fields: { template: '{photo}' } } : node
        )
      })
    )
    const photo = await stored(service, 'photo.png', 'image/png', png(40, 30))
    await service.run(flow.slug, JSON.stringify({ photo }))
    await goTo(`/flows/${flow.slug}/playground`)
    const printed = page.getByTestId('message-text')
    assert.equal(await widthOf(shownFile(printed, 'photo.png').getByRole('img')), 40)
  })

  it('get into a payload by dropping and by choosing them, and the flow is tested with them', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(ordersFlow({ name: 'Taker' }))
    await goTo(`/flows/${flow.slug}`)
    await page.getByRole('button', { name: 'Other ways to test' }).click()
    await page.getByRole('menuitem', { name: /payload/i }).click()
    const panel = page.getByRole('complementary', { name: 'Payload of the test' })
    const area = panel.getByLabel('Body of the test request')
    await area.waitFor()
    await writeCode(area, '{"order_id": 7, "customer": "Ann", "scan": }')
    await page.keyboard.press('ArrowLeft')
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['one,two\n1,2\n'], 'scan.csv', { type: 'text/csv' }))
      return data
    })
    await area.dispatchEvent('dragenter', { dataTransfer: dropped })
    await panel.getByText('Drop files to put them into the payload').waitFor()
    await area.dispatchEvent('drop', { dataTransfer: dropped })
    const taken = panel.getByRole('region', { name: 'Files in the payload' })
    await shownFile(taken, 'scan.csv').scrollIntoViewIfNeeded()
    await shownFile(taken, 'scan.csv').getByRole('columnheader', { name: 'two' }).waitFor()
    const chosen = page.waitForEvent('filechooser')
    await panel.getByRole('button', { name: 'Add files' }).press('Enter')
    await (await chosen).setFiles([
      { name: 'My photo.png', mimeType: 'image/png', buffer: png(20, 20) },
      { name: 'large.bin', mimeType: 'application/x-thing', buffer: Buffer.alloc(200_000) }
    ])
    await shownFile(taken, 'My photo.png').waitFor()
    const way = panel.getByRole('list', { name: 'Files on their way' })
    await way.getByRole('alert').getByText('large.bin').waitFor()
    await assertAccessible(page, 'aside')
    await way.getByRole('button', { name: 'Dismiss large.bin' }).click()
    await way.waitFor({ state: 'hidden' })
    const payload = JSON.parse(await readCode(area)) as Record<string, FileValue>
    assert.deepEqual(Object.keys(payload), ['order_id', 'customer', 'scan', 'my_photo'])
    assert.deepEqual([payload.scan!.filename, payload.my_photo!.content_type], ['scan.csv', 'image/png'])
    await panel.getByRole('button', { name: 'Test', exact: true }).click()
    await panel.getByText('Succeeded').waitFor()
    const answer = await service.get(`/api/v1/files/${payload.scan!.file}`)
    assert.equal(answer.text, 'one,two\n1,2\n')
  })
})
