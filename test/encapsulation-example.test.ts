import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildServer, type ServerOptions } from '../examples/encapsulation/server.ts'
import packageJson from '../package.json' with { type: 'json' }

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const KEYS = ['red', 'blue']

interface Row {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly status: number
  readonly body: unknown
}

const missing = { status: 401, body: { error: 'missing authorization header' } }
const invalid = { status: 401, body: { error: 'invalid authorization header' } }
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const guarded: Row[] = [
  { path: '/one', ...missing },
  { path: '/one', headers: { authorization: '' }, ...missing },
  { path: '/one', headers: { 'x-api-key': 'red' }, ...missing },
  { path: '/one?authorization=Bearer%20red', ...missing },
  { path: '/one', headers: { authorization: 'Basic cmVkOmJsdWU=' }, ...invalid },
  { path: '/one', headers: { authorization: 'bearer red' }, ...invalid },
  { path: '/one', headers: { authorization: 'Bearer' }, ...invalid },
  { path: '/one', headers: { authorization: 'red' }, ...invalid },
  { path: '/one', headers: bearer('green'), ...invalid },
  { path: '/one', headers: bearer('RED'), ...invalid },
  { path: '/one', headers: bearer('re'), ...invalid },
  { path: '/one', headers: bearer('red,blue'), ...invalid },
  ...KEYS.map((key) => ({ path: '/one', headers: bearer(key), status: 200, body: { answer: 42 } }))
]

const all = { answer: 42, foo: 'foo', bar: 'bar' }

function rows(two: object): Row[] {
  return [
    ...guarded,
    { path: '/two', status: 200, body: two },
    { path: '/two', headers: bearer('green'), status: 200, body: two },
    { path: '/three', status: 200, body: all },
    { path: '/three', headers: bearer('green'), status: 200, body: all },
    { path: '/four', ...notFound('/four') },
    { path: '/four', headers: bearer('red'), ...notFound('/four') },
    { path: '/one/', headers: bearer('red'), ...notFound('/one/') }
  ]
}

function notFound(path: string) {
  return {
    status: 404,
    body: { message: `Route GET:${path} not found`, error: 'Not Found', statusCode: 404 }
  }
}

const modes = [
  { name: 'encapsulated', shared: false, rows: rows({ answer: 42, foo: 'foo' }) },
  { name: 'shared', shared: true, rows: rows(all) }
]

for (const { name, shared, rows } of modes) {
  describe(`the encapsulation example, ${name}`, () => {
    for (const row of rows) {
      it(`answers ${row.status} to GET ${row.path} ${JSON.stringify(row.headers ?? {})}`, async (t) => {
        const url = await listen(t, { keys: KEYS, shared })
        await assertRow(url, row)
      })
    }
  })
}

