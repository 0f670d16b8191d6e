import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import packageJson from '../package.json' with { type: 'json' }
import {
  environmentOf,
  execForm,
  readCopy,
  readDockerfile,
  stagesOf,
  textsOf
} from '../scripts/container/dockerfile.mjs'
import { isIgnored } from '../scripts/container/ignored.mjs'
import { publishedPackageJson } from '../scripts/package/package-json.mjs'
import { readConfig } from '../src/startup/config.ts'
import { ROOT } from './support/stage.ts'

// Docker itself is not run here. What these files say is compared with the code; `npm run check:container` also builds
// the image in a folder and starts its command.
const dockerfile = readDockerfile(await readFile(join(ROOT, 'Dockerfile'), 'utf8'))
const ignore = await readFile(join(ROOT, '.dockerignore'), 'utf8')
const image = stagesOf(dockerfile).at(-1)!.instructions
const KEY = 'child-key-0123456789abcdef'

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
    for (const { base } of stagesOf(dockerfile)) {
      assert.ok(base.startsWith(`node:${packageJson.dependencies.node}-`), base)
    }
  })

  it('copies what is there, and is not left out', () => {
    const stages = stagesOf(dockerfile).map(({ name }) => name)
    for (const { from, paths } of textsOf(dockerfile, 'COPY').map(readCopy)) {
      if (from !== undefined) assert.ok(stages.includes(from), from)
      else for (const path of paths) assert.ok(existsSync(join(ROOT, path)) && !isIgnored(ignore, path), path)
    }
  })

  it('runs commands and files that exist', () => {
    const script = textsOf(dockerfile, 'RUN').join('\n')
    const commands = [...script.matchAll(/npm run (\S+)/g)].map(([, name]) => name!)
    assert.deepEqual(commands, ['package'])
    for (const name of commands) assert.ok(name in packageJson.scripts, name)
    const files = [...script.matchAll(/node (\S+\.mjs)/g)].map(([, path]) => path!)
    for (const path of files) assert.ok(existsSync(join(ROOT, path)) && !isIgnored(ignore, path), path)
  })

  it('starts the command of the package, not by npm, as somebody who is not root', () => {
    const { name, bin } = publishedPackageJson(packageJson, new Set())
    const [program, file, ...rest] = [...words('ENTRYPOINT'), ...words('CMD')]
    assert.deepEqual([program, file, rest], ['node', `node_modules/${name}/${bin.millrace}`, ['start']])
    const names = image.map((instruction) => instruction.name)
    assert.deepEqual(textsOf(image, 'USER'), ['node'])
    assert.ok(names.indexOf('USER') < names.indexOf('ENTRYPOINT'))
  })

  it('sets variables that Millrace knows', () => {
    const { host, port, home } = readConfig(environmentOf(image), () => '')
    assert.deepEqual({ host, port }, { host: '0.0.0.0', port: 7860 })
    assert.deepEqual(textsOf(image, 'EXPOSE'), [String(port)])
    assert.deepEqual(textsOf(image, 'VOLUME'), [home])
    assert.deepEqual(textsOf(image, 'STOPSIGNAL'), ['SIGTERM'])
    assert.match(words('HEALTHCHECK').join(' '), /\$\{process\.env\.PORT\}\/readyz/)
  })

  it('takes what the package is made of, and no tests', () => {
    const kept = [
      'src/millrace.ts',
      'web/src/main.tsx',
      'src/cli/template/gitignore',
      'SECURITY.md',
      'docs/extending.md',
      '.npmrc'
    ]
    for (const path of kept) assert.equal(isIgnored(ignore, path), false, path)
    const left = [
      '.git',
      'node_modules/fastify/package.json',
      'web/dist/index.html',
      'src/clock.test.ts',
      'out'
    ]
    for (const path of left) assert.equal(isIgnored(ignore, path), true, path)
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

  it('lets an operator say the key of secrets, the public address and the proxy, alike in every process', () => {
    for (const [name, { environment }] of ours) {
      for (const variable of [
        'MILLRACE_SECRET_KEY',
        'MILLRACE_PUBLIC_URL',
        'MILLRACE_ALLOWED_HOSTS',
        'MILLRACE_TRUST_PROXY'
      ]) {
        assert.equal(environment[variable], `\${${variable}:-}`, `${name}: ${variable}`)
      }
    }
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
    const [home] = textsOf(image, 'VOLUME')
    assert.deepEqual(compose.services.millrace!.volumes, [`millrace:${home}`])
    const used = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((at) => at.split(':')[0])
    )
    assert.deepEqual(used.sort(), Object.keys(compose.volumes).sort())
  })
})

function words(name: 'ENTRYPOINT' | 'CMD' | 'HEALTHCHECK'): string[] {
  return execForm(textsOf(image, name)[0]!)
}

/** The image's variables and the service's, with what compose fills in. */
function inContainer(environment: Record<string, string>): Record<string, string> {
  const given: Record<string, string> = { POSTGRES_PASSWORD: 'pass', MILLRACE_API_KEY: KEY }
  const filled = Object.entries(environment).map(([name, value]) => {
    return [name, value.replaceAll(/\$\{(\w+):[^}]*\}/g, (_, variable: string) => given[variable] ?? '')]
  })
  return { ...environmentOf(image), ...Object.fromEntries(filled) }
}
