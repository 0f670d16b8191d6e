import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Part, tableOf } from '../scripts/part-times.mjs'
import { planProcesses, processesAtOnce } from '../scripts/test-processes.mjs'
import { inheritedEnvironment } from './support/child-service.ts'
import { ROOT, temporaryFolder } from './support/stage.ts'

const file = (path: string, text = '') => ({ path, text })
const plan = (files: Parameters<typeof planProcesses>[0]) =>
  Object.fromEntries(planProcesses(files, 2).map(({ name, paths }) => [name, paths]))

describe('the processes of a test run', () => {
  it('take together what needs nothing but the process', () => {
    const files = ['src/flows/graph/graph.test.ts', 'web/src/app.test.ts', 'test/webhook.test.ts'].map(
      (path) => file(path)
    )
    assert.deepEqual(plan(files), {
      'stories-1': ['test/webhook.test.ts'],
      'units-1': ['src/flows/graph/graph.test.ts', 'web/src/app.test.ts']
    })
  })

  it('take together what needs a database, except what changes or stops it', () => {
    const files = [
      file('src/store/one.test.ts', 'const postgres = sharedPostgres()'),
      file('test/two.test.ts', "import { spawnService } from './support/child-service.ts'; sharedPostgres()"),
      file('test/crash.test.ts', 'const postgres = ownPostgres()'),
      file('test/postgres-stories.test.ts', 'playOnPostgres()')
    ]
    assert.deepEqual(plan(files), {
      'postgres-1': ['src/store/one.test.ts', 'test/two.test.ts'],
      'test/crash.test.ts': ['test/crash.test.ts'],
      'test/postgres-stories.test.ts': ['test/postgres-stories.test.ts']
    })
  })

  it('take together what waits for other processes', () => {
    const child = "import { spawnService } from './support/child-service.ts'"
    const files = ['test/host.test.ts', 'test/backup.test.ts', 'test/stop.test.ts'].map((path) =>
      file(path, child)
    )
    assert.deepEqual(plan(files), {
      'children-1': ['test/host.test.ts', 'test/stop.test.ts'],
      'children-2': ['test/backup.test.ts']
    })
  })

  it('begin with what takes longest, and all that are shared at once', () => {
    const files = [
      file('test/a.test.ts', 'ownPostgres()'),
      file('test/b.test.ts', 'ownPostgres(); start()'),
      file('test/c.test.ts', "import 'node:child_process'"),
      file('test/d.test.ts'),
      file('test/growth.test.ts')
    ]
    const planned = planProcesses(files, 2).map(({ name }) => name)
    assert.deepEqual(planned, ['stories-1', 'growth-1', 'children-1', 'test/b.test.ts', 'test/a.test.ts'])
    const kinds = ['browser/a', 'browser/b', 'c', 'd', 'e', 'f'].map((name) =>
      file(`test/${name}.test.ts`, name > 'd' ? "import 'node:child_process'" : 'x')
    )
    const ofOneDatabase = file('src/b.test.ts', 'sharedPostgres()')
    const shared = [...kinds, file('src/a.test.ts'), ofOneDatabase, ...files.slice(2)]
    assert.equal(processesAtOnce(2), planProcesses(shared, 2).length)
  })

  it('share the browser tests by their length', () => {
    const files = ['a', 'bb', 'ccc', 'dddd'].map((text) => file(`test/browser/${text[0]}.test.ts`, text))
    assert.deepEqual(plan(files), {
      'browser-1': ['test/browser/d.test.ts', 'test/browser/a.test.ts'],
      'browser-2': ['test/browser/c.test.ts', 'test/browser/b.test.ts']
    })
  })
})

describe('test files that share a process', () => {
  it('have hooks of their own, and answer for themselves', async (t) => {
    const { printed, failed, code } = await runTogether(t, {
      'first.test.ts': `
        import { after, it } from 'node:test'
        after(() => console.log('first is over'))
        it('is of the first', () => console.log('first'))`,
      'late.test.ts': `
        import { it } from 'node:test'
        await new Promise((resolve) => setTimeout(resolve, 10))
        it('is of a file that loads slowly', () => console.log('late'))`,
      'wrong.test.ts': `
        import { describe, it } from 'node:test'
        describe('a part', () => it('is wrong', () => { throw new Error('because') }))`,
      'unloadable.test.ts': "import './nowhere.ts'",
      'leaking.test.ts': `
        import { it } from 'node:test'
        it('leaves a timer', () => { globalThis.left = setInterval(() => {}, 1000) })`,
      'last.test.ts': `
        import { it } from 'node:test'
        it('stops it', () => { clearInterval(globalThis.left) })`
    })
    assert.equal(code, 1, printed)
    assert.deepEqual(failed, ['wrong.test.ts', 'unloadable.test.ts', 'leaking.test.ts'], printed)
    assert.match(printed, /first\nfirst is over\nlate\n/)
    assert.match(printed, /tests 6\n/)
    assert.match(printed, /fail 2\n/)
    assert.match(printed, /a test of .*leaking\.test\.ts left something open/)
  })
})

