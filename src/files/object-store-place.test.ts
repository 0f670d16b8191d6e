import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import S3rver from '@20minutes/s3rver'
import { cleanUp } from '../../test/support/clean-up.ts'
import type { MillraceError } from '../errors.ts'
import { filePlaceContract, newName } from './file-place.test-kit.ts'
import { readObjectStoreAddress } from './object-store-address.ts'
import { createObjectStorePlace, type ObjectStoreOptions } from './object-store-place.ts'

const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

async function folderFor(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-objects-'))
  cleanUp(test, () => rm(folder, { recursive: true }))
  return folder
}

/** An object store that checks signatures and lengths. */
async function storeFor(test: TestContext): Promise<ObjectStoreOptions> {
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: await folderFor(test),
    configureBuckets: [{ name: 'mill' }]
  })
  const { port } = await store.run()
  cleanUp(test, () => {
    store.httpServer.closeAllConnections()
    return store.close()
  })
  const address = readObjectStoreAddress(
    `s3://mill/team a?endpoint=http://127.0.0.1:${port}&region=eu-west-1`
  )
  return { ...address, ...KEYS, spool: await folderFor(test) }
}

filePlaceContract('an object store', async (test) => createObjectStorePlace(await storeFor(test)))

describe('an object store', () => {
  it('is refused by a wrong key, and says why', async (t) => {
    const place = createObjectStorePlace({ ...(await storeFor(t)), secretAccessKey: 'wrong' })
    await assert.rejects(
      place.write(newName(), Readable.from([Buffer.from('bytes')])),
      /answered 403 \(SignatureDoesNotMatch\)\. Check AWS_ACCESS_KEY_ID/
    )
  })

  it('leaves nothing on this machine', async (t) => {
    const options = await storeFor(t)
    await createObjectStorePlace(options).write(newName(), Readable.from([Buffer.from('bytes')]))
    assert.deepEqual(await readdir(options.spool), [])
  })

  it('lists more names than one answer holds, and none of what others keep there', async (t) => {
    const options = await storeFor(t)
    const place = createObjectStorePlace(options)
    const others = createObjectStorePlace({ ...options, prefix: 'team b/' })
    await others.write(newName(), Readable.from([Buffer.from('theirs')]))
    const names = Array.from({ length: 3 }, newName)
    for (const name of names) await place.write(name, Readable.from([Buffer.from(name)]))
    const found = await Array.fromAsync(place.names())
    assert.deepEqual(found.map(({ name }) => name).sort(), names.sort())
  })

  it('is asked again where it is busy for a moment', async (t) => {
    const options = await storeFor(t)
    let refusals = 0
    const busy = await proxyFor(t, options.url, () => (refusals++ < 2 ? 503 : undefined))
    const place = createObjectStorePlace({ ...options, url: busy })
    const name = newName()
    await assert.rejects(place.write(name, Readable.from([Buffer.from('bytes')])), /403/)
    assert.equal(refusals, 3, 'the third was let through, signed for another host')
  })
})

describe('the address of an object store', () => {
  it('is of Amazon where it names no endpoint', () => {
    assert.deepEqual(readObjectStoreAddress('s3://mill?region=eu-central-1'), {
      url: 'https://mill.s3.eu-central-1.amazonaws.com',
      prefix: '',
      region: 'eu-central-1'
    })
    assert.equal(
      readObjectStoreAddress('s3://mill.example').url,
      'https://s3.us-east-1.amazonaws.com/mill.example',
      'whose certificate is for one name more'
    )
  })

  it('is refused where it cannot be meant, with what to write', () => {
    for (const [text, why] of [
      ['mill', /it is not an address/],
      ['https://key:hush@mill', /it is not an address/],
      ['s3://mill?zone=a', /unknown parameter "zone"/],
      ['s3://key:hush@mill', /AWS_ACCESS_KEY_ID/],
      ['s3://mill/%', /prefix cannot be read/],
      ['s3://mill?endpoint=ftp://x', /endpoint is not an address/],
      ['s3://mill?endpoint=https://key:hush@x', /endpoint is not an address/]
    ] as const)
      assert.throws(
        () => readObjectStoreAddress(text),
        (error: MillraceError) => {
          assert.equal(error.code, 'config_invalid')
          assert.match(error.message, why)
          assert.doesNotMatch(error.message, /hush/)
          return true
        }
      )
  })
})

/** Answers itself, where `refuse` gives a status, and else hands the request on. */
async function proxyFor(test: TestContext, url: string, refuse: () => number | undefined): Promise<string> {
  const target = new URL(url)
  const server: Server = createServer(async (request, response) => {
    const status = refuse()
    const body = await buffer(request)
    if (status !== undefined) return response.writeHead(status).end()
    const headers = request.headers as Record<string, string>
    const answer = await fetch(`${target.origin}${request.url}`, { method: request.method!, headers, body })
    response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(test, () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`
}
