import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { ROOT, startService, temporaryFolder } from './support/service.ts'

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>
}

const FLOW = 'name: Orders\nnodes:\n  - { id: webhook-1, type: webhook }\n'

test('the workflow of GitHub Actions checks a folder, and pushes it to staging and production', async (t) => {
  const service = await startService(t)
  const folder = await temporaryFolder(t)
  await mkdir(join(folder, 'flows'))
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'flows', 'shop.yaml'), FLOW)
  // What npx would install is what is here.
  const npx = join(folder, 'bin', 'npx')
  await writeFile(
    npx,
    `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${join(ROOT, 'bin/millrace.mjs')}" "$@"\n`
  )
  await chmod(npx, 0o755)
  const { jobs } = parse(await readFile(join(ROOT, 'examples/github-actions/flows.yml'), 'utf8')) as Workflow
  const runJob = async (name: string) => {
    for (const { run } of jobs[name]!.steps) {
      if (run === undefined) continue
      const env = {
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        HOME: folder,
        MILLRACE_URL: service.address,
        MILLRACE_API_KEY: service.key
      }
      await promisify(execFile)('bash', ['-e', '-c', run], { cwd: folder, env })
    }
  }
  const statusOf = async (slug: string) => (await service.get(`/api/v1/flows/${slug}`)).status

  await runJob('check')
  assert.deepEqual([await statusOf('staging-shop'), await statusOf('shop')], [404, 404])
  await runJob('staging')
  assert.deepEqual([await statusOf('staging-shop'), await statusOf('shop')], [200, 404])
  await runJob('production')
  assert.deepEqual([await statusOf('staging-shop'), await statusOf('shop')], [200, 200])

  await writeFile(join(folder, 'flows', 'shop.yaml'), FLOW.replace('type: webhook', 'type: no-such'))
  await assert.rejects(runJob('check'))
  assert.match(await readFile(join(folder, 'plan.json'), 'utf8'), /"file": "shop\.yaml"/)
})