describe('the encapsulation example', () => {
  it('is as it was after another server in the process was shared', async (t) => {
    await listen(t, { keys: KEYS, shared: true })
    const url = await listen(t, { keys: KEYS, shared: false })
    await assertRow(url, { path: '/two', status: 200, body: { answer: 42, foo: 'foo' } })
  })

  it('answers as its README says', async (t) => {
    const sessions = readSessions(readFileSync(`${ROOT}examples/encapsulation/README.md`, 'utf8'))
    assert.deepEqual(
      sessions.map(({ options }) => options.shared),
      [false, true]
    )
    for (const { options, exchanges } of sessions) {
      assert.ok(exchanges.length > 0)
      const url = await listen(t, options)
      for (const { path, headers, printed } of exchanges) {
        const response = await fetch(url + path, { headers })
        assert.equal(`${await response.text()} ${response.status}`, printed, `curl ${path}`)
      }
    }
  })

  it('runs as the npm script runs it and ends with 0 on SIGTERM', async (t) => {
    const [exec, node, ...command] = packageJson.scripts['example:encapsulation'].split(' ')
    assert.deepEqual([exec, node], ['exec', 'node'])
    const child = spawn(process.execPath, [...command, '--shared'], {
      cwd: ROOT,
      env: environment({ PORT: '0', API_KEYS: 'a, b' }),
      stdio: ['ignore', 'pipe', 'inherit']
    })
    t.after(() => child.kill('SIGKILL'))
    const ended = once(child, 'exit')

    const ready = /^The encapsulation example \(--shared\) is ready at (http:\/\/127\.0\.0\.1:\d+)$/
    const url = ready.exec(await firstLine(child))?.[1]
    assert.ok(url, 'the ready line names no address')
    await assertRow(url, { path: '/one', ...missing })
    await assertRow(url, { path: '/one', headers: bearer('a,'), ...invalid })
    for (const key of ['a', 'b']) {
      await assertRow(url, { path: '/one', headers: bearer(key), status: 200, body: { answer: 42 } })
    }
    await assertRow(url, { path: '/two', status: 200, body: all })

    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })

  const refusals: [why: RegExp, env: Record<string, string>, args?: string[]][] = [
    [/API_KEYS has no key/, {}],
    [/API_KEYS has no key/, { API_KEYS: ' , ' }],
    [/Key 2 in API_KEYS cannot travel in a header/, { API_KEYS: 'red,grün' }],
    [/PORT is "http"/, { API_KEYS: 'red', PORT: 'http' }],
    [/PORT is "65536"/, { API_KEYS: 'red', PORT: '65536' }],
    [/"--share" is not an option/, { API_KEYS: 'red' }, ['--share']]
  ]
  for (const [why, env, args = []] of refusals) {
    it(`refuses to start: ${why.source}, ${JSON.stringify(env)}`, async () => {
      assertRefused(await startInVain({ PORT: '0', ...env }, args), why)
    })
  }

  it('refuses to start on a port that is taken', async (t) => {
    const { port } = new URL(await listen(t, { keys: KEYS, shared: false }))
    assertRefused(await startInVain({ API_KEYS: 'red', PORT: port }, []), /EADDRINUSE/)
  })
})

/** Starts the server on a free port and returns its address. It is closed when the test is over. */
async function listen(test: TestContext, options: ServerOptions): Promise<string> {
  const app = buildServer(options)
  test.after(() => app.close())
  return app.listen({ host: '127.0.0.1', port: 0 })
}

async function assertRow(url: string, { path, headers = {}, status, body }: Row): Promise<void> {
  const response = await fetch(url + path, { headers })
  assert.deepEqual({ status: response.status, body: await response.json() }, { status, body })
}

interface Session {
  readonly options: ServerOptions
  readonly exchanges: { path: string; headers: Record<string, string>; printed: string }[]
}

const START = /^\$ API_KEYS=(\S+) npm run example:encapsulation( -- --shared)?$/
const CURL = /^\$ curl -w ' %\{http_code\}\\n'(?: -H '(\S+): ([^']+)')? http:\/\/127\.0\.0\.1:7861(\/\S+)$/

/** The servers that the README starts, with what it asks each of them and the answers it promises. */
function readSessions(readme: string): Session[] {
  const sessions: Session[] = []
  const lines = readme.split('\n')
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('$ ')) continue
    const start = START.exec(line)
    if (start !== null) {
      const options = { keys: start[1]!.split(','), shared: start[2] !== undefined }
      sessions.push({ options, exchanges: [] })
      continue
    }
    const [, name, value, path] = CURL.exec(line) ?? assert.fail(`not understood in the README: ${line}`)
    const headers: Record<string, string> = name === undefined ? {} : { [name]: value! }
    sessions.at(-1)!.exchanges.push({ path: path!, headers, printed: lines[index + 1]! })
  }
  return sessions
}

/** Nothing of the settings of whoever runs the tests may reach the example. */
function environment(env: Record<string, string>): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, ...env }
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line
  return assert.fail('it ended without a ready line')
}

interface Refusal {
  readonly code: unknown
  readonly stdout: string
  readonly stderr: string
}

function startInVain(env: Record<string, string>, args: string[]): Promise<Refusal> {
  const command = ['examples/encapsulation/main.ts', ...args]
  // The time limit is for a server that starts although it should not.
  const options = { cwd: ROOT, env: environment(env), timeout: 60_000 }
  return new Promise((resolve) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? error?.signal ?? 0, stdout, stderr })
    })
  })
}

function assertRefused({ code, stdout, stderr }: Refusal, why: RegExp): void {
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
  assert.match(stderr, /^The encapsulation example cannot start: .+\n$/)
  assert.match(stderr, why)
}
