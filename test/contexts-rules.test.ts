import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type Answer, problemOf } from './support/api-client.ts'
import { contextAt, contextsOf, flowIn, makeContext, type RegistrationBody } from './support/contexts.ts'
import { ROOT, type Service, startService } from './support/service.ts'

/** Which of the names that test/plugins/company.ts registers each context sees. */
const SEES: Readonly<Record<string, readonly string[]>> = {
  '/': ['company'],
  '/sales': ['company', 'sales'],
  '/sales/eu': ['company', 'sales', 'eu'],
  '/support': ['company', 'support'],
  // These two hold data, and are made while the service runs.
  '/sales/eu/west': ['company', 'sales', 'eu'],
  '/plain': ['company']
}
const NAMES = ['company', 'sales', 'eu', 'support']
const HOMES: Readonly<Record<string, string>> = {
  company: '/',
  sales: '/sales',
  eu: '/sales/eu',
  support: '/support'
}

async function company(t: TestContext): Promise<Service> {
  const service = await startService(t, { plugins: ['company.ts'] })
  for (const path of ['/sales/eu/west', '/plain']) await makeContext(service, path)
  return service
}

function words(answer: Answer, header: string): string[] {
  return (answer.headers.get(header) ?? '').split(' ').filter((word) => word !== '')
}

describe('a context sees what is registered on its way to the root, and nothing else', () => {
  it('of components: in the catalogue, and in the flows that can be saved', async (t) => {
    const service = await company(t)
    for (const [path, seen] of Object.entries(SEES)) {
      const answer = await service.get(`/api/v1/components?context=${path}`)
      const { components } = answer.json<{ components: { type: string; context: string; owner: string }[] }>()
      const own = components.filter(({ type }) => type.startsWith('of-'))
      assert.deepEqual(
        own.map(({ type, context }) => [type, context]),
        seen.map((name) => [`of-${name}`, HOMES[name]]),
        path
      )
      for (const name of NAMES) {
        const document = { name: `${path} ${name}`, context: path, nodes: [{ id: 'a', type: `of-${name}` }] }
        const saved = await service.post('/api/v1/flows', document)
        if (seen.includes(name)) assert.equal(saved.status, 201, saved.text)
        else problemOf(saved, 422, 'flow_invalid')
      }
    }
  })

  it('of decorations, variables and run hooks, which stand around a step ancestors first', async (t) => {
    const service = await company(t)
    for (const [path, seen] of Object.entries(SEES)) {
      const flow = await service.createFlow(flowIn(path, { type: 'look' }))
      const run = await service.run(flow.slug)
      assert.equal(run.status, 'succeeded', run.error?.message)
      const { decorations, variables, through } = run.steps[1]!.outputs!.seen as Record<string, unknown>
      assert.deepEqual([decorations, variables, through], [seen, seen, seen], path)
    }
  })

  it('of hooks and request decorators of Fastify, at the webhooks of its flows', async (t) => {
    const service = await company(t)
    for (const [path, seen] of Object.entries(SEES)) {
      const flow = await service.createFlow(flowIn(path))
      const answer = await service.webhook(flow.slug)
      assert.equal(answer.status, 202, answer.text)
      assert.deepEqual(words(answer, 'x-passed'), seen, path)
      assert.deepEqual(words(answer, 'x-decorated'), seen, path)
    }
  })

  it('of hooks and decorators of Fastify, at routes that plugins bring', async (t) => {
    const service = await company(t)
    for (const name of NAMES) {
      const answer = await service.get(`/look/${name}`, { key: null })
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.json(), SEES[HOMES[name]!], name)
      assert.deepEqual(words(answer, 'x-passed'), SEES[HOMES[name]!], name)
    }
    const api = await service.get('/api/v1/flows')
    assert.deepEqual(words(api, 'x-passed'), ['company'], 'the API stands in the root')
  })

  it('as the tree says, of every kind, with where each is inherited from', async (t) => {
    const service = await company(t)
    const contexts = await contextsOf(service)
    assert.deepEqual(
      contexts.map(({ path, parent, kind }) => [path, parent, kind]),
      [
        ['/', null, 'code'],
        ['/plain', '/', 'data'],
        ['/sales', '/', 'code'],
        ['/sales/eu', '/sales', 'code'],
        ['/sales/eu/west', '/sales/eu', 'data'],
        ['/support', '/', 'code']
      ]
    )
    for (const { path, sees } of contexts) {
      for (const kind of ['component', 'decoration', 'variable', 'decorator']) {
        const seen = sees.filter(
          (entry) => entry.kind === kind && /^(?:request\.|reply\.)?of[-_]/.test(entry.name)
        )
        const perName = kind === 'decorator' ? 3 : 1
        assert.equal(seen.length, SEES[path]!.length * perName, `${kind} in ${path}`)
        for (const { name, context, inherited_from } of seen) {
          assert.equal(context, HOMES[name.replace(/^.*of[-_]/, '')])
          assert.equal(inherited_from, context === path ? null : context)
        }
      }
      const hooks = sees.filter(({ kind, name }) => kind === 'hook' && name === 'onStep')
      assert.deepEqual(
        hooks.map(({ owner }) => owner.replace('helpdesk', 'support')),
        SEES[path]
      )
    }
  })
})

