import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import packageJson from '../package.json' with { type: 'json' }
import { readConfig } from '../src/startup/config.ts'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { copiedPaths, execForm, readDockerfile, textsOf } from './support/dockerfile.ts'
import { ROOT, temporaryFolder } from './support/stage.ts'

/** Docker itself is not run here: what can be checked without it is, with the very words of the files. */
const dockerfile = readDockerfile(await readFile(join(ROOT, 'Dockerfile'), 'utf8'))

interface ComposeService {
  readonly profiles: string[]
  readonly environment: Record<string, string>
  readonly ports?: string[]
  readonly volumes?: string[]
  readonly stop_grace_period?: string
}

const compose = parse(await readFile(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true }) as {
  services: Record<string, ComposeService>
  volumes: Record<string, unknown>
}

describe('the Dockerfile', () => {
  it('is based on the pinned Node, in every stage', () => {
    for (const text of textsOf(dockerfile, 'FROM')) {
      assert.ok(text.startsWith(`node:${packageJson.dependencies.node}-`), text)
    }
    assert.ok(textsOf(dockerfile, 'RUN').some((text) => text.startsWith('npm ci --omit=dev')))
  })

  it('runs as somebody who is not root, with variables that Millrace knows', () => {
    const names = dockerfile.map(({ name }) => name)
    assert.deepEqual(textsOf(dockerfile, 'USER'), ['node'])
    assert.ok(names.indexOf('USER') < names.indexOf('ENTRYPOINT'))
    const { host, port, home } = readConfig(imageEnvironment(), () => '')
    assert.deepEqual({ host, port }, { host: '0.0.0.0', port: 7860 })
    assert.deepEqual(textsOf(dockerfile, 'EXPOSE'), [String(port)])
    assert.deepEqual(textsOf(dockerfile, 'VOLUME'), [home])
    assert.deepEqual(textsOf(dockerfile, 'STOPSIGNAL'), ['SIGTERM'])
  })

  it('takes along all that its command needs: it starts, is healthy, and stops', async (t) => {
    const folder = await imageFolder(t)
    const [program, file, ...rest] = [...words('ENTRYPOINT'), ...words('CMD')]
    assert.deepEqual([program, file, rest], ['node', packageJson.bin.millrace, ['start']])
    const { stdout } = await promisify(execFile)(process.execPath, [file!, '--version'], { cwd: folder })
    assert.equal(stdout.trim(), packageJson.version)

    const service = await spawnService(t, {
      file: relative(ROOT, join(folder, file!)),
      cwd: folder,
      env: { MILLRACE_API_KEY: CHILD_KEY }
    })
    const address = await service.ready()
    assert.equal(await health(address), 0)
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
    assert.equal(await health(address), 1)
  })
})

describe('the compose file', () => {
  const ours = Object.entries(compose.services).filter(([name]) => name !== 'postgres')

  it('sets variables that Millrace knows, to values that it takes', () => {
    const configs = ours.map(
      ([name, { environment }]) => [name, readConfig(inContainer(environment), () => '')] as const
    )
    assert.deepEqual(
      configs.map(([name, { role, database }]) => [name, role, database?.url ?? null]),
      [
        ['millrace', 'all', null],
        ['web', 'web', 'postgres://millrace:pass@postgres:5432/millrace'],
        ['worker', 'worker', 'postgres://millrace:pass@postgres:5432/millrace']
      ]
    )
    for (const [, { port, host }] of configs) assert.deepEqual([port, host], [7860, '0.0.0.0'])
  })

  it('names the database as the server makes it', () => {
    const { environment } = compose.services.postgres!
    const { username, hostname, pathname } = new URL(
      readConfig(inContainer(compose.services.web!.environment), () => '').database!.url
    )
    assert.deepEqual(
      [username, hostname, pathname],
      [environment.POSTGRES_USER, 'postgres', `/${environment.POSTGRES_DB}`]
    )
  })

  it('publishes the port on this machine only, keeps the data in volumes and gives time to stop', () => {
    for (const [name, service] of ours) {
      const expected = name === 'worker' ? undefined : ['127.0.0.1:7860:7860']
      assert.deepEqual(service.ports, expected, name)
      assert.ok(Number.parseInt(service.stop_grace_period!, 10) > 10, `${name} needs 10 s to stop`)
    }
    const [home] = textsOf(dockerfile, 'VOLUME')
    assert.deepEqual(compose.services.millrace!.volumes, [`millrace:${home}`])
    const used = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((at) => at.split(':')[0])
    )
    assert.deepEqual(used.sort(), Object.keys(compose.volumes).sort())
  })
})

function words(name: 'ENTRYPOINT' | 'CMD'): string[] {
  return execForm(textsOf(dockerfile, name)[0]!)
}

function imageEnvironment(): Record<string, string> {
  const pairs = textsOf(dockerfile, 'ENV').flatMap((text) => text.split(/\s+/))
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
}

/** The image's variables and the service's, with what compose fills in. */
function inContainer(environment: Record<string, string>): Record<string, string> {
  const given: Record<string, string> = { POSTGRES_PASSWORD: 'pass', MILLRACE_API_KEY: CHILD_KEY }
  const filled = Object.entries(environment).map(([name, value]) => {
    return [name, value.replaceAll(/\$\{(\w+):[^}]*\}/g, (_, variable: string) => given[variable]!)]
  })
  return { ...imageEnvironment(), ...Object.fromEntries(filled) }
}

/** A folder with what the image holds of this repository, and the packages that are installed here. */
async function imageFolder(t: TestContext): Promise<string> {
  const folder = join(await temporaryFolder(t), 'millrace')
  for (const path of copiedPaths(dockerfile)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    const isKept = (from: string) => !/\.test(?:-kit)?\.ts$|\/web\/dist/.test(from)
    await cp(join(ROOT, path), join(folder, path), { recursive: true, filter: isKept })
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** What the HEALTHCHECK ends with, for a service at this address. */
async function health(address: string): Promise<number> {
  const [program, ...args] = execForm(textsOf(dockerfile, 'HEALTHCHECK')[0]!)
  assert.equal(program, 'node')
  const env = { ...process.env, PORT: new URL(address).port }
  return promisify(execFile)(process.execPath, args, { env }).then(
    () => 0,
    (error: { code: number }) => error.code
  )
}
