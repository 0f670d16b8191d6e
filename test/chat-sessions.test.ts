import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { chatFlow } from './support/documents.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

interface Listed {
  readonly sessions: readonly {
    session: string
    title: string | null
    messages: number
    summary: string | null
  }[]
  readonly next_cursor: string | null
}

describe('conversations with a flow', () => {
  it('are listed, named, exported and deleted, with the runs behind them', async (t) => {
    const service = await shared(t)
    const { id, slug } = await service.createFlow(chatFlow())
    const path = `/api/v1/flows/${id}/sessions`
    const say = async (text: string, session: string) =>
      (await service.post(`/api/v1/flows/${id}/chat`, { text, session })).json<{ run_id: string }>().run_id
    const runs = [await say('My name is Ann', 'ann'), await say('Hi', 'bob'), await say('Who am I?', 'ann')]
    await Promise.all(runs.map((run) => service.waitForRun(run)))
    const ann = `${path}?session=ann`
    assert.equal((await service.request('PUT', ann, { body: { title: 'Ann of Bremen' } })).status, 204)

    const listed = (await service.get(`${path}?limit=1`)).json<Listed>()
    assert.partialDeepStrictEqual(listed.sessions, [
      { session: 'ann', title: 'Ann of Bremen', messages: 4, summary: null }
    ])
    const older = (await service.get(`${path}?limit=1&cursor=${listed.next_cursor}`)).json<Listed>()
    assert.deepEqual([older.sessions.map(({ session }) => session), older.next_cursor], [['bob'], null])

    const exported = await service.get(`${path}/export?session=ann`)
    assert.match(exported.headers.get('content-disposition')!, /^attachment; filename="/)
    const whole = exported.json<{ flow: string; messages: { text: string }[] }>()
    assert.equal(whole.flow, slug)
    assert.deepEqual(
      whole.messages.map(({ text }) => text),
      ['My name is Ann', 'You said: My name is Ann', 'Who am I?', 'You said: Who am I?']
    )

    const gone = await service.request('DELETE', ann)
    assert.deepEqual(gone.json(), { messages: 4, deleted_runs: 2, kept_runs: [] })
    assert.equal((await service.get(`/api/v1/runs/${runs[0]}`)).status, 404)
    assert.equal((await service.get(`/api/v1/runs/${runs[1]}`)).status, 200)
    assert.doesNotMatch((await service.get(path)).text, /ann|Ann/)
    assert.deepEqual((await service.get(`${path}/export?session=ann`)).json<{ messages: [] }>().messages, [])
  })

  it('stay while one of their runs goes on', async (t) => {
    const service = await shared(t)
    const chat = chatFlow()
    const { id } = await service.createFlow({
      ...chat,
      nodes: [...chat.nodes, { id: 'ask', type: 'approve', fields: { question: 'Go on?' } }],
      edges: [...chat.edges, { from: 'chat-output-1.message', to: 'ask.data' }]
    })
    const { run_id } = (await service.post(`/api/v1/flows/${id}/chat`, { text: 'Hi', session: 'ann' })).json<{
      run_id: string
    }>()
    const events = await service.events(id, { lastEventId: '0.0' })
    await events.until(({ event }) => event === 'run.waiting')
    events.close()
    const refused = await service.request('DELETE', `/api/v1/flows/${id}/sessions?session=ann`)
    assert.match(problemOf(refused, 409, 'session_in_use').detail, new RegExp(run_id))
    await service.post(`/api/v1/runs/${run_id}/cancel`)
    const gone = await service.request('DELETE', `/api/v1/flows/${id}/sessions?session=ann`)
    assert.partialDeepStrictEqual(gone.json(), { deleted_runs: 1 })
  })

  it('are nobody’s who does not see the flow', async (t) => {
    const service = await shared(t)
    const mine = await service.createFlow(chatFlow())
    const other = await service.createFlow(chatFlow())
    const rights = ['read', 'write', 'trigger']
    const { key } = await service.createKey({ rights, flow: other.id })
    const path = `/api/v1/flows/${mine.id}/sessions`
    const calls = [
      service.get(path, { key }),
      service.get(`${path}/export?session=default`, { key }),
      service.request('PUT', `${path}?session=default`, { key, body: { title: 'x' } }),
      service.request('DELETE', `${path}?session=default`, { key })
    ]
    for (const answer of await Promise.all(calls)) assert.equal(answer.status, 404)
  })
})
