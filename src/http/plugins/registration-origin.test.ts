import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { asMillrace, asOwner, currentOwner, lineHere, originHere } from './registration-origin.ts'

type Body = <T>(then: () => T) => T

/** A module outside of Millrace whose `call` is in its second line. */
async function moduleAt(t: TestContext, path: string, source = '\nexport const call = (then) => then()') {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-origin-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, source)
  const { call } = (await import(pathToFileURL(file).href)) as { call: Body }
  return { file, call }
}

describe('the owner of a registration', () => {
  it('is the plugin whose body runs, also after an await, a timer and in what it calls', async () => {
    const seen: unknown[] = []
    await asOwner('sales', async () => {
      seen.push(currentOwner())
      await asOwner('eu', async () => {
        await null
        seen.push(currentOwner())
      })
      await new Promise<void>((resolve) => setTimeout(resolve, 0))
      seen.push(currentOwner())
    })
    assert.deepEqual(seen, ['sales', 'eu', 'sales'])
  })

  it('of two that load at the same time is each its own', async () => {
    const load = (owner: string) =>
      asOwner(owner, async () => {
        await new Promise<void>((resolve) => setImmediate(resolve))
        return currentOwner()
      })
    assert.deepEqual(await Promise.all([load('a'), load('b')]), ['a', 'b'])
  })

  it('is nobody where Millrace itself is at work, in the middle of a plugin too', () => {
    assert.equal(currentOwner(), undefined)
    asOwner('sales', () => {
      asMillrace(() => assert.equal(currentOwner(), undefined))
      assert.equal(currentOwner(), 'sales')
    })
    assert.deepEqual(originHere('millrace'), { owner: 'millrace', source: null })
  })
})

describe('the line of a registration', () => {
  it('is that of the plugin’s call', async (t) => {
    const { file, call } = await moduleAt(t, 'sales.mjs')
    const origin = asOwner('sales', () => call(() => originHere('millrace')))
    assert.deepEqual(origin, { owner: 'sales', source: `${file}:2` })
  })

  it('is the innermost where plugins call each other, however deep', async (t) => {
    const outer = await moduleAt(t, 'outer.mjs')
    const inner = await moduleAt(t, 'inner.mjs')
    const deep = (depth: number): string | null => (depth === 0 ? lineHere() : deep(depth - 1))
    assert.equal(
      outer.call(() => inner.call(() => deep(30))),
      `${inner.file}:2`
    )
  })

  it('is found in folders of any name', async (t) => {
    for (const path of ['with space/a.mjs', 'copy (2)/a.mjs', 'ünïcode/a.mjs', 'a%20b/a.mjs']) {
      const { file, call } = await moduleAt(t, path)
      assert.equal(call(lineHere), `${file}:2`, path)
    }
  })

  it('is never one of Fastify’s, and one of another package only where there is no better', async (t) => {
    const own = await moduleAt(t, 'own.mjs')
    const helper = await moduleAt(t, 'node_modules/helper/index.mjs')
    const fastify = await moduleAt(t, 'node_modules/fastify/lib/hooks.mjs')
    const avvio = await moduleAt(t, 'node_modules/avvio/index.mjs')
    assert.equal(
      own.call(() => fastify.call(() => helper.call(lineHere))),
      `${own.file}:2`
    )
    assert.equal(
      avvio.call(() => helper.call(() => fastify.call(lineHere))),
      `${helper.file}:2`
    )
    assert.equal(
      avvio.call(() => fastify.call(lineHere)),
      null
    )
  })

  it('after an await is still the plugin’s', async (t) => {
    const source = '\nexport const call = async (then) => {\n  await null\n  return then()\n}'
    const { file, call } = await moduleAt(t, 'later.mjs', source)
    assert.equal(await call(lineHere), `${file}:4`)
  })

  it('leaves the depth of other stacks as it is', () => {
    const before = Error.stackTraceLimit
    lineHere()
    assert.equal(Error.stackTraceLimit, before)
  })
})
