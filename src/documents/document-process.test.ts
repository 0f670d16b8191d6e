import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import { systemClock } from '../clock.ts'
import { DOCUMENT_LIMITS, DocumentReader } from './document-reader.ts'
import { bombPdf, madeZip } from './made-documents.test-kit.ts'
import { ask, EXTRACT, readWith } from './read-documents.test-kit.ts'

describe('the process that reads documents', () => {
  const start = (t: { after(end: () => Promise<void>): void }, limits = {}, clock = systemClock()) => {
    const reader = new DocumentReader({ clock, limits: { ...DOCUMENT_LIMITS, ...limits } })
    t.after(() => reader.close())
    return reader
  }

  it('ends with a bomb before that takes all memory, and the next document is read', async (t) => {
    // Beside other tests it takes long until the memory is full.
    const reader = start(t, { residentBytes: 256 * 1024 ** 2, timeoutMs: 300_000 })
    assert.deepEqual(await ask(reader, EXTRACT, [{ content: bombPdf() }]), { kind: 'none', why: 'memory' })
    assert.equal(reader.processes, 0)
    const [text] = await readWith(reader, { kind: 'html-text' }, { content: '<p>a' })
    assert.equal(text, 'a')
    const zip = madeZip([{ name: 'word/document.xml', content: 'a', saidSize: 300 * 1024 ** 2 }])
    const [large] = await readWith(reader, EXTRACT, { content: zip })
    assert.match(String(large), /^document_too_large: It would unpack to 300 MB/)
    const forged = madeZip([{ name: 'word/document.xml', content: 'a'.repeat(1_000_000), saidSize: 10 }])
    assert.match(String((await readWith(reader, EXTRACT, { content: forged }))[0]), /^document_broken: /)
  })

  it('ends with its time, and with the step', async (t) => {
    const clock = manualClock()
    const reader = start(t, {}, clock)
    const late = ask(reader, EXTRACT, [{ content: '%PDF-' }])
    clock.advance(DOCUMENT_LIMITS.timeoutMs)
    assert.deepEqual(await late, { kind: 'timeout' })
    const abort = new AbortController()
    const aborted = ask(reader, EXTRACT, [{ content: '%PDF-' }], { signal: abort.signal })
    const waiting = ask(reader, EXTRACT, [{ content: 'x' }], { signal: AbortSignal.abort(new Error('over')) })
    await assert.rejects(waiting, /over/)
    abort.abort(new Error('cancelled'))
    await assert.rejects(aborted, /cancelled/)
    assert.equal(reader.processes, 0)
  })

  it('is kept for the next document, and let go when none comes', async (t) => {
    const clock = manualClock()
    const reader = start(t, {}, clock)
    const read = () => readWith(reader, { kind: 'html-text' }, { content: '<p>a' })
    await Promise.all([read(), read(), read()])
    assert.equal(reader.processes, 2)
    await read()
    assert.equal(reader.processes, 2)
    clock.advance(60_000)
    assert.equal(reader.processes, 0)
    assert.equal(clock.timers, 0)
  })
})
