import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { readMultipart, type SentFile } from './read-multipart.ts'

const BOUNDARY = 'x-7MA4YWxk'
const LIMITS = { bytes: 100_000, fieldBytes: 10_000 }

interface Kept extends SentFile {
  readonly text: string
}

async function keep(sent: SentFile, bytes: AsyncIterable<Uint8Array>): Promise<Kept> {
  return { ...sent, text: String(await buffer(bytes)) }
}

function part(headers: string, body: string): string {
  return `--${BOUNDARY}\r\n${headers}\r\n\r\n${body}\r\n`
}

const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value)
const file = (name: string, filename: string, type: string, body: string) =>
  part(
    `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}`,
    body
  )
const whole = (...parts: string[]) => `${parts.join('')}--${BOUNDARY}--\r\n`

function read(body: string | Readable, limits = LIMITS, boundary = BOUNDARY) {
  return readMultipart<Kept>({
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: typeof body === 'string' ? Readable.from([Buffer.from(body)]) : body,
    limits,
    store: keep
  })
}

describe('a multipart body', () => {
  it('gives names and values in their order, and files as they were stored', async () => {
    const pairs = await read(
      whole(
        field('customer', 'Änn'),
        file('invoice', 'R 12 ü.pdf', 'application/pdf', '%PDF\r\n--x-7MA4YWx'),
        field('customer', 'Bob')
      )
    )
    assert.deepEqual(pairs, [
      ['customer', 'Änn'],
      ['invoice', { filename: 'R 12 ü.pdf', contentType: 'application/pdf', text: '%PDF\r\n--x-7MA4YWx' }],
      ['customer', 'Bob']
    ])
  })

  it('is read alike however it is cut', async () => {
    const body = whole(field('a', '1'), file('f', 'f.txt', 'text/plain', 'x\r\n--x-\r\n'), field('b', ''))
    const expected = await read(body)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (sizes) => {
        assert.deepEqual(await read(Readable.from(pieces(Buffer.from(body), sizes))), expected)
      }),
      { numRuns: 50 }
    )
  })

  it('takes the name of a file without the folders before it', async () => {
    const pairs = await read(whole(file('f', '../../etc/passwd', 'text/plain', 'x')))
    assert.equal((pairs[0]![1] as Kept).filename, 'passwd')
  })

  it('has an empty text for a file that was not chosen', async () => {
    assert.deepEqual(await read(whole(file('f', '', 'application/octet-stream', ''))), [['f', '']])
  })

  it('reads all headers of a part, however many', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => `X-${n}: y`).join('\r\n')
    const headers = `${many}\r\nContent-Disposition: form-data; name="f"; filename="f"\r\nContent-Type: text/csv`
    const body = whole(part(headers, `${'x'.repeat(20_000)}\r\n\r\n`), field('a', '1'))
    for (const size of [body.length, 7]) {
      const pairs = await read(Readable.from(pieces(Buffer.from(body), [size])))
      assert.equal((pairs[0]![1] as Kept).contentType, 'text/csv')
      assert.deepEqual(pairs.slice(1), [['a', '1']])
    }
  })

  it('keeps any name as a name', async () => {
    assert.deepEqual(await read(whole(field('__proto__', 'x'))), [['__proto__', 'x']])
  })

  const REFUSED: [what: string, body: string, code: string, message: RegExp][] = [
    [
      'a part without a disposition',
      whole(part('X-Nothing: 1', 'x')),
      'form_invalid',
      /headers that cannot be read/
    ],
    ['a part without a name', whole(part('Content-Disposition: form-data', 'x')), 'form_invalid', /no name/],
    [
      'a part whose headers do not end',
      whole(`--${BOUNDARY}\r\nX: y\r\n`),
      'form_invalid',
      /headers that cannot be read/
    ],
    [
      'a part with headers that are too long',
      whole(part(`Content-Disposition: form-data; name="a"\r\nX-Long: ${'x'.repeat(16_400)}`, 'x')),
      'body_too_large',
      /16 kB of headers/
    ],
    [
      'a body that is cut off',
      field('a', '1') + field('b', '2').slice(0, 20),
      'form_invalid',
      /not a whole form/
    ],
    ['a body without its end', field('a', '1'), 'form_invalid', /not a whole form/],
    ['no form at all', 'hello', 'form_invalid', /not a whole form/],
    ['a value that is too long', whole(field('a', 'x'.repeat(10_001))), 'body_too_large', /10000 bytes/],
    [
      'values that are too long together',
      whole(field('a', 'x'.repeat(6_000)), field('b', 'x'.repeat(6_000))),
      'body_too_large',
      /10000 bytes/
    ],
    [
      'too many parts',
      whole(...Array.from({ length: 1_001 }, () => field('a', ''))),
      'body_too_large',
      /1000 parts/
    ],
    [
      'a file that is too large',
      whole(file('f', 'f', 'text/plain', 'x'.repeat(100_001))),
      'body_too_large',
      /100000 bytes/
    ],
    ['a name that is too long', whole(field('x'.repeat(1_001), '')), 'form_invalid', /1000 characters/]
  ]
  for (const [what, body, code, message] of REFUSED)
    it(`refuses ${what}`, async () => {
      await assert.rejects(read(body), { code, message })
      // The same in small parts.
      await assert.rejects(read(Readable.from(pieces(Buffer.from(body), [997]))), { code, message })
    })

  it('is refused also before anybody has begun to store its file', async () => {
    const begun: unknown[] = []
    const reading = readMultipart({
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: Readable.from([
        Buffer.from(whole(file('f', 'f', 'text/plain', 'x'), field('a', 'x'.repeat(10_001))))
      ]),
      limits: LIMITS,
      store: async (_sent, bytes) => {
        await setImmediate()
        begun.push(bytes)
        return buffer(bytes)
      }
    })
    await assert.rejects(reading, { code: 'body_too_large' })
    assert.equal(begun.length, 1)
  })

  const files = (count: number, size: number) =>
    whole(...Array.from({ length: count }, (_, n) => file(`f${n}`, 'f', 'text/plain', 'x'.repeat(size))))

  it('has its files stored one after the other, and is read no further meanwhile', async () => {
    let [open, read, stored, most] = [0, 0, 0, 0]
    async function* body() {
      for (const part of pieces(Buffer.from(files(900, 1_000)), [4_000])) {
        read += part.length
        yield part
      }
    }
    await readMultipart({
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: Readable.from(body(), { objectMode: false }),
      limits: { ...LIMITS, bytes: 2_000_000 },
      store: async (_sent, bytes) => {
        open += 1
        assert.equal(open, 1)
        stored += (await buffer(bytes)).length
        await setImmediate()
        most = Math.max(most, read - stored)
        open -= 1
        return ''
      }
    })
    assert.equal(stored, 900_000)
    // Headers, and what streams hold by themselves.
    assert.ok(most < 400_000, `${most} bytes were read ahead`)
  })

  it('has no file stored any more once one could not be', async () => {
    let begun = 0
    const reading = readMultipart({
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: Readable.from([Buffer.from(files(100, 1))]),
      limits: LIMITS,
      store: async () => {
        begun += 1
        await setImmediate()
        if (begun === 3) throw new Error('full')
        return ''
      }
    })
    await assert.rejects(reading, { message: 'full' })
    assert.equal(begun, 3)
  })

  it('comes to an end whatever it is', async () => {
    const tokens = [
      '\r\n',
      `--${BOUNDARY}`,
      '--',
      'x',
      '\r',
      'X: y',
      field('a', '1'),
      file('f', 'f', 'text/plain', 'y')
    ]
    const body = fc.array(fc.constantFrom(...tokens), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(body, fc.integer({ min: 1, max: 60 }), async (parts, size) => {
        const sent = Buffer.from(parts.join(''))
        const ending = read(Readable.from(pieces(sent, [size]))).catch((error) => error.code)
        const outcome = await Promise.race([ending, patience()])
        assert.notEqual(outcome, 'never')
      }),
      { numRuns: 300, examples: [[[field('a', '1'), `--${BOUNDARY}\r\nX: y\r\n--${BOUNDARY}--`], 60]] }
    )
  })

  it('refuses a boundary that cannot be used', async () => {
    await assert.rejects(read(whole(field('a', '1')), LIMITS, 'x'.repeat(300)), { code: 'form_invalid' })
    await assert.rejects(read(whole(field('a', '1')), LIMITS, ''), { code: 'form_invalid' })
  })

  it('ends when its sender has gone, and lets go of the file', async () => {
    const body = new Readable({ read() {} })
    const ends: unknown[] = []
    const reading = readMultipart({
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body,
      limits: LIMITS,
      store: async (_sent, bytes) => {
        try {
          for await (const _part of bytes) queueMicrotask(() => body.destroy())
        } catch (error) {
          ends.push(error)
          throw error
        }
      }
    })
    body.push(file('f', 'f', 'text/plain', 'x'.repeat(50_000)).slice(0, 40_000))
    await assert.rejects(reading, { code: 'form_invalid', message: /closed before its end/ })
    assert.equal(ends.length, 1)
  })
})

/** Far more turns than it takes to read what is there. */
async function patience(): Promise<'never'> {
  for (let turn = 0; turn < 200; turn++) await setImmediate()
  return 'never'
}

function* pieces(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  let at = 0
  for (let no = 0; at < bytes.length; no += 1) {
    const size = sizes[no % sizes.length]!
    yield bytes.subarray(at, at + size)
    at += size
  }
}
