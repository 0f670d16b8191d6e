import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { problems } from '../src/errors.ts'
import { readConfig } from '../src/startup/config.ts'
import { allOperations } from './support/routes.ts'
import { ROOT, serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

function read(file: string): string {
  return readFileSync(join(ROOT, 'examples/operations', file), 'utf8')
}

describe('files for operators', () => {
  it('ask Prometheus for metrics that Millrace has, in alerts and on the board', async (t) => {
    const service = await shared(t)
    const metrics = (await service.get('/metrics')).text
    const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
    const asked = `${read('alerts.yml')}${read('grafana.json')}`.match(
      /\b(?:millrace|nodejs|process)_[a-z0-9_]+/g
    )!
    assert.ok(asked.length > 20)
    for (const name of asked) assert.ok(known.has(name.replace(/_bucket$/, '')), name)
    for (const [, reason] of read('alerts.yml').matchAll(/reason="(\w+)"/g))
      assert.ok(reason! in problems, reason)
  })

  it('set variables that Millrace knows, to values that it takes', () => {
    const unit = Object.fromEntries(
      [...read('millrace.service').matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [
        name,
        value
      ])
    )
    assert.equal(readConfig(unit, () => 'a key of the credentials').home, '%S/millrace')
    const objects = parseAllDocuments(read('kubernetes.yaml')).map(
      (document) => document.toJS() as Kubernetes
    )
    const { data } = objects.find(({ kind }) => kind === 'ConfigMap')!
    const deployments = objects.filter(({ kind }) => kind === 'Deployment')
    const secrets = { DATABASE_URL: 'postgres://a:b@c/d', MILLRACE_API_KEY: 'a key of the secret' }
    const roles = deployments.map(({ spec }) => {
      const { env, ports } = spec!.template.spec.containers[0]!
      const own = Object.fromEntries(env.map(({ name, value }) => [name, value]))
      const { role, publicUrl, port } = readConfig({ ...data, ...secrets, ...own, PORT: '7860' }, () => '')
      assert.deepEqual([publicUrl, port], ['https://flows.example.com', ports[0]!.containerPort])
      return role
    })
    assert.deepEqual(roles, ['web', 'worker'])
  })

  it('do not hold back streams of events', async (t) => {
    const service = await shared(t)
    const streams = (await allOperations(service))
      .map(({ path }) => path)
      .filter((path) => path.endsWith('/events'))
    const [, pattern] = /location ~ (\S+) \{\n[^}]*proxy_buffering off/.exec(read('nginx.conf'))!
    assert.ok(streams.length >= 2)
    for (const path of streams) assert.match(path.replaceAll(/\{\w+\}/g, 'orders'), new RegExp(pattern!))
  })
})

interface Kubernetes {
  readonly kind: string
  readonly data?: Record<string, string>
  readonly spec?: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly env: readonly { readonly name: string; readonly value: string }[]
          readonly ports: readonly { readonly containerPort: number }[]
        }[]
      }
    }
  }
}
