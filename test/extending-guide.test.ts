import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { CHILD_KEY, ChildService, inheritedEnvironment, spawnService } from './support/child-service.ts'
import { cleanUp, type Lifetime, lifetimeOfFile } from './support/clean-up.ts'
import { type Block, blocksOf, type Exchange, exchangesOf, patternOf } from './support/guide.ts'
import { ROOT, temporaryFolder } from './support/stage.ts'

const GUIDE = readFileSync(join(ROOT, 'docs/extending.md'), 'utf8')
const FILE_NAME = /^\/\/ (examples\/\S+)$/
const START = /^((?:[A-Z_]+=\S+ )*)npm start$/
const HOST = /^((?:[A-Z_]+=\S+ )*)node (examples\/host\/\S+)$/

const file = lifetimeOfFile()
/** A folder with Millrace as a dependency, for what is not done in Millrace's own. */
let project: Promise<string> | undefined

describe('docs/extending.md', () => {
  const blocks = blocksOf(GUIDE)
  const sources = blocks.filter(({ language }) => language !== 'console')
  const terminals = blocks.filter(({ language }) => language === 'console')

  it('shows files as they are', () => {
    assert.ok(sources.length > 0)
    for (const block of sources) {
      const file = fileOf(block) ?? assert.fail(`the block at line ${block.line} names no file of examples/`)
      const shown = `${block.lines.slice(1).join('\n')}\n`
      assert.equal(shown, readFileSync(join(ROOT, file), 'utf8'), `${file} differs from line ${block.line}`)
    }
  })

  it('shows and runs every example that there is', () => {
    const typed = terminals.flatMap(exchangesOf).map(({ command }) => command)
    for (const file of globSync('examples/{plugins,flows,host}/**/*.*', { cwd: ROOT })) {
      const isShown = sources.some((block) => fileOf(block) === file) || typed.includes(`cat ${file}`)
      assert.ok(isShown, `${file} is not in the guide`)
      if (file.endsWith('tsconfig.json')) continue
      assert.ok(
        typed.some((command) => command !== `cat ${file}` && command.includes(file)),
        `nothing in the guide runs ${file}`
      )
    }
  })

  it('has links that lead somewhere', () => {
    const anchors = new Set([...GUIDE.matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchorOf(title!)))
    for (const [, target] of GUIDE.matchAll(/\]\(([^)]+)\)/g)) {
      if (target!.startsWith('#')) assert.ok(anchors.has(target!), target)
      else assert.ok(globSync(join(ROOT, 'docs', target!.split('#', 1)[0]!)).length > 0, target)
    }
  })

  // A test for each process that is started, since all together take minutes on a busy machine.
  for (const exchanges of sessionsOf(terminals.flatMap(exchangesOf)))
    it(`tells commands that print what it says, from line ${exchanges[0]!.line} on`, async (t) => {
      project ??= makeProject(file)
      const reader = new Reader(t, await project)
      for (const exchange of exchanges) await reader.follow(exchange)
      await reader.close()
    })
})

describe('the application of the guide', () => {
  it('shows a key that Millrace made on stderr, although it logs nothing', async (t) => {
    const host = await startHost(t, 'examples/host/main.ts', {})
    const [, key] = await host.printed('stderr', /shows it this once: (mr_\S+)\n/)
    const [, address] = await host.printed('stdout', /(http:\S+)\n/)
    const [, path] = await host.printed('stderr', /Its page: (\/flows\/sign-in\?token=\S+)/)
    const { status } = await fetch(`${address}/flows/api/v1/flows`, { headers: { 'x-api-key': key! } })
    assert.equal(status, 200)
    assert.equal((await fetch(address + path!, { redirect: 'manual' })).headers.get('location'), '/flows/')
    assert.deepEqual(await host.end('SIGTERM'), { code: 0, signal: null }, host.stderr)
  })
})

describe('the reader of guides', () => {
  it('takes … for anything within a line, and on a line of its own for lines', () => {
    const pattern = patternOf(['{"id":"…","n":1}', '…', 'end (…)'])
    for (const printed of ['{"id":"7","n":1}\nend (2)\n', '{"id":"","n":1}\na\nb\nend ()\n']) {
      assert.match(printed, pattern)
    }
    const wrong = ['{"id":"7","n":2}\nend (2)\n', '{"id":"7","n":1}\nend\n', '{"id":"7","n":1}\nend (2)\nx\n']
    for (const printed of wrong) assert.doesNotMatch(printed, pattern)
    assert.doesNotMatch('{}\n', patternOf([]), 'what is printed is shown')
  })

  it('knows where a command ends', () => {
    const [block] = blocksOf("```console\n$ a \\\n  b\n1\n$ c '{\n$ }'\n2\n3\n$ d\n```")
    assert.deepEqual(exchangesOf(block!), [
      { command: 'a \\\n  b', printed: ['1'], line: 2 },
      { command: "c '{\n$ }'", printed: ['2', '3'], line: 5 },
      { command: 'd', printed: [], line: 9 }
    ])
  })
})

