import assert from 'node:assert/strict'
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import packageJson from '../package.json' with { type: 'json' }
import { problemOf } from './support/api-client.ts'
import { launchBrowser } from './support/browser.ts'
import { CHILD_KEY } from './support/child-service.ts'
import { cleanUp, lifetimeOfFile } from './support/clean-up.ts'
import { type App, execute, installPackage, isolate, startIn } from './support/installed-package.ts'
import { refusesConnections } from './support/refuses-connections.ts'
import { ROOT, temporaryFolder } from './support/stage.ts'

const KEY = { MILLRACE_API_KEY: CHILD_KEY, PORT: '0' }
const BIN = 'node_modules/millrace/bin/millrace.mjs'
const LARGEST = 70 * 1024 * 1024
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** The types of the packages are looked at as well. */
const OPTIONS = { skipLibCheck: false, allowJs: true, checkJs: true }
const CHECKED = {
  files: ['host.ts', 'desk.ts', 'wrong.ts', 'my-plugin/index.js', 'my-plugin/service.test.js']
}
const RESOLUTIONS = {
  nodenext: { compilerOptions: OPTIONS },
  bundler: { compilerOptions: { ...OPTIONS, module: 'esnext', moduleResolution: 'bundler' } }
}

/** Types that are found, and not just anything. */
const WRONG = `import type { Context } from 'millrace'
declare const context: Context
// @ts-expect-error: a title is a text
context.component({ type: 'wrong', title: 7, run: () => ({}) })
`

/** Tells where Millrace refused it. */
const MISTAKEN = `export default async function mistaken(context) {
  try {
    context.component({ type: 'mistaken', title: 'Mistaken', run: 7 })
  } catch (error) {
    console.error(error.stack)
  }
}
`
const FRAME = /^ {4}at .*millrace\/src\/([\w/-]+\.ts):(\d+):\d+\)?$/m

const GREETING = {
  name: 'Greeting',
  context: '/myPlugin',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'greet-1', type: 'my-plugin', fields: { greeting: 'Hi' } }
  ],
  edges: [{ from: 'webhook-1.data', to: 'greet-1.data' }]
}

const ASKING = {
  name: 'Asking',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    {
      id: 'model-1',
      type: 'language-model',
      fields: { connection: 'models', model: 'small', prompt: 'Hello' }
    }
  ],
  edges: [{ from: 'webhook-1.data', to: 'model-1.data' }]
}

/** As npm and Yarn lay packages out, which is one folder for all; and as pnpm does, with a folder for each. */
const file = lifetimeOfFile()
let app: App
let isolated: App

before(
  async () => {
    app = await installPackage(file)
    isolated = await isolate(file, app)
  },
  { timeout: 110_000 }
)

describe('the package', () => {
  it('takes at most 70 MB with all that it needs', (t) => {
    const bytes = sizeOf(join(app.folder, 'node_modules'))
    t.diagnostic(`${Math.ceil(bytes / 1024 / 1024)} MB`)
    assert.ok(bytes <= LARGEST, `${bytes} bytes`)
  })

  it('is started by npx, runs a webhook, shows its page, and ends with npx', async (t) => {
    const npx = startIn(t, app, ['npx', 'millrace'], KEY)
    const client = await npx.client(CHILD_KEY)
    const run = await client.run('orders', { order_id: 7, customer: 'Ann' })
    assert.equal(run.status, 'succeeded', run.error?.message)
    assert.deepEqual(run.steps[1]!.outputs, { parsed_text: 'Order 7 from Ann' })

    const browser = await launchBrowser()
    cleanUp(t, () => browser.close())
    const page = await browser.newPage()
    await page.goto(/http\S+\/sign-in\?token=\S+/.exec(npx.stdout)![0])
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await page.getByText('Order {order_id} from {customer}').first().waitFor()

    npx.child.kill('SIGTERM')
    await npx.ended
    await refusesConnections(client.address)
  })

  it('has the commands of the clone', async (t) => {
    const home = await temporaryFolder(t)
    const millrace = async (...args: string[]) => {
      const ran = startIn(t, app, [process.execPath, BIN, ...args], { MILLRACE_HOME: home })
      const { code } = await ran.ended
      return `${code} ${ran.stdout}${ran.stderr}`
    }
    const printed = await Promise.all([
      millrace('--version'),
      millrace('doctor'),
      millrace('worker'),
      millrace('backup', join(home, 'copy.db')),
      millrace('rotate-secrets'),
      millrace('migrate-store'),
      millrace('flows', '--url', 'http://127.0.0.1:1'),
      millrace('completion', 'bash')
    ])
    const expected = [
      new RegExp(`^0 ${RegExp.escape(packageJson.version)}\n$`),
      /^0 ok {7}node .*No problems found/s,
      /^1 [^\n]*worker needs DATABASE_URL[^\n]*\n$/,
      /^1 There is no store/,
      /^1 There is no store/,
      /^1 Set DATABASE_URL/,
      /^1 Millrace does not answer at http:\/\/127\.0\.0\.1:1/,
      /^0 _millrace\(\)/
    ]
    for (const [index, pattern] of expected.entries()) assert.match(printed[index]!, pattern)
  })
})

