import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MillraceError } from '../errors.ts'
import { FileMissing, type FilePlace } from './file-place.ts'
import { tellFaults } from './place-faults.ts'

const NONE: FilePlace = {
  write: async (_name, bytes) => {
    for await (const _ of bytes);
  },
  read: async (name) => {
    throw new FileMissing(name)
  },
  remove: async () => {},
  async *names() {}
}

const failing = (error: Error): FilePlace => ({
  ...NONE,
  write: async (_name, bytes) => {
    for await (const _ of bytes) throw error
  }
})

describe('faults of the place of files', () => {
  it('are told as those of the store, once to the operator, with what to do', async () => {
    const told: string[] = []
    const place = failing(Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC' }))
    const telling = tellFaults(place, '/data/files', ({ message }) => told.push(message))
    const refused = await telling.write('a', parts()).catch((error: MillraceError) => error)
    assert.ok(refused)
    assert.deepEqual([refused.code, refused.status], ['store_unwritable', 503])
    assert.match(refused.message, /^Files in \/data\/files cannot be used: the disk is full\..*ENOSPC/)
    assert.match(refused.extras.publicMessage!, /^Files cannot be stored: the disk is full/)
    assert.deepEqual(told, [refused.message])
  })

  it('are not what the bytes themselves end with', async () => {
    const gone = new Error('the sender has gone')
    async function* cut() {
      yield Buffer.from('a')
      throw gone
    }
    await assert.rejects(tellFaults(NONE, 'x').write('a', cut()), (error) => error === gone)
    await assert.rejects(tellFaults(NONE, 'x').read('a'), FileMissing)
  })

  it('let go of bytes that are not read to their end', async () => {
    let isLetGo = false
    async function* watched() {
      try {
        yield Buffer.from('a')
        yield Buffer.from('b')
      } finally {
        isLetGo = true
      }
    }
    await assert.rejects(tellFaults(failing(new Error('EIO')), 'x').write('a', watched()))
    assert.ok(isLetGo)
  })
})

async function* parts(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a')
}