describe('every registration remembers', () => {
  /** The method whose call makes each of them. */
  const CALLS: Readonly<Record<string, RegExp>> = {
    component: /context\.component\(/,
    decoration: /context\.decorateRun\(/,
    variable: /context\.variable\(/,
    decorator: /context\.decorate(?:Request|Reply)?\(/,
    hook: /context\.add(?:Run)?Hook\(/,
    route: /context\.get\(/,
    plugin: /context\.register\(/
  }

  it('who made it, in which context and at which line', async (t) => {
    const service = await company(t)
    const lines = (await readFile(join(ROOT, 'test/plugins/company.ts'), 'utf8')).split('\n')
    for (const [path, owner] of [
      ['/sales', 'sales'],
      ['/sales/eu', 'eu'],
      ['/support', 'helpdesk']
    ]) {
      const context = await contextAt(service, path!)
      assert.equal(context.owner, owner)
      assert.match(lineOf(context, lines), CALLS.plugin!)
      assert.deepEqual(
        [...new Set(context.registers.map(({ kind }) => kind))].sort(),
        Object.keys(CALLS).sort()
      )
      for (const registration of context.registers) {
        assert.deepEqual([registration.owner, registration.context], [owner, path])
        assert.match(lineOf(registration, lines), CALLS[registration.kind]!, JSON.stringify(registration))
      }
    }
  })

  it('that Millrace made it, for what it brings itself, and nothing else of that', async (t) => {
    const service = await startService(t)
    const { registers, owner, source } = await contextAt(service, '/')
    assert.deepEqual([owner, source], ['millrace', null])
    assert.ok(registers.length >= 5)
    for (const registration of registers) {
      assert.deepEqual(
        [registration.kind, registration.owner, registration.source],
        ['component', 'millrace', null]
      )
    }
  })

  it('the plugin that was shared, for what it brings to the root, and who asked for it', async (t) => {
    const service = await company(t)
    const { registers } = await contextAt(service, '/')
    const plugin = registers.find(({ kind }) => kind === 'plugin')!
    assert.deepEqual([plugin.name, plugin.source], ['company', 'test/plugins/company.ts'])
    const variable = registers.find(({ kind }) => kind === 'variable')!
    assert.deepEqual([variable.owner, variable.context, variable.value], ['company', '/', 'company'])
  })

  function lineOf({ source }: Pick<RegistrationBody, 'source'>, lines: readonly string[]): string {
    const [, line] = /^test\/plugins\/company\.ts:(\d+)$/.exec(source ?? '') ?? assert.fail(`${source}`)
    return lines[Number(line) - 1]!
  }
})
