import assert from 'node:assert/strict'
import { type ExecFileOptions, execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import packageJson from '../package.json' with { type: 'json' }
import { ApiClient } from './support/api-client.ts'
import { CHILD_KEY, inheritedEnvironment, spawnService } from './support/child-service.ts'
import { blocksOf } from './support/guide.ts'
import { startMillrace } from './support/millrace-command.ts'
import { ROOT, temporaryFolder } from './support/stage.ts'

const BIN = packageJson.bin.millrace

describe('millrace', { concurrency: 2 }, () => {
  it('says what it can do, and its version', async (t) => {
    const cwd = await temporaryFolder(t)
    const help = await millrace(cwd, '--help')
    assert.equal(help.code, 0, help.stderr)
    for (const word of ['start', 'sign-in', 'plugin', '--directory', '--version'])
      assert.ok(help.stdout.includes(word))
    assert.deepEqual(await millrace(cwd, '--version'), {
      code: 0,
      stdout: `${packageJson.version}\n`,
      stderr: ''
    })
    assert.deepEqual(await millrace(cwd, 'help'), help)
    const ofOne = await millrace(cwd, 'plugin', '--help')
    assert.match(ofOne.stdout, /^millrace plugin <name> \[--directory <folder>\]\n/)
    assert.doesNotMatch(ofOne.stdout, /doctor/)
  })

  it('says so where nothing is installed, whatever Node is there, and installs nothing', async (t) => {
    const copy = await temporaryFolder(t)
    for (const part of ['bin', 'scripts', 'package.json'])
      await cp(join(ROOT, part), join(copy, part), { recursive: true })
    for (const [words, says] of [
      [['--version'], /^\d+\.\d+\.\d+\n$/],
      [['help'], /^Millrace hosts flows/],
      [['help', 'doctor'], /^millrace doctor \[--json\]\n/],
      [['doctor', '-h'], /^millrace doctor \[--json\]\n/],
      [['flows', '--help'], /^ {2}millrace flows list /]
    ] as const) {
      const { code, stdout, stderr } = await execute(process.execPath, [join(copy, BIN), ...words], {
        cwd: copy
      })
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
      assert.match(stdout, says)
    }
    assert.deepEqual((await readdir(copy)).toSorted(), ['bin', 'package.json', 'scripts'])
  })

  it('ends with 2 and one line for what it does not know', async (t) => {
    const { code, stdout, stderr } = await millrace(await temporaryFolder(t), 'plugn', 'my-plugin')
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
    assert.match(stderr, /^"plugn" is not a command\. Did you mean "plugin"\? [^\n]+\n$/)
  })

  it('says what to do where it was copied into node_modules', async (t) => {
    const copy = join(await temporaryFolder(t), 'node_modules/millrace')
    for (const part of ['bin', 'scripts', 'package.json']) {
      await cp(join(ROOT, part), join(copy, part), { recursive: true })
    }
    const { code, stderr } = await execute(process.execPath, [join(copy, BIN)], { cwd: copy })
    assert.equal(code, 1)
    assert.match(stderr, /copy of Millrace[^\n]*\nRemedy: [^\n]*--install-links=false[^\n]*\n$/)
  })
})

describe('millrace sign-in', () => {
  it('prints a link that signs in once, while the service runs', async (t) => {
    const cwd = await temporaryFolder(t)
    const service = await spawnService(t, { cwd, env: { MILLRACE_API_KEY: CHILD_KEY } })
    const client = await service.client(CHILD_KEY)
    const env = { MILLRACE_HOME: service.home, PORT: new URL(client.address).port }
    const { code, stdout, stderr } = await execute(process.execPath, [join(ROOT, BIN), 'sign-in'], {
      cwd,
      env
    })
    assert.equal(code, 0, stderr)
    const [, address, path] =
      /^ {2}(http:\/\/\S+?)(\/sign-in\?token=\S+)$/m.exec(stdout) ?? assert.fail(stdout)
    assert.equal(address, client.address)
    const [first, second] = [await client.get(path!, { key: null }), await client.get(path!, { key: null })]
    assert.equal(first.headers.get('location'), '/')
    assert.match(first.headers.get('set-cookie')!, /^millrace_/)
    assert.equal(second.headers.get('location'), '/sign-in?reason=used')
    assert.equal((await client.run('orders')).status, 'failed', 'the service goes on as before')
  })

  it('ends with 1 and one line where there is nothing to sign in to', async (t) => {
    const { code, stdout, stderr } = await millrace(await temporaryFolder(t), 'sign-in')
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.match(stderr, /^There is no store in \.millrace\. [^\n]+\n$/)
  })
})

// Its own tests are run by the reader of docs/extending.md.
describe('millrace plugin', () => {
  it('writes a plugin that is developed as its README says', async (t) => {
    const cwd = await temporaryFolder(t)
    const written = await millrace(cwd, 'plugin', 'my-plugin')
    assert.equal(written.code, 0, written.stderr)
    const folder = join(cwd, 'my-plugin')
    const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    assert.deepEqual(scripts, { dev: 'millrace dev ./index.js', test: 'node --test', typecheck: 'tsc' })
    const env = { MILLRACE_API_KEY: CHILD_KEY, PORT: '0' }
    const dev = startMillrace(t, ['dev', 'index.js'], { cwd: folder, env, asTyped: true })
    const client = await dev.client(CHILD_KEY)
    const started = await follow(await readFile(join(folder, 'README.md'), 'utf8'), client.address)
    const run = await client.waitForRun(started.run_id)
    assert.equal(run.status, 'succeeded', run.error?.message)
    assert.deepEqual(run.steps[1]!.outputs, { text: 'Hi Ann' })

    const source = await readFile(join(folder, 'index.js'), 'utf8')
    await writeFile(join(folder, 'index.js'), `${source}(`)
    await dev.printed('stdout', /^Millrace starts again when a file changes\.$/m)
    await dev.printed('stderr', /Plugin "\.\/index\.js" failed to load .* \(at index\.js:\d+\)/)
    await writeFile(join(folder, 'index.js'), source.replace("title: 'My Plugin'", "title: 'Changed'"))
    const [, address] = await dev.printed('stdout', /when a file changes[\s\S]*ready at (\S+)\n/)
    const again = new ApiClient(t, address!, CHILD_KEY)
    assert.match((await again.get('/api/v1/components?context=/myPlugin')).text, /"title":"Changed"/)
    assert.equal((await again.get('/api/v1/flows/my-plugin')).json().context, '/myPlugin')
    assert.deepEqual(await dev.end('SIGTERM'), { code: 0, signal: null })
    await assert.rejects(fetch(address!), 'the service has ended with it')
  })

  it('leaves a folder that is there as it is', async (t) => {
    const cwd = await temporaryFolder(t)
    await mkdir(join(cwd, 'mine'))
    await writeFile(join(cwd, 'mine/notes.txt'), 'mine')
    const { code, stdout, stderr } = await millrace(cwd, 'plugin', 'a', '--directory', 'mine')
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.match(stderr, /There is something in [^\n]*mine already[^\n]*\n$/)
    assert.deepEqual(await readdir(join(cwd, 'mine')), ['notes.txt'])
  })

  it('writes a package that is found where it is installed', async (t) => {
    const cwd = await temporaryFolder(t)
    assert.equal((await millrace(cwd, 'plugin', '@team/greetings', '--directory', 'greetings')).code, 0)
    await mkdir(join(cwd, 'node_modules/@team'), { recursive: true })
    await symlink(join(cwd, 'greetings'), join(cwd, 'node_modules/@team/greetings'))
    const env = { MILLRACE_API_KEY: CHILD_KEY, MILLRACE_PLUGINS: '@team/greetings' }
    const client = await (await spawnService(t, { cwd, env })).client(CHILD_KEY)
    const { text } = await client.get('/api/v1/components?context=/greetings')
    assert.match(text, /"type":"greetings"/)
  })
})

/** Does what the README of the plugin says, and returns what its last command printed. */
async function follow(readme: string, address: string): Promise<{ run_id: string }> {
  const block = blocksOf(readme).find(({ lines }) => lines[0]?.startsWith('curl '))
  const commands = (block ?? assert.fail('the README has no curl line')).lines.join('\n').split('\n\n')
  let printed = ''
  for (const command of commands) {
    const local = command.replaceAll('http://127.0.0.1:7860', address)
    const { code, stdout, stderr } = await execute('sh', ['-c', local], { env: { KEY: CHILD_KEY } })
    assert.equal(code, 0, stderr)
    printed = stdout
  }
  return JSON.parse(printed)
}

interface Ended {
  readonly code: unknown
  readonly stdout: string
  readonly stderr: string
}

function millrace(cwd: string, ...args: string[]): Promise<Ended> {
  return execute(process.execPath, [join(ROOT, BIN), ...args], { cwd })
}

function execute(command: string, args: readonly string[], options: ExecFileOptions): Promise<Ended> {
  const env = { ...inheritedEnvironment(), ...options.env }
  return new Promise((resolve) => {
    execFile(command, args, { ...options, env, encoding: 'utf8' }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr })
    })
  })
}