describe('the package in a layout that hides what was not asked for', () => {
  it('writes a plugin whose tests pass, one of them in a host application', async () => {
    const tested = await execute(process.execPath, ['--test'], await writePlugin())
    assert.match(tested, /^ℹ skipped 0$/m)
  })

  it('loads a plugin, tells mistakes by lines of its sources, and names the package that a model needs', async (t) => {
    await writePlugin()
    writeFileSync(join(isolated.folder, 'mistaken.js'), MISTAKEN)
    const env = { ...KEY, MILLRACE_PLUGINS: './my-plugin/index.js,./mistaken.js' }
    const service = startIn(t, isolated, [process.execPath, BIN], env)
    const client = await service.client(CHILD_KEY)
    await client.createFlow(GREETING)
    const run = await client.run('greeting', { name: 'Ann' })
    assert.deepEqual(run.steps[1]!.outputs, { text: 'Hi Ann' }, run.error?.message)

    const [, source, line] = (await service.printed('stderr', FRAME))!
    const lines = readFileSync(join(ROOT, 'src', source!), 'utf8').split('\n')
    assert.match(lines[Number(line) - 1]!, /Error\(|throw /, 'a stack names lines of the sources')

    const settings = { base_url: 'http://127.0.0.1:1/v1' }
    await client.post('/api/v1/connections', { name: 'models', kind: 'openai-compatible', settings })
    const models = problemOf(
      await client.get('/api/v1/connections/models?connection=models'),
      502,
      'models_unreadable'
    )
    assert.match(
      models.detail,
      /"npm install @ai-sdk\/openai-compatible@3"/,
      'told to whoever chooses a model'
    )
    await client.createFlow(ASKING)
    const { error } = await client.run('asking', {})
    assert.equal(error?.code, 'model_package_missing')
    assert.match(error.message, /"npm install @ai-sdk\/openai-compatible@3"/)
  })

  it('has types for plugins and host applications, of JavaScript and TypeScript', async () => {
    await writePlugin()
    cpSync(join(ROOT, 'examples/host/main.ts'), join(isolated.folder, 'host.ts'))
    cpSync(join(ROOT, 'examples/plugins/desk.ts'), join(isolated.folder, 'desk.ts'))
    writeFileSync(join(isolated.folder, 'wrong.ts'), WRONG)
    for (const [name, options] of Object.entries(RESOLUTIONS)) {
      const config = join(isolated.folder, `tsconfig.${name}.json`)
      writeFileSync(config, JSON.stringify({ extends: 'millrace/tsconfig.json', ...CHECKED, ...options }))
      const args = [TSC, '--singleThreaded', '--project', config]
      // As in scripts/steps.mjs: there is hardly any garbage to collect.
      await execute(process.execPath, args, isolated.folder, { GOGC: 'off' })
    }
  })
})

async function writePlugin(): Promise<string> {
  const folder = join(isolated.folder, 'my-plugin')
  if (!existsSync(folder)) await execute(process.execPath, [BIN, 'plugin', 'my-plugin'], isolated.folder)
  return folder
}

/** As the disk sees it, which counts whole blocks. */
function sizeOf(path: string): number {
  const { blocks } = lstatSync(path)
  const inside = lstatSync(path).isDirectory() ? readdirSync(path) : []
  return inside.reduce((sum, name) => sum + sizeOf(join(path, name)), blocks * 512)
}
