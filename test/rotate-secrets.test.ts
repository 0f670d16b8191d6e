import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { examine, reportOf } from '../src/cli/doctor.ts'
import { rotateSecrets } from '../src/cli/rotate-secrets.ts'
import { readConfig } from '../src/startup/config.ts'
import { SHOP } from './support/connections.ts'
import { makeContext } from './support/contexts.ts'
import { runMillrace } from './support/millrace-command.ts'
import { sharedPostgres } from './support/postgres.ts'
import { type Service, startService } from './support/service.ts'

const postgres = sharedPostgres()

interface Made {
  readonly id: string
}

async function make(service: Service, body: object = SHOP): Promise<string> {
  const made = await service.request('POST', '/api/v1/connections', { body })
  assert.equal(made.status, 201, made.text)
  return made.json<Made>().id
}

/** A secret is sealed with its context, so a connection that moves has to be opened. */
async function assertOpens(service: Service, id: string, context: string): Promise<void> {
  const body = { ...SHOP, name: id, context, secrets: {} }
  const moved = await service.request('PUT', `/api/v1/connections/${id}`, { body })
  assert.equal(moved.status, 200, moved.text)
}

async function diagnosis(env: Record<string, string>): Promise<string> {
  const configuration = () => readConfig(env, () => '')
  const findings = await examine({ configuration, node: process.versions.node, now: Date.now })
  return reportOf(findings.filter(({ check }) => check === 'secrets'))
}

describe('millrace rotate-secrets', () => {
  it('changes the key of the folder while the service runs', async (t) => {
    const service = await startService(t)
    const env = { MILLRACE_HOME: service.home }
    await makeContext(service, '/sales', {})
    const id = await make(service)
    const key = join(service.home, 'secret.key')
    const before = readFileSync(key, 'utf8')
    const { code, stdout, stderr } = await runMillrace(t, ['rotate-secrets'], { env })
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^All secrets are sealed with the key [0-9a-f]{8}; 1 connection /)
    assert.notEqual(readFileSync(key, 'utf8'), before)
    assert.equal(readFileSync(`${key}.old`, 'utf8'), before)
    const id2 = /the key ([0-9a-f]{8})/.exec(stdout)![1]!
    assert.match(
      await diagnosis(env),
      new RegExp(`^ok +secrets +sealed and sound: 1 with the key ${id2}$`, 'm')
    )

    // The service goes on: it opens, changes what was sealed anew behind its back, and seals with the new key.
    await assertOpens(service, id, '/sales')
    const other = await make(service)
    await service.stop()
    const restarted = await startService(t, { home: service.home })
    await assertOpens(restarted, id, '/')
    await assertOpens(restarted, other, '/sales')
  })

  it('is for doctor to ask for, and to tell what no key opens', async (t) => {
    const [older, newer] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    const service = await startService(t, { env: { MILLRACE_SECRET_KEY: older } })
    await make(service)
    const env = { MILLRACE_HOME: service.home }
    const both = { ...env, MILLRACE_SECRET_KEY: `${newer},${older}` }
    assert.match(
      await diagnosis(both),
      /^warning +secrets +sealed and sound: 1 with the key .* rotate-secrets/m
    )
    const missing = await diagnosis({ ...env, MILLRACE_SECRET_KEY: newer })
    assert.match(
      missing,
      /^fault +secrets +"token" of the connection "shop" in \/: it is sealed with the key/m
    )
    assert.match(
      await diagnosis(env),
      /^fault +secrets +1 are sealed with the key [0-9a-f]{8}, and no key is/m
    )
    const config = (variables: Record<string, string>) => readConfig(variables, () => '')
    const refused = await rotateSecrets(config({ ...env, MILLRACE_SECRET_KEY: newer }))
    assert.equal(refused.hasBroken, true)
    assert.match(refused.says, /"token" of the connection "shop" in \/ stays as it is/)
    assert.equal((await rotateSecrets(config(both))).hasBroken, false)
    assert.match(await diagnosis({ ...env, MILLRACE_SECRET_KEY: newer }), /^ok +secrets/m)
  })

  it('seals for all processes that share a database', async (t) => {
    const url = await postgres.database()
    const [older, newer] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    const env = { DATABASE_URL: url, MILLRACE_SECRET_KEY: `${newer},${older}` }
    const first = await startService(t, { env: { ...env, MILLRACE_SECRET_KEY: older } })
    await makeContext(first, '/sales', {})
    const id = await make(first)
    await first.stop()
    const services = [await startService(t, { env }), await startService(t, { env })]
    assert.match(await diagnosis(env), /^warning +secrets/m)
    const { says } = await rotateSecrets(readConfig(env, () => ''))
    assert.match(says, /; 1 connection .*\nTake the other keys out of MILLRACE_SECRET_KEY/s)
    assert.match(await diagnosis({ ...env, MILLRACE_SECRET_KEY: newer }), /^ok +secrets/m)
    await assertOpens(services[0]!, id, '/sales')
    await assertOpens(services[1]!, id, '/')
  })
})
