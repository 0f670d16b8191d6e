import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { it } from 'node:test'
import { onAnyNode } from './older-node.ts'

it('undici finds zstd while it is loaded, on a Node that has none, and nobody finds it later', async (t) => {
  const zlib = createRequire(import.meta.url)('node:zlib') as { createZstdDecompress?: () => unknown }
  const { createZstdDecompress } = zlib
  t.after(() => Object.assign(zlib, { createZstdDecompress }))
  delete zlib.createZstdDecompress
  const { HttpClient } = await onAnyNode(() => {
    assert.throws(zlib.createZstdDecompress!, /cannot read zstd/)
    return import('./http-client.ts')
  })
  assert.equal(typeof HttpClient, 'function')
  assert.equal(zlib.createZstdDecompress, undefined)
})
