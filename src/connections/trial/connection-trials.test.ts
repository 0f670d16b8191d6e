import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '../../clock.ts'
import type { Egress } from '../../egress/egress.ts'
import type { Connection } from '../connection.ts'
import { ConnectionOpener } from '../connection-opener.ts'
import { ConnectionResources } from '../connection-resources.ts'
import { ConnectionTrials } from './connection-trials.ts'

const models: Connection = {
  id: 'c1',
  name: 'models',
  kind: 'openai',
  context: '/',
  settings: {},
  secrets: {},
  isTrusted: false,
  revision: 1,
  createdAt: 0,
  updatedAt: 0
}

/** One where every call is answered by this, with a clock whose timers go off when told to. */
function trialsOf(request: Egress['request']) {
  const timers: (() => void)[] = []
  const clock = {
    ...systemClock(),
    startTimer: (_ms: number, then: () => void) => {
      timers.push(then)
      return { stop: () => {} }
    }
  }
  const library = {
    visible: () => models,
    visibleNames: () => [],
    openSecrets: () => ({ api_key: 'canary-0123456789' })
  }
  const egress = { request } as Egress
  const resources = new ConnectionResources(clock, () => {})
  const accessToken = async () => 'unused'
  const opener = new ConnectionOpener({
    library,
    egress,
    resources,
    accessToken,
    paces: { turn: async () => {} }
  })
  const tryDatabase = async () => 'sound'
  return { trials: new ConnectionTrials({ opener, clock, tryDatabase, tryMailServer: tryDatabase }), timers }
}

describe('a trial', () => {
  it('ends when its time is over, and so does its call', async () => {
    const called = Promise.withResolvers<AbortSignal>()
    const { trials, timers } = trialsOf((_url, { signal }) => {
      called.resolve(signal as AbortSignal)
      return new Promise(() => {})
    })
    const trial = trials.try(models)
    const signal = await called.promise
    for (const goOff of timers) goOff()
    assert.partialDeepStrictEqual(await trial, {
      ok: false,
      message:
        'api.openai.com, port 443 did not answer within 10 s. Check host and port, and any firewall in between.'
    })
    assert.equal(signal.aborted, true)
  })

  it('goes to the provider’s own address, with the key, where the connection names none', async () => {
    let sent: unknown
    const { trials } = trialsOf((url, { headers }) => {
      sent = { url: url.href, headers }
      throw new Error('It says canary-0123456789')
    })
    const { ok, message } = await trials.try(models)
    assert.partialDeepStrictEqual(sent, {
      url: 'https://api.openai.com/v1/models',
      headers: { authorization: 'Bearer canary-0123456789' }
    })
    assert.deepEqual([ok, message], [false, 'The call to api.openai.com, port 443 failed: It says •••'])
  })
})
