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

  const specifiers: [from: string, isLinked: boolean][] = [
    ['https://registry.example/millrace-1.0.0.tgz', false],
    ['^1.0.0', false],
    ['latest', false],
    ['npm:millrace@1', false],
    ['file:../millrace-1.0.0.tgz', true],
    ['link:../millrace', true],
    ['./millrace-1.0.0.tgz', true],
    ['../millrace', true],
    ['/home/ann/millrace', true]
  ]
  for (const [from, isLinked] of specifiers) {
    it(`${isLinked ? 'links to' : 'names the version of'} a package that came from ${from}`, async (t) => {
      const expected = isLinked ? 'file:../node_modules/millrace' : `^${packageJson.version}`
      for (const note of [notedByNpm, namedByProject]) {
        const own = await installed(t, note(from))
        const { devDependencies } = await waysToMillrace(join(own, '../../my-plugin'), own)
        assert.equal(devDependencies.millrace, expected, note.name)
      }
    })
  }

  it('names the version where nothing says where it came from', async (t) => {
    const { devDependencies } = await waysToMillrace(tmpdir(), await installed(t, {}))
    assert.equal(devDependencies.millrace, `^${packageJson.version}`)
  })
})

type Files = Readonly<Record<string, object>>

function notedByNpm(resolved: string): Files {
  return { 'node_modules/.package-lock.json': { packages: { 'node_modules/millrace': { resolved } } } }
}

function namedByProject(millrace: string): Files {
  return { 'package.json': { devDependencies: { millrace } } }
}

/** The folder of a package that was installed in a project with these files. */
async function installed(t: TestContext, files: Files): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'millrace-test-'))
  t.after(() => rm(project, { recursive: true, force: true }))
  const own = join(project, 'node_modules/millrace')
  await mkdir(own, { recursive: true })
  for (const [path, json] of Object.entries(files)) await writeFile(join(project, path), JSON.stringify(json))
  return own
}
