import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import {
  type MisbehavingOptions,
  type MisbehavingServer,
  startMisbehavingServer
} from '../../../test/support/misbehaving-server.ts'
import { readAllowRule } from '../../egress/allow-list.ts'
import { Caller } from '../../egress/caller.ts'
import { Egress } from '../../egress/egress.ts'
import { StepError } from '../../engine/step-error.ts'
import type { JsonValue, OpenConnection, Step } from '../../plugin-api.ts'
import { runStepInTurns, type StepOptions } from '../step.test-kit.ts'
import { apiRequest } from './api-request.ts'

interface Outputs {
  readonly body: unknown
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly url: string
    readonly body: unknown
    readonly pages?: number
  }
}

/** Steps of API Request that really call a server, through a guard that lets them reach it. */
interface Calls {
  readonly server: MisbehavingServer
  /** What one attempt leaves for the next. */
  readonly carried: { values: JsonValue[] }
  /** A path is one of the server. */
  ask(fields: StepOptions['fields'], data?: unknown, variables?: StepOptions['variables']): Promise<Outputs>
  failure(fields: StepOptions['fields'], data?: unknown): Promise<StepError>
  /** What `/echo` got. */
  echoed(fields: StepOptions['fields'], data?: unknown): Promise<Echo>
}

interface Echo {
  readonly method: string
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export async function startCalls(
  t: TestContext,
  options: MisbehavingOptions = {},
  files?: Step['files']
): Promise<Calls> {
  const server = await startMisbehavingServer(options)
  const egress = new Egress({ allow: [readAllowRule(new URL(server.origin).host)] })
  t.after(async () => {
    await egress.close()
    await server.stop()
  })
  const { signal } = new AbortController()
  const callerAt = (base?: URL) =>
    new Caller(egress, {
      ...(base && { base }),
      trustedFor: () => null,
      headersFor: (_url, headers) => headers,
      signal
    })
  const connection: Step['connection'] = (name) =>
    ({ name, kind: 'http', request: callerAt(new URL(`${server.origin}/v1`)).request }) as OpenConnection
  const carried: Calls['carried'] = { values: [] }
  const ask: Calls['ask'] = async (fields = {}, data, variables = {}) => {
    const { url = '/echo', connection: named } = fields
    const isPath = named === undefined && String(url).startsWith('/')
    const { outputs } = await runStepInTurns(apiRequest, {
      fields: { ...fields, url: isPath ? server.url(String(url)) : url },
      inputs: { data },
      variables,
      send: callerAt().request,
      connection,
      ...(files && { files }),
      carried: {
        earlier: async () => [...carried.values],
        add: async (value, isFirst) => {
          carried.values = isFirst ? [value] : [...carried.values, value]
        }
      }
    })
    return outputs as unknown as Outputs
  }
  return {
    server,
    carried,
    ask,
    failure: async (fields, data) => {
      try {
        await ask(fields, data)
      } catch (error) {
        assert.ok(error instanceof StepError, String(error))
        return error
      }
      return assert.fail('the step did not fail')
    },
    echoed: async (fields, data) => (await ask(fields, data)).body as Echo
  }
}
