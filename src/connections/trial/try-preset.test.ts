import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { IncomingAnswer, OpenConnection, OutgoingRequest } from '../../flows/step/step-connection.ts'
import { presetOf } from '../presets/presets.ts'
import { tryPreset } from './try-preset.ts'

function connectionThat(status: number, said: string) {
  const asked: [url: unknown, request: OutgoingRequest | undefined][] = []
  const request = async (url: unknown, sent?: OutgoingRequest): Promise<IncomingAnswer> => {
    asked.push([url, sent])
    async function* body() {
      yield Buffer.from(said)
    }
    return {
      status,
      headers: {},
      url: 'https://a.example',
      body: body(),
      readEvery: () => {},
      discard: async () => {}
    }
  }
  return { asked, connection: { request } as unknown as OpenConnection }
}

describe('a connection that a preset made', () => {
  const tried = (id: string, status: number, said: string) =>
    tryPreset(connectionThat(status, said).connection, presetOf(id)!)

  it('is tried by the request of the preset', async () => {
    const { asked, connection } = connectionThat(200, '{"data":{"viewer":{"id":"1"}}}')
    assert.match(await tryPreset(connection, presetOf('linear')!), /^Linear answered 200 to POST \/graphql/)
    assert.equal(asked[0]![0], '/graphql')
    assert.partialDeepStrictEqual(asked[0]![1], { method: 'POST', body: '{"query":"{ viewer { id } }"}' })
  })

  it('is told by what the service says, where it answers 200 to everything', async () => {
    assert.match(await tried('slack', 200, '{"ok":true}'), /takes the sign-in/)
    await assert.rejects(tried('slack', 200, '{"ok":false,"error":"invalid_auth"}'), {
      code: 'connection_refused',
      message: /invalid_auth.*https:\/\/api\.slack\.com\/apps/
    })
    await assert.rejects(tried('monday', 200, '{"data":null}'), { code: 'connection_refused' })
    assert.match(await tried('monday', 200, '{"data":{"me":{"id":"7"}}}'), /takes the sign-in/)
    await assert.rejects(tried('slack', 200, '<html>'), { code: 'connection_refused' })
  })

  it('is refused with what the service said', async () => {
    await assert.rejects(tried('github', 401, '{"message":"Bad credentials"}'), {
      message: /401.*Bad credentials/
    })
    assert.match(await tried('google-sheets', 404, ''), /answered 404/)
    await assert.rejects(tried('google-sheets', 403, ''), { message: /403.*nothing/ })
  })
})