const KEY = CHILD_KEY
/** Where the services of the guide are, and those that stand for them here are not. */
const SHOWN = { service: 'http://127.0.0.1:7860', host: 'http://127.0.0.1:3000' }

/** What is done with one process, or before there is any. */
function sessionsOf(exchanges: readonly Exchange[]): Exchange[][] {
  const sessions: Exchange[][] = []
  for (const exchange of exchanges) {
    if (sessions.length === 0 || START.test(exchange.command) || HOST.test(exchange.command))
      sessions.push([])
    sessions.at(-1)!.push(exchange)
  }
  return sessions
}

async function makeProject(lifetime: Lifetime): Promise<string> {
  const project = await temporaryFolder(lifetime)
  await mkdir(join(project, 'node_modules/.bin'), { recursive: true })
  await symlink(ROOT, join(project, 'node_modules/millrace'))
  await symlink(join(ROOT, 'node_modules/fastify'), join(project, 'node_modules/fastify'))
  await symlink('../millrace/bin/millrace.mjs', join(project, 'node_modules/.bin/millrace'))
  return project
}

/** Somebody who does what the guide says, line by line. */
class Reader {
  readonly #test: TestContext
  readonly #project: string
  #service: ChildService | undefined
  #shown = ''
  #address = ''

  constructor(test: TestContext, project: string) {
    this.#test = test
    this.#project = project
  }

  async follow(exchange: Exchange): Promise<void> {
    const { command, printed, line } = exchange
    const output = await this.#output(command)
    const shown = this.#address === '' ? output : output.replaceAll(this.#address, this.#shown)
    const isRight = patternOf(printed).test(`${shown.trimEnd()}\n`)
    assert.ok(isRight, `line ${line}: ${command}\nThe guide says\n${printed.join('\n')}\nIt prints\n${shown}`)
  }

  async close(): Promise<void> {
    if (this.#service === undefined) return
    assert.deepEqual(await this.#service.end('SIGTERM'), { code: 0, signal: null }, this.#service.stderr)
    this.#service = undefined
  }

  async #output(command: string): Promise<string> {
    const start = START.exec(command)
    if (start !== null) return this.#startService(start[1]!)
    const host = HOST.exec(command)
    if (host !== null) return this.#startHost(host[1]!, host[2]!)
    const here = /^(?:curl|cat|node --test) /.test(command)
    assert.ok(here || /^(?:npx millrace |cd \S+ && npm test$)/.test(command), `not understood: ${command}`)
    return this.#shell(command.replaceAll(this.#shown, this.#address), here ? ROOT : this.#project)
  }

  async #startService(variables: string): Promise<string> {
    await this.close()
    const env = { MILLRACE_API_KEY: KEY, ...read(variables) }
    const service = await spawnService(this.#test, { env })
    return this.#use(service, SHOWN.service, await service.ready())
  }

  async #startHost(variables: string, file: string): Promise<string> {
    await this.close()
    const host = await startHost(this.#test, file, read(variables))
    return this.#use(host, SHOWN.host, (await host.printed('stdout', /(http:\S+)\n/))[1]!)
  }

  #use(service: ChildService, shown: string, address: string): string {
    this.#service = service
    this.#shown = shown
    this.#address = address
    return service.stdout
  }

  #shell(command: string, cwd: string): Promise<string> {
    const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
    const env = { ...inheritedEnvironment(), PATH, KEY }
    return new Promise((resolve, reject) => {
      execFile('sh', ['-c', command], { cwd, env }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else reject(new Error(`${command}\n${stdout}${stderr}`, { cause: error }))
      })
    })
  }
}

async function startHost(
  test: TestContext,
  file: string,
  variables: Record<string, string>
): Promise<ChildService> {
  const home = join(await temporaryFolder(test), 'home')
  const env = { ...inheritedEnvironment(), PORT: '0', SHOP_HOME: home, ...variables }
  const child = spawn(process.execPath, [file], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const host = new ChildService(test, child, home)
  cleanUp(test, () => host.end('SIGKILL'))
  return host
}

function fileOf({ lines }: Block): string | undefined {
  return FILE_NAME.exec(lines[0] ?? '')?.[1]
}

/** `A=1 B=2` as an object, with what the shell would fill in. */
function read(variables: string): Record<string, string> {
  const pairs = variables.replaceAll('$KEY', KEY).trim().split(' ')
  return Object.fromEntries(
    pairs.filter((pair) => pair !== '').map((pair) => pair.split('=') as [string, string])
  )
}

/** How GitHub names the heading in an address. */
function anchorOf(title: string): string {
  const words = title.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '')
  return `#${words.replaceAll(' ', '-')}`
}
