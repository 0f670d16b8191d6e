import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import packageJson from '../package.json' with { type: 'json' }
import { completionFor, nextWords } from '../scripts/complete.mjs'
import { declared } from '../src/cli/command.ts'
import { readCommand } from '../src/cli/read-command.ts'
import { inheritedEnvironment } from './support/child-service.ts'
import { CommandLine } from './support/command-line.ts'
import { serviceOfFile } from './support/service.ts'
import { ROOT, temporaryFolder } from './support/stage.ts'

const shared = serviceOfFile()

describe('what is declared of the commands', () => {
  it('is in the overview, each command once, unless nobody types it', () => {
    const told = declared.groups.flatMap(({ commands }) => commands)
    const typed = Object.keys(declared.commands).filter((name) => declared.commands[name]!.hidden !== true)
    assert.deepEqual(told.toSorted(), typed.toSorted())
  })

  it('has examples that are understood', () => {
    for (const { examples = [] } of Object.values(declared.commands)) {
      for (const example of examples) {
        const [, typed] = /millrace ([^|>)]+)/.exec(example)!
        const words = [...typed!.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
        assert.doesNotThrow(() => readCommand(words), example)
      }
    }
  })
})

describe('completion', () => {
  const next = (...typed: string[]) => nextWords(declared, typed)
  const words = (...typed: string[]) => next(...typed)?.words?.map(([word]) => word)

  it('knows commands, what follows them, options and their values', () => {
    assert.ok(words('')!.includes('flows') && !words('')!.includes('complete'))
    assert.deepEqual(words('keys', ''), ['list', 'create', 'revoke'])
    assert.ok(words('runs', 'replay', '--')!.includes('--dry-run'))
    assert.deepEqual(words('completion', ''), ['bash', 'zsh', 'fish'])
    assert.ok(words('runs', 'list', '--status', '')!.includes('in progress'))
    assert.equal(words('nothing', ''), undefined)
  })

  it('knows where names are to be asked for', () => {
    assert.deepEqual(next('flows', 'show', 'or'), { ask: 'flows' })
    assert.deepEqual(next('--url', 'x', 'runs', 'list', '--flow', ''), { ask: 'flows' })
    assert.deepEqual(next('flows', '--profile', ''), { ask: 'profiles' })
    assert.deepEqual(next('import', ''), { ask: 'files' })
    assert.equal(next('trigger', 'orders', '-d', ''), undefined)
  })

  it('asks the service for names, and is silent where it cannot', async (t) => {
    const service = await shared(t)
    const env = { MILLRACE_URL: service.address, MILLRACE_API_KEY: service.key }
    const terminal = new CommandLine(t, await temporaryFolder(t), env)
    assert.match((await terminal.run(['complete', '--', 'flows', 'show', ''])).out, /^orders\tOrders$/m)
    assert.match((await terminal.run(['complete', '--', 'flows', 'list', '--context', ''])).out, /^\/\t$/m)
    for (const typed of [
      ['--url', 'http://127.0.0.1:1'],
      ['--key', 'wrong'],
      ['--profile', 'none']
    ])
      assert.deepEqual(await terminal.run(['complete', '--', ...typed, 'flows', 'show', '']), {
        code: 0,
        out: '',
        err: ''
      })
  })

  it('completes in bash', async (t) => {
    const folder = await temporaryFolder(t)
    const command = join(folder, 'millrace')
    await writeFile(
      command,
      `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, packageJson.bin.millrace)}' "$@"\n`
    )
    await chmod(command, 0o755)
    const script = `${completionFor(['completion', 'bash'])}
      COMP_WORDS=(millrace runs re) COMP_CWORD=2; _millrace; echo "\${COMPREPLY[@]}"
      COMP_WORDS=(millrace runs list --status "in") COMP_CWORD=4; _millrace; echo "\${COMPREPLY[@]}"`
    const env = { ...inheritedEnvironment(), PATH: `${folder}${delimiter}${process.env.PATH}` }
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env, cwd: folder })
    assert.equal(stdout, 'replay retry\nin\\ progress\n')
  })
})
