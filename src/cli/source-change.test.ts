import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { changedSource, nextSources, readSources } from './source-change.ts'

describe('readSources', () => {
  it('finds sources in all folders but those that nobody edits', async (t) => {
    const written = ['index.js', 'lib/a.ts', 'package.json', 'README.md', '.millrace/store.json']
    const folder = await folderOf(t, [...written, 'node_modules/x/index.js', '.git/hook.js'])
    assert.deepEqual([...readSources(folder).keys()].sort(), ['index.js', 'lib/a.ts', 'package.json'])
  })
})

describe('changedSource', () => {
  it('names what was written, came, went or was put in the place of another', async (t) => {
    const folder = await folderOf(t, ['index.js', 'lib/a.js'])
    let before = readSources(folder)
    const changed = () => {
      const after = readSources(folder)
      const path = changedSource(before, after)
      before = after
      return path
    }
    assert.equal(changed(), undefined)
    await writeFile(join(folder, 'index.js'), 'longer')
    assert.equal(changed(), 'index.js')
    await writeFile(join(folder, 'lib/b.js'), '')
    assert.equal(changed(), 'lib/b.js')
    await rm(join(folder, 'lib/b.js'))
    assert.equal(changed(), 'lib/b.js')
    await writeFile(join(folder, 'draft'), 'longer')
    await rename(join(folder, 'draft'), join(folder, 'index.js'))
    assert.equal(changed(), 'index.js')
    assert.equal(changed(), undefined)
  })
})

describe('nextSources', () => {
  it('waits for a change, and not for one when it is ended', async (t) => {
    const folder = await folderOf(t, ['index.js'])
    const before = readSources(folder)
    const end = new AbortController()
    const next = nextSources(folder, before, end.signal)
    await writeFile(join(folder, 'index.js'), 'longer')
    const after = await next
    assert.equal(changedSource(before, after), 'index.js')
    const none = nextSources(folder, after, end.signal)
    end.abort()
    assert.equal(changedSource(after, await none), undefined)
  })
})

async function folderOf(t: TestContext, files: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), '')
  }
  return folder
}
