import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '../../clock.ts'
import type { Egress } from '../../egress/egress.ts'
import { StepError } from '../../engine/step-error.ts'
import type { Connection } from '../connection.ts'
import { ConnectionOpener } from '../connection-opener.ts'
import { ConnectionResources } from '../connection-resources.ts'
import type { KindName } from '../kinds/kinds.ts'
import { ConnectionModels } from './connection-models.ts'

const KEY = 'canary-0123456789'

function connectionOf(kind: KindName, revision = 1): Connection {
  const facts = {
    id: 'c1',
    name: 'models',
    context: '/',
    settings: { base_url: 'https://models.example/v1' }
  }
  return { ...facts, kind, secrets: {}, isTrusted: false, revision, createdAt: 0, updatedAt: 0 }
}

/** A provider that answers every call with this, and a clock that goes on when told to. */
function stage(kind: KindName, answer: () => unknown, assertUsable = () => {}) {
  let connection = connectionOf(kind)
  let now = 0
  const timers: (() => void)[] = []
  const asked: string[] = []
  const clock = {
    ...systemClock(),
    now: () => now,
    startTimer: (_ms: number, then: () => void) => {
      timers.push(then)
      return { stop: () => {} }
    }
  }
  const request = async (url: URL) => {
    asked.push(url.href)
    const body = answer()
    return {
      status: 200,
      headers: {},
      url: url.href,
      body: (async function* () {
        yield Buffer.from(typeof body === 'string' ? body : JSON.stringify(await body))
      })(),
      readEvery: () => {},
      discard: async () => {}
    }
  }
  const library = {
    visible: () => connection,
    visibleNames: () => [],
    openSecrets: () => ({ api_key: KEY })
  }
  const opener = new ConnectionOpener({
    library,
    egress: { request } as unknown as Egress,
    resources: new ConnectionResources(clock, () => {}),
    accessToken: async () => 'unused',
    paces: { turn: async () => {} }
  })
  const models = new ConnectionModels({ opener, clock, kinds: [kind], assertUsable })
  return {
    list: async () =>
      (await models.list('/', 'models')).filter(({ writesText }) => writesText).map(({ name }) => name),
    asked,
    goOn: (ms: number) => {
      now += ms
    },
    change: () => {
      connection = connectionOf(kind, 2)
    },
    runOutOfTime: () => {
      for (const goOff of timers) goOff()
    }
  }
}

describe('the models of a connection', () => {
  it('are asked for once a minute, and anew when the connection has changed', async () => {
    const { list, asked, goOn, change } = stage('openai', () => ({ data: [{ id: 'gpt-5' }] }))
    for (const ms of [0, 1, 59_998]) {
      goOn(ms)
      assert.deepEqual(await list(), ['gpt-5'])
    }
    assert.equal(asked.length, 1)
    goOn(1)
    await list()
    assert.equal(asked.length, 2)
    change()
    await list()
    assert.deepEqual(asked, Array(3).fill('https://models.example/v1/models'))
  })

  it('are those that write text, the newest first, and named as a node names them', async () => {
    const old = { id: 'gpt-4o', created: 1 }
    const other = ['text-embedding-3-small', 'whisper-1', 'gpt-image-1', 'gpt-4o-realtime'].map((id) => ({
      id
    }))
    const openai = stage('openai', () => ({ data: [...other, old, { id: 'gpt-5', created: 2 }, old] }))
    assert.deepEqual(await openai.list(), ['gpt-5', 'gpt-4o'])
    const google = stage('google', () => ({
      models: [
        { name: 'models/gemini-3-pro', supportedGenerationMethods: ['generateContent'] },
        { name: 'models/embeds', supportedGenerationMethods: ['embedContent'] }
      ]
    }))
    assert.deepEqual(await google.list(), ['gemini-3-pro'])
    assert.match(google.asked[0]!, /pageSize=1000$/)
    const anthropic = stage('anthropic', () => ({ data: [{ id: 'claude-b' }, { id: 'claude-a' }] }))
    assert.deepEqual(await anthropic.list(), ['claude-b', 'claude-a'])
    assert.match(anthropic.asked[0]!, /limit=1000$/)
    const bare = stage('openai-compatible', () => [
      { id: 'whisper-chat' },
      { id: '' },
      7,
      { id: 'a'.repeat(301) }
    ])
    assert.deepEqual(await bare.list(), ['whisper-chat'])
  })

  it('are not told where they cannot be had, nor is the key', async () => {
    const cases: [answer: () => unknown, message: RegExp][] = [
      [() => '<html>', /not a list of models/],
      [() => ({ data: {} }), /not a list of models/],
      [() => 'x'.repeat(5 * 1024 * 1024), /longer than 4 MB/],
      [() => Promise.reject(new Error(`It says ${KEY}`)), /It says •••$/]
    ]
    for (const [answer, message] of cases) {
      const { list, asked } = stage('openai-compatible', answer)
      await assert.rejects(list(), { code: 'models_unreadable', message })
      await assert.rejects(list(), { code: 'models_unreadable' })
      assert.equal(asked.length, 2, 'a failure is not kept')
    }
    assert.deepEqual(await stage('openai', () => ({ data: [{ id: `my-${KEY}` }] })).list(), ['my-•••'])
  })

  it('are waited for only so long', async () => {
    const called = Promise.withResolvers<void>()
    const { list, runOutOfTime } = stage('anthropic', () => {
      called.resolve()
      return new Promise(() => {})
    })
    const listed = list()
    await called.promise
    runOutOfTime()
    await assert.rejects(listed, { code: 'models_unreadable', message: /did not answer within 10 s/ })
  })

  it('are not asked for where this service could not use them, and the reason is told', async () => {
    const { list, asked } = stage(
      'openai',
      () => ({}),
      () => {
        throw new StepError('Run "npm install".', { code: 'model_package_missing' })
      }
    )
    await assert.rejects(list(), { code: 'models_unreadable', message: 'Run "npm install".' })
    assert.deepEqual(asked, [])
  })
})