describe('the time of a test run', () => {
  it('is told by part, the dearest first, and marked where a part takes more than it may', () => {
    const parts = [
      { title: 'Install', seconds: 30.04, processors: 12 },
      { title: 'Tests: browser-1', seconds: 200, processors: 251.26 },
      { title: 'Another', seconds: 1, processors: 1 }
    ]
    assert.equal(
      tableOf(parts, 240),
      [
        'Part              Seconds  of processors  budget',
        'Tests: browser-1    200.0          251.3   160 !',
        'Install              30.0           12.0    40',
        'Another               1.0            1.0',
        'All                 240.0          264.3   930'
      ].join('\n')
    )
  })

  it('counts what the processes of tests start', { skip: process.platform !== 'linux' }, async (t) => {
    const { code, printed, parts } = await runTogether(t, {
      'busy.test.ts': `
        import { spawnSync } from 'node:child_process'
        import { it } from 'node:test'
        it('starts another', () => { spawnSync(process.execPath, ['-e', ${JSON.stringify(BUSY)}]) })`
    })
    assert.equal(code, 0, printed)
    assert.deepEqual(
      parts.map(({ title }) => title),
      ['Tests: entry']
    )
    // A part of its own time may be counted for another: the clock of processors ticks 100 times a second.
    assert.ok(parts[0]!.processors >= 0.6, JSON.stringify(parts))
    assert.ok(parts[0]!.seconds >= 0.6, JSON.stringify(parts))
  })
})

describe('the time of a process that was not waited for', () => {
  it('is counted where whoever started it is ended', { skip: process.platform !== 'linux' }, async (t) => {
    const busy = `${BUSY} console.log(process.pid); setInterval(() => {}, 1000)`
    const { code, printed, parts } = await runTogether(t, {
      'impatient.test.ts': `
        import { spawn } from 'node:child_process'
        import { once } from 'node:events'
        import { it } from 'node:test'
        import { endAndCount } from '${pathToFileURL(join(ROOT, 'scripts/part-times.mjs')).href}'
        it('ends it', async () => {
          const command = ['-c', '"$@" & wait', 'sh', process.execPath, '-e', ${JSON.stringify(busy)}]
          const between = spawn('sh', command, { stdio: ['ignore', 'pipe', 'inherit'] })
          const [id] = await once(between.stdout, 'data')
          await endAndCount(async () => {
            between.kill('SIGKILL')
            await once(between, 'exit')
            process.kill(Number(id), 'SIGKILL')
          })
        })`
    })
    assert.equal(code, 0, printed)
    assert.ok(parts[0]!.processors >= 0.6, JSON.stringify(parts))
  })
})

/** Takes 0.6 s of a processor, whoever else wants it. */
const BUSY = 'const until = process.cpuUsage().user + 6e5; while (process.cpuUsage().user < until);'

/** Through node's own runner, as scripts/test-step.mjs does it. */
async function runTogether(t: TestContext, texts: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder(t)
  const files = Object.entries(texts).map(([name, text]) => ({ name, path: join(folder, name), text }))
  for (const { path, text } of files) await writeFile(path, text)
  const module = pathToFileURL(join(ROOT, 'test/support/run-together.ts')).href
  const list = JSON.stringify(files.map(({ path }) => ({ name: path, path })))
  const entry = join(folder, 'entry.test.mjs')
  await writeFile(entry, `import { runTogether } from '${module}'; runTogether(${list}, 100)`)
  const told = join(folder, 'failed')
  const reporters = [
    ['spec', 'stdout'],
    [join(ROOT, 'scripts/failed-files.mjs'), told]
  ].flatMap(([reporter, to]) => [`--test-reporter=${reporter}`, `--test-reporter-destination=${to}`])
  const times = join(folder, 'times')
  await writeFile(times, '')
  const preloads = ['leak-guard.mjs', 'test-process-time.mjs'].map(
    (name) => `--import=${join(ROOT, 'scripts', name)}`
  )
  const child = spawn(process.execPath, ['--test', ...reporters, ...preloads, entry], {
    cwd: folder,
    env: { ...inheritedEnvironment(), MILLRACE_TEST_TIMES: times },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const printed = await text(child.stdout)
  const code = await closed
  const failed = (await linesOf(told)).map((path) => path.slice(folder.length + 1))
  const parts = (await linesOf(times)).map((line) => JSON.parse(line) as Part)
  return { printed, failed, code, parts }
}

async function linesOf(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).split('\n').filter(Boolean)
}
