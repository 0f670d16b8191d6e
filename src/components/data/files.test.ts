import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { StepError } from '../../engine/step-error.ts'
import { runStepInTurns, type StepOptions } from '../step.test-kit.ts'
import { testFiles } from '../step-files.test-kit.ts'
import { convert } from './convert.ts'
import { hash } from './hash.ts'

type Component = typeof convert | typeof hash

async function start(t: TestContext) {
  const files = await testFiles(t)
  const run = async (component: Component, fields: StepOptions['fields'], data: unknown) =>
    (await runStepInTurns(component, { fields: fields ?? {}, inputs: { data }, files })).outputs.data
  const codeOf = async (component: Component, fields: StepOptions['fields'], data: unknown) => {
    try {
      await run(component, fields, data)
    } catch (error) {
      assert.ok(error instanceof StepError, String(error))
      return error.code
    }
    return assert.fail('the step did not fail')
  }
  return { files, run, codeOf }
}

describe('Convert of a file', () => {
  it('reads its text, wherever it stands', async (t) => {
    const { files, run } = await start(t)
    const csv = await files.add('sku,qty\nA-1,2\n', { contentType: 'text/csv', filename: 'stock.csv' })
    const rows = [{ sku: 'A-1', qty: 2 }]
    const toRows = { mode: 'CSV to rows' }
    assert.deepEqual(await run(convert, toRows, csv), rows)
    assert.deepEqual(await run(convert, toRows, { payload: csv }), rows, 'as a webhook gives it')
    assert.deepEqual(await run(convert, toRows, [csv, 'a\n1']), [rows, [{ a: 1 }]])
    const named = { ...toRows, field: 'upload' }
    assert.deepEqual(await run(convert, named, { id: 7, upload: csv }), { id: 7, upload: rows })
    assert.deepEqual(await run(convert, named, [{ upload: csv }]), [{ upload: rows }])
    const json = await files.add('\uFEFF{"a":1}')
    assert.deepEqual(await run(convert, { mode: 'JSON to data' }, json), { a: 1 })
    assert.equal(await run(convert, { mode: 'To text' }, csv), 'sku,qty\nA-1,2\n')
    const old = await files.add(Buffer.from([0xe4]), { contentType: 'text/plain; charset=iso-8859-1' })
    assert.equal(await run(convert, { mode: 'To text' }, old), 'ä')
  })

  it('reads CSV as Excel saves it, with or without a mark', async (t) => {
    const { files, run, codeOf } = await start(t)
    const toRows = { mode: 'CSV to rows' }
    const rows = [{ größe: 1, b: '€' }]
    const text = 'größe;b\r\n1;€\r\n'
    const marked = Buffer.from(`\uFEFF${text}`, 'utf16le')
    const western = Buffer.from(text.replace('€', '\u0080'), 'latin1')
    for (const bytes of [marked, Buffer.from(marked).swap16(), western]) {
      const given = { contentType: 'application/vnd.ms-excel', filename: 'stock.csv' }
      assert.deepEqual(await run(convert, toRows, await files.add(bytes, given)), rows)
      const base64 = bytes.toString('base64')
      assert.deepEqual(await run(convert, toRows, { base64, content_type: 'text/csv' }), rows)
    }
    const picture = await files.add(Buffer.from([0xff, 0xd8, 0, 1]), { filename: 'a.csv' })
    assert.equal(await codeOf(convert, toRows, picture), 'not_a_text')
    const wrong = await files.add(western, { contentType: 'text/csv; charset=utf-8', filename: 'a.csv' })
    assert.equal(await codeOf(convert, toRows, wrong), 'not_a_text', 'as was said of it')
  })

  it('takes bytes that stand in the data in its place', async (t) => {
    const { run, codeOf } = await start(t)
    const base64 = Buffer.from('sku,qty\nA-1,2\n').toString('base64')
    const upload = { base64, filename: 'stock.csv', content_type: 'text/csv' }
    const rows = [{ sku: 'A-1', qty: 2 }]
    const toRows = { mode: 'CSV to rows', field: 'upload' }
    assert.deepEqual(await run(convert, toRows, { upload }), { upload: rows })
    assert.equal(await run(convert, { mode: 'Text to Base64' }, upload), base64)
    assert.equal(await codeOf(convert, toRows, { upload: { base64: 'a*' } }), 'invalid_base64')
    assert.equal(await codeOf(convert, toRows, { upload: { base64: '/w==' } }), 'not_a_text')
  })

  it('gives its bytes as Base64, whatever they are', async (t) => {
    const { files, run } = await start(t)
    const bytes = Buffer.from([0, 255, 128])
    const photo = await files.add(bytes, { contentType: 'image/png' })
    assert.equal(await run(convert, { mode: 'Text to Base64' }, photo), bytes.toString('base64'))
  })

  it('fails where it is no text, too long, or not to be opened', async (t) => {
    const { files, run, codeOf } = await start(t)
    const picture = await files.add(Buffer.from([0x89, 0x50, 0, 255]), { contentType: 'image/png' })
    assert.equal(await codeOf(convert, { mode: 'CSV to rows' }, picture), 'not_a_text')
    assert.equal(await run(convert, { mode: 'CSV to rows', failures: 'null' }, picture), null)
    const long = await files.add('a'.repeat(13 * 1024 ** 2))
    const longer = await files.add('b'.repeat(13 * 1024 ** 2))
    assert.equal(await codeOf(convert, { mode: 'JSON to data' }, [long, longer]), 'file_too_large')
    const nobodys = { ...picture, file: `file_${'x'.repeat(22)}` }
    assert.equal(await codeOf(convert, { mode: 'JSON to data' }, nobodys), 'file_not_found')
  })
})

describe('Hash of a file', () => {
  it('is that of its bytes, not of its value', async (t) => {
    const { files, run } = await start(t)
    const bytes = Buffer.alloc(300_000, 7)
    const scan = await files.add(bytes)
    const digest = createHash('sha256').update(bytes).digest('hex')
    assert.equal(await run(hash, {}, scan), digest)
    const text = createHash('sha256').update('x').digest('hex')
    assert.deepEqual(await run(hash, {}, [scan, 'x']), [digest, text])
    const keyed = createHmac('sha256', 'k').update(bytes).digest('hex')
    assert.deepEqual(await run(hash, { key: 'k', as: 'digest' }, scan), { ...scan, digest: keyed })
    const template = createHash('sha256').update(scan.filename).digest('hex')
    assert.equal(await run(hash, { text: '{filename}' }, scan), template)
  })
})
