import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import millrace, { share } from 'millrace'
import own, { share as ownShare } from '../src/millrace.ts'
import { ApiClient } from './support/api-client.ts'
import { CHILD_KEY, ChildService, inheritedEnvironment } from './support/child-service.ts'
import { cleanUp } from './support/clean-up.ts'
import { ROOT, temporaryFolder } from './support/stage.ts'

/** An application in a folder of its own, with Millrace as the link that `npm install ../millrace` makes. */
describe('a host application', () => {
  it('inside the repository imports millrace by its name', () => {
    assert.equal(millrace, own)
    assert.equal(share, ownShare)
  })

  it('in another folder imports it, runs and answers', async (t) => {
    const folder = await hostFolder(t)
    const env = { ...inheritedEnvironment(), PORT: '0', SHOP_KEY: CHILD_KEY }
    const child = spawn(process.execPath, ['main.ts'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    const host = new ChildService(t, child, folder)
    cleanUp(t, () => host.end('SIGKILL'))
    const [, address] = await host.printed('stdout', /(http:\S+)\n/)
    const client = new ApiClient(t, `${address}/flows`, CHILD_KEY)
    const { text } = await client.get('/api/v1/components?context=/shop')
    assert.match(text, /"type":"city"/)
    assert.deepEqual(await host.end('SIGTERM'), { code: 0, signal: null }, host.stderr)
  })

  it('in another folder is typed by tsc, with the settings that the guide names', async (t) => {
    const folder = await hostFolder(t)
    await writeFile(join(folder, 'typed.ts'), TYPED)
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    // As in scripts/steps.mjs: one thread takes less, and there is hardly any garbage to collect.
    const [args, env] = [[tsc, '--singleThreaded', '-p', folder], { ...process.env, GOGC: 'off' }]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch((error) => error)
    assert.equal(stdout, '')
  })
})

/** Had the types got lost on the way, there would be no error to expect. */
const TYPED = `import type { Context } from 'millrace'
export const typed = (context: Context) =>
  // @ts-expect-error: the component has no input
  context.component({ type: 'a', title: 'A', run: ({ inputs }) => ({ text: inputs.text }) })
`

async function hostFolder(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t)
  await cp(join(ROOT, 'examples/host'), folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "name": "shop", "type": "module" }')
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  await symlink(ROOT, join(folder, 'node_modules/millrace'))
  for (const name of ['fastify', '@types/node']) {
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return folder
}
