import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { it } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { BodyMemory } from '../requests/body-memory.ts'
import { readStream } from '../webhook/payload/read-stream.ts'
import { readSentForm } from './form-body.ts'

const headers = { 'content-type': 'multipart/form-data; boundary=x' }
const HALF = `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'a'.repeat(5_000)}`
const pace = { pause: () => undefined }

const NO_FILES = { keep: () => assert.fail('there is no file'), letGo: async () => {}, limit: 100_000 }

const WAYS = {
  'of a page': (body: PassThrough, memory: BodyMemory) => {
    const request = { formStream: body, headers } as unknown as FastifyRequest
    return readSentForm(request, '/', pace, { files: NO_FILES, bodyLimit: 10_000, memory })
  },
  'of a webhook': (body: PassThrough, memory: BodyMemory) => {
    const about = { context: '/', bodyLimit: 10_000, files: NO_FILES, pace, memory }
    return readStream({ kind: 'multipart', headers, body, ...about })
  }
}

for (const [what, read] of Object.entries(WAYS))
  it(`a form ${what} whose sender stops in the middle gives way to another`, async () => {
    const memory = new BodyMemory(8_000)
    const [stopped, honest] = [new PassThrough(), new PassThrough()]
    const first = read(stopped, memory)
    first.catch(() => {})
    stopped.write(HALF)
    while (memory.bytes === 0) await new Promise(setImmediate)
    const second = read(honest, memory)
    honest.end(`${HALF}\r\n--x--\r\n`)
    await assert.rejects(first, { code: 'backlog_full' })
    assert.ok(JSON.stringify(await second).length > 0)
    assert.equal(memory.bytes, 0)
  })
