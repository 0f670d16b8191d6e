import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import { checkDefinition } from '../flows/component/check-definition.ts'
import { CommandError } from './command-error.ts'
import { writePlugin } from './write-plugin.ts'

describe('writePlugin', () => {
  it('writes a folder of files under the name of the plugin, and nothing of the template is left', async (t) => {
    const folder = await temporaryFolder(t)
    const tidings = await writePlugin({ plugin: '@team/crm-sync', directory: undefined }, folder)
    const files = await readdir(join(folder, 'crm-sync'))
    assert.deepEqual(files.sort(), [
      '.gitignore',
      'README.md',
      'index.js',
      'index.test.js',
      'package.json',
      'service.test.js',
      'tsconfig.json'
    ])
    for (const file of files) {
      const text = await readFile(join(folder, 'crm-sync', file), 'utf8')
      assert.doesNotMatch(text, /my-plugin|myPlugin|My Plugin/, file)
      assert.ok(tidings.includes(`crm-sync/${file}`), tidings)
    }
    const { name } = JSON.parse(await readFile(join(folder, 'crm-sync', 'package.json'), 'utf8'))
    assert.equal(name, '@team/crm-sync')
    assert.match(tidings, /MILLRACE_PLUGINS=\.\/crm-sync\/index\.js/)
    assert.match(tidings, /\/crmSync\b/)
  })

  it('writes where it is told to', async (t) => {
    const folder = await temporaryFolder(t)
    const tidings = await writePlugin({ plugin: 'a', directory: 'deep/down' }, folder)
    assert.match(tidings, /MILLRACE_PLUGINS=\.\/deep\/down\/index\.js/)
    assert.match(await readFile(join(folder, 'deep/down/README.md'), 'utf8'), /=\.\/down\/index\.js/)
    const elsewhere = await writePlugin({ plugin: 'b', directory: join(folder, 'b') }, join(folder, 'deep'))
    assert.ok(elsewhere.includes(`MILLRACE_PLUGINS=${join(folder, 'b')}/index.js`), elsewhere)
  })

  it('asks for the tools that Millrace is made with', async (t) => {
    const folder = await temporaryFolder(t)
    await writePlugin({ plugin: 'a', directory: undefined }, folder)
    const { devDependencies: wanted } = JSON.parse(await readFile(join(folder, 'a', 'package.json'), 'utf8'))
    const { dependencies, devDependencies } = packageJson
    assert.equal(wanted.fastify, `^${dependencies.fastify}`)
    assert.equal(wanted.typescript, `^${devDependencies.typescript}`)
    assert.equal(wanted['@types/node'], `^${devDependencies['@types/node']}`)
    assert.match(wanted.millrace, /^file:/)
  })

  it('writes into a folder that is empty, or a repository that is', async (t) => {
    const folder = await temporaryFolder(t)
    await mkdir(join(folder, '.git'))
    assert.match(await writePlugin({ plugin: 'a', directory: '.' }, folder), /MILLRACE_PLUGINS=\.\/index\.js/)
    assert.match(await readFile(join(folder, 'package.json'), 'utf8'), /"name": "a"/)
  })

  it('leaves what is there as it is', async (t) => {
    const folder = await temporaryFolder(t)
    await writeFile(join(folder, 'taken'), 'mine')
    for (const directory of ['taken', '.', 'taken/below']) {
      await assert.rejects(writePlugin({ plugin: 'a', directory }, folder), CommandError)
    }
    assert.deepEqual(await readdir(folder), ['taken'])
    assert.equal(await readFile(join(folder, 'taken'), 'utf8'), 'mine')
  })

  it('refuses to hide a component of Millrace', async (t) => {
    const folder = await temporaryFolder(t)
    for (const plugin of ['webhook', '@team/chat-output', 'chat_output']) {
      await assert.rejects(writePlugin({ plugin, directory: undefined }, folder), (error) => {
        assert.ok(error instanceof CommandError)
        assert.match(error.message, /has a component "(?:webhook|chat-output)" itself/)
        return true
      })
    }
    assert.deepEqual(await readdir(folder), [])
  })

  it('writes a plugin that loads, whatever it is called', async (t) => {
    const folder = await temporaryFolder(t)
    for (const plugin of ['2fa', 'await', 'default', 'class', 'arguments', 'x', '0.1_2']) {
      await writePlugin({ plugin, directory: undefined }, folder)
      const module = await import(pathToFileURL(join(folder, plugin, 'index.js')).href)
      await module.default({ component: checkDefinition })
    }
  })
})

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
