import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import { waysToMillrace } from './own-package.ts'

describe('waysToMillrace', () => {
  it('links to the clone that it runs from, and brings the Node that this pins', async () => {
    const folder = join(tmpdir(), 'some', 'plugin')
    const { devDependencies, allowScripts } = await waysToMillrace(folder)
    const link = devDependencies.millrace!
    assert.match(link, /^file:\.\.\//)
    assert.equal(
      resolve(folder, link.slice('file:'.length)),
      resolve(fileURLToPath(import.meta.url), '../../..')
    )
    assert.equal(devDependencies.node, packageJson.dependencies.node)
    assert.deepEqual(allowScripts, { node: true })
  })

  it('names the version of a package that came from a registry', async (t) => {
    const expected = { devDependencies: { millrace: `^${packageJson.version}` } }
    const places = ['https://registry.example/millrace-1.0.0.tgz', undefined]
    for (const resolved of places) {
      assert.deepEqual(await waysToMillrace(tmpdir(), await installed(t, { resolved })), expected)
    }
    assert.deepEqual(
      await waysToMillrace(tmpdir(), await installed(t)),
      expected,
      'by another package manager'
    )
  })

  it('links to a package that came from a file', async (t) => {
    const own = await installed(t, { resolved: 'file:../millrace-0.1.0.tgz' })
    const { devDependencies } = await waysToMillrace(join(own, '../../my-plugin'), own)
    assert.equal(devDependencies.millrace, 'file:../node_modules/millrace')
  })
})

/** The folder of a package as npm installs it, with its note on where it came from. */
async function installed(t: TestContext, noted?: { resolved: string | undefined }): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'millrace-test-'))
  t.after(() => rm(project, { recursive: true, force: true }))
  const own = join(project, 'node_modules/millrace')
  await mkdir(own, { recursive: true })
  const notes = JSON.stringify({ packages: { 'node_modules/millrace': noted } })
  if (noted !== undefined) await writeFile(join(project, 'node_modules/.package-lock.json'), notes)
  return own
}
