import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiClient, type FlowBody, problemOf, type RunBody } from './support/api-client.ts'
import { lifetimeOfFile } from './support/clean-up.ts'
import { makeContext } from './support/contexts.ts'
import { eventually } from './support/eventually.ts'
import { startEmbeddingProvider } from './support/model-provider/embedding-provider.ts'
import { MODEL_KEY } from './support/model-provider/model-provider.ts'
import { serviceOfFile } from './support/service.ts'

const life = lifetimeOfFile()
const ofFile = serviceOfFile()
const shared = () => ofFile(life)

interface Collection {
  readonly id: string
  readonly name: string
  readonly count: number
  readonly chunks: number
  readonly pending?: number
}

interface Match {
  readonly id: string
  readonly text: string
  readonly score: number
  readonly metadata: unknown
}

let lastName = 0

async function makeCollection(service: ApiClient, given: object = {}): Promise<Collection> {
  lastName++
  const made = await service.post('/api/v1/collections', { name: `texts ${lastName}`, ...given })
  assert.equal(made.status, 201, made.text)
  return made.json<Collection>()
}

const readCollection = async (service: ApiClient, { id }: Collection) =>
  (await service.get(`/api/v1/collections/${id}`)).json<Collection>()

/** Webhook → Knowledge Write or Search → Return of the first output. */
function makeFlow(service: ApiClient, type: string, fields: object, context = '/'): Promise<FlowBody> {
  return service.createFlow({
    name: type,
    context,
    nodes: [
      { id: 'w', type: 'webhook' },
      { id: 'k', type, fields, retry: { attempts: 1 } },
      { id: 'r', type: 'return' }
    ],
    edges: [
      { from: 'w.data', to: 'k.data' },
      { from: `k.${type === 'knowledge-write' ? 'result' : 'matches'}`, to: 'r.data' }
    ]
  })
}

type Ended = RunBody & { readonly output: unknown }

async function run(service: ApiClient, flow: FlowBody, body: unknown): Promise<Ended> {
  return (await service.run(flow.id, JSON.stringify(body))) as Ended
}

async function done(service: ApiClient, flow: FlowBody, body: unknown): Promise<unknown> {
  const { status, error, output } = await run(service, flow, body)
  assert.equal(status, 'succeeded', error?.message)
  return output
}

async function refused(
  service: ApiClient,
  type: string,
  fields: object,
  body: unknown = {}
): Promise<string> {
  const { status, error } = await run(service, await makeFlow(service, type, fields), body)
  assert.equal(status, 'failed')
  return `${error!.code}: ${error!.message}`
}

const idsOf = (found: unknown) => (found as Match[]).map(({ id }) => id)

async function connect(service: ApiClient, name: string, kind: string, base_url: string): Promise<void> {
  const body = { name, kind, settings: { base_url }, secrets: { api_key: MODEL_KEY } }
  const made = await service.post('/api/v1/connections', body)
  assert.equal(made.status, 201, made.text)
}

describe('a collection', () => {
  it('is made, read, changed and deleted', async () => {
    const service = await shared()
    const made = await service.post('/api/v1/collections', { name: 'Bücher & mehr' })
    assert.equal(made.status, 201)
    const collection = made.json<Collection>()
    assert.equal(made.headers.get('location'), `/api/v1/collections/${collection.id}`)
    assert.partialDeepStrictEqual(collection, {
      name: 'Bücher & mehr',
      context: '/',
      connection: null,
      model: null,
      count: 0
    })
    const path = `/api/v1/collections/${collection.id}`
    const list = (await service.get('/api/v1/collections')).json<{ collections: Collection[] }>()
    assert.deepEqual(
      list.collections.find(({ id }) => id === collection.id),
      collection
    )
    problemOf(await service.post('/api/v1/collections', { name: 'Bücher & mehr' }), 409, 'collection_exists')
    const renamed = await service.request('PUT', path, { body: { name: 'Bücher' } })
    assert.equal(renamed.json<Collection>().name, 'Bücher')
    assert.equal((await service.request('DELETE', path)).status, 204)
    problemOf(await service.get(path), 404, 'collection_not_found')
    problemOf(await service.request('DELETE', path), 404, 'collection_not_found')
    await makeCollection(service, { name: 'Bücher' })
  })

  it('is refused in words where its name, context, connection or model cannot be', async () => {
    const service = await shared()
    const post = (body: object) => service.post('/api/v1/collections', body)
    problemOf(await post({ name: ' x' }), 422, 'invalid_request')
    problemOf(await post({}), 422, 'invalid_request')
    problemOf(await post({ name: 'x', context: '/nowhere' }), 404, 'context_not_found')
    problemOf(await post({ name: 'x', connection: 'nobody', model: 'm' }), 404, 'connection_not_found')
    problemOf(await post({ name: 'x', model: 'm' }), 422, 'collection_invalid')
    await service.post('/api/v1/connections', {
      name: 'a shop',
      kind: 'http',
      settings: { base_url: 'https://shop.example' }
    })
    problemOf(await post({ name: 'x', connection: 'a shop', model: 'm' }), 422, 'collection_invalid')
  })

  it('is seen from its context and those below, and the nearest of a name is meant', async () => {
    const service = await shared()
    const library = await makeContext(service, '/library')
    await makeContext(service, '/archive')
    const own = await makeCollection(service, { name: 'shelf', context: '/library' })
    const above = await makeCollection(service, { name: 'shelf' })
    const fields = { collection: 'shelf', id: '{id}', text: '{text}' }
    await done(service, await makeFlow(service, 'knowledge-write', fields, '/library'), {
      id: 1,
      text: 'near'
    })
    await done(service, await makeFlow(service, 'knowledge-write', fields, '/archive'), {
      id: 2,
      text: 'far'
    })
    assert.equal((await readCollection(service, own)).count, 1)
    assert.equal((await readCollection(service, above)).count, 1)
    const hidden = { collection: 'deep', query: 'x' }
    await makeCollection(service, { name: 'deep', context: '/archive' })
    assert.match(
      await refused(service, 'knowledge-search', hidden),
      /^collection_not_found: .*The context "\/" sees no collection "deep"/
    )
    const { key } = await service.createKey({ rights: ['read', 'write'], context: '/library' })
    const bound = new ApiClient(life, service.address, key)
    const listed = (await bound.get('/api/v1/collections')).json<{ collections: Collection[] }>()
    assert.deepEqual(
      listed.collections.map(({ id }) => id),
      [own.id]
    )
    problemOf(await bound.get(`/api/v1/collections/${above.id}`), 404, 'collection_not_found')
    problemOf(await bound.post('/api/v1/collections', { name: 'mine' }), 403, 'forbidden')
    const address = `/api/v1/contexts/${encodeURIComponent(library.path)}`
    problemOf(await service.request('DELETE', address), 409, 'context_in_use')
  })
})

describe('Knowledge Write and Knowledge Search, by words', () => {
  it('find what was written, with its metadata, the best first', async () => {
    const service = await shared()
    const collection = await makeCollection(service)
    const { name } = collection
    const write = await makeFlow(service, 'knowledge-write', {
      collection: name,
      id: '{id}',
      text: '{text}',
      metadata: { topic: '{topic}', pages: '{pages?}' }
    })
    const texts = [
      { id: 'lamp', topic: 'light', text: 'The lamp has a switch on its cord.', pages: 7 },
      { id: 'switch', topic: 'power', text: 'A switch. Press the switch to switch it on.' },
      { id: 'chair', topic: 'seat', text: 'The chair can be folded.' }
    ]
    for (const text of texts) assert.deepEqual(await done(service, write, text), { id: text.id, chunks: 1 })
    assert.equal((await readCollection(service, collection)).count, 3)
    const search = await makeFlow(service, 'knowledge-search', { collection: name, query: '{q}' })
    const found = (await done(service, search, { q: 'Where is the SWITCH?' })) as Match[]
    assert.deepEqual(idsOf(found).slice(0, 2), ['switch', 'lamp'])
    assert.deepEqual(found[0], {
      id: 'switch',
      text: 'A switch. Press the switch to switch it on.',
      score: found[0]!.score,
      metadata: { topic: 'power' }
    })
    assert.ok(found[0]!.score > found[1]!.score && found[0]!.score <= 1)
    const lights = { collection: name, query: '{q}', filter: { topic: ['light', 'seat'] }, limit: 1 }
    assert.deepEqual(
      idsOf(await done(service, await makeFlow(service, 'knowledge-search', lights), { q: 'switch' })),
      ['lamp']
    )
    const run_ = await run(service, search, { q: 'folded chairs' })
    assert.equal((run_.steps[1]!.outputs as { text: string }).text, 'The chair can be folded.')
  })

  it('writing an id again replaces its text, and the same text without an id is there once', async () => {
    const service = await shared()
    const collection = await makeCollection(service)
    const fields = { collection: collection.name, id: '{id?}', text: '{text}', chunk: 60, overlap: 10 }
    const write = await makeFlow(service, 'knowledge-write', fields)
    const long = 'One sentence about apples. Another one about pears. A third about plums and nuts.'
    const written = (await done(service, write, { id: 'fruit', text: long })) as { chunks: number }
    assert.equal(written.chunks, 2)
    await done(service, write, { id: 'fruit', text: 'Only cherries.' })
    for (let time = 0; time < 2; time++) await done(service, write, { text: 'Nameless berries.' })
    assert.partialDeepStrictEqual(await readCollection(service, collection), { count: 2, chunks: 2 })
    const search = await makeFlow(service, 'knowledge-search', { collection: collection.name })
    assert.deepEqual(await done(service, search, 'apples pears plums'), [])
    assert.deepEqual(idsOf(await done(service, search, 'cherries')), ['fruit'])
    assert.equal(((await done(service, search, 'berries')) as Match[]).length, 1)
  })

  it('stand any question, in any script', async () => {
    const service = await shared()
    const collection = await makeCollection(service)
    const path = `/api/v1/collections/${collection.id}`
    const texts = {
      ja: '東京都の天気は晴れです。',
      zh: '我们在北京吃了烤鸭。',
      th: 'ฉันชอบกินข้าวผัดกับไข่',
      ru: 'Съешь ещё этих мягких французских булок',
      ar: 'مرحبا بالعالم الجميل',
      de: 'Die Straßenbahn fährt über die Brücke',
      emoji: '👩‍👩‍👧 family of three 🎉'
    }
    for (const [id, text] of Object.entries(texts))
      assert.equal((await service.post(`${path}/texts`, { id, text })).status, 200)
    const ask = async (query: string) => {
      const answer = await service.post(`${path}/search`, { query })
      assert.equal(answer.status, 200, answer.text)
      return idsOf(answer.json<{ matches: Match[] }>().matches)
    }
    const questions: [query: string, id: string][] = [
      ['天気', 'ja'],
      ['北京烤鸭', 'zh'],
      ['ข้าวผัด', 'th'],
      ['БУЛОК', 'ru'],
      ['الجميل', 'ar'],
      ['strassenbahnen', 'de'],
      ['BRUCKE', 'de'],
      ['family', 'emoji']
    ]
    for (const [query, id] of questions) assert.equal((await ask(query))[0], id, query)
    const nasty = [
      '',
      '   ',
      '"',
      "'",
      'a" OR "b',
      'NEAR(x y)',
      '*',
      'x*',
      '(',
      ')',
      '-',
      ':',
      '^',
      'AND',
      'NOT',
      '%',
      '_'
    ]
    for (const query of [
      ...nasty,
      '\0',
      '\ud800',
      '🎉',
      'a'.repeat(10_000),
      'ab '.repeat(3_000),
      '東'.repeat(10_000)
    ])
      await ask(query)
    problemOf(await service.post(`${path}/search`, { query: 'a'.repeat(10_001) }), 422, 'invalid_request')
  })

  it('tell what is wrong', async () => {
    const service = await shared()
    const { name } = await makeCollection(service)
    assert.match(
      await refused(service, 'knowledge-write', { collection: 'nobody' }, 'x'),
      /^collection_not_found: /
    )
    assert.match(
      await refused(service, 'knowledge-write', { collection: name }, '  '),
      /^knowledge_text_invalid: .*nothing to write/i
    )
    const long = { collection: name, id: '{id}', text: 'x' }
    assert.match(
      await refused(service, 'knowledge-write', long, { id: 'x'.repeat(501) }),
      /^knowledge_text_invalid: .*500 characters/
    )
    const large = { collection: name, text: 'x', metadata: { all: '{all}' } }
    assert.match(
      await refused(service, 'knowledge-write', large, { all: 'x'.repeat(17_000) }),
      /^knowledge_text_invalid: .*metadata/
    )
    assert.match(
      await refused(service, 'knowledge-search', { collection: name, mode: 'Meaning' }, 'x'),
      /^collection_without_model: .*Words/
    )
    assert.match(
      await refused(service, 'knowledge-search', { collection: name, query: '{q}' }, {}),
      /^template_missing_key: /
    )
    const draft = await service.post('/api/v1/flows', {
      name: 'Faulty',
      nodes: [
        {
          id: 'k',
          type: 'knowledge-write',
          fields: { collection: '', chunk: 100, overlap: 100, metadata: [] }
        }
      ],
      edges: []
    })
    const { errors } = problemOf(draft, 422, 'flow_invalid') as unknown as { errors: { field: string }[] }
    assert.deepEqual(errors.map(({ field }) => field).sort(), ['collection', 'metadata', 'overlap'])
  })

  it('let people list, read and delete texts', async () => {
    const service = await shared()
    const path = `/api/v1/collections/${(await makeCollection(service)).id}`
    const text = Array.from({ length: 12 }, (_, place) => `Sentence number ${place} is here.`).join(' ')
    const id = 'https://example.com/a?b=c&d'
    await service.post(`${path}/texts`, { id, text, chunk: 60, overlap: 0, metadata: { n: 1 } })
    for (const other of ['b', 'c']) await service.post(`${path}/texts`, { id: other, text: 'Short.' })
    const first = (await service.get(`${path}/texts?limit=2`)).json<{ texts: Match[]; next: string }>()
    assert.deepEqual([idsOf(first.texts), first.next], [['b', 'c'], 'c'])
    const rest = (await service.get(`${path}/texts?after=c`)).json<{ texts: Match[]; next: null }>()
    assert.deepEqual([idsOf(rest.texts), rest.next], [[id], null])
    const named = `text=${encodeURIComponent(id)}`
    const read = (await service.get(`${path}/chunks?${named}`)).json<{ pieces: { text: string }[] }>()
    assert.equal(read.pieces.map((piece) => piece.text).join(' '), text)
    assert.equal((await service.request('DELETE', `${path}/texts?${named}`)).status, 204)
    problemOf(await service.request('DELETE', `${path}/texts?${named}`), 404, 'knowledge_text_not_found')
    problemOf(await service.get(`${path}/chunks?${named}`), 404, 'knowledge_text_not_found')
    const found = (await service.post(`${path}/search`, { query: 'sentence short' })).json<{
      matches: Match[]
    }>()
    assert.deepEqual(idsOf(found.matches).sort(), ['b', 'c'])
  })
})

describe('Knowledge Write and Knowledge Search, by meaning', () => {
  for (const kind of ['openai', 'google', 'openai-compatible']) {
    it(`find what means the same, with a model of ${kind}`, async () => {
      const service = await shared()
      const provider = await startEmbeddingProvider(life)
      await connect(service, `by ${kind}`, kind, provider.baseUrl(kind))
      const collection = await makeCollection(service, { connection: `by ${kind}`, model: 'small' })
      const { name } = collection
      const write = await makeFlow(service, 'knowledge-write', {
        collection: name,
        id: '{id}',
        text: '{text}'
      })
      const texts = {
        garage: 'My automobile stands in the garage.',
        clinic: 'The physician is away today.',
        winter: 'Frost covers the windows.'
      }
      for (const [id, text] of Object.entries(texts)) await done(service, write, { id, text })
      const search = (mode: string) => makeFlow(service, 'knowledge-search', { collection: name, mode })
      const both = await run(service, await search('Both'), 'Where is the car?')
      assert.deepEqual(idsOf(both.output)[0], 'garage')
      assert.equal((both.output as Match[]).length, 3)
      const { usage } = both.steps[1]!.outputs as { usage: Record<string, unknown> }
      assert.partialDeepStrictEqual(usage, { connection: `by ${kind}`, model: 'small', calls: 1 })
      assert.deepEqual(idsOf(await done(service, await search('Meaning'), 'a doctor'))[0], 'clinic')
      assert.deepEqual(await done(service, await search('Words'), 'car'), [])
      assert.equal(provider.calls.length, 5)
      assert.equal((await readCollection(service, collection)).pending, 0)
    })
  }

  it('ask for many pieces together, and tell what goes wrong', async () => {
    const service = await shared()
    let fails: { readonly status?: number; readonly body: unknown } | undefined
    const provider = await startEmbeddingProvider(life, { answer: () => fails })
    await connect(service, 'many', 'openai', provider.baseUrl('openai'))
    const collection = await makeCollection(service, { connection: 'many', model: 'small' })
    const fields = { collection: collection.name, chunk: 50, overlap: 0 }
    const text = Array.from(
      { length: 200 },
      (_, place) => `This is the sentence with number ${place + 1000}.`
    )
    const { output } = await run(service, await makeFlow(service, 'knowledge-write', fields), text.join(' '))
    assert.equal((output as { chunks: number }).chunks, 200)
    assert.equal(provider.calls.length, Math.ceil(200 / 32))
    fails = { status: 429, body: { error: { message: 'Slow down', type: 'rate_limit_error' } } }
    assert.match(await refused(service, 'knowledge-write', fields, 'x'), /^model_rate_limited: /)
    fails = { body: { data: [{ embedding: [] }] } }
    assert.match(await refused(service, 'knowledge-write', fields, 'x'), /^model_not_for_embeddings: /)
    fails = { body: { data: [] } }
    assert.match(await refused(service, 'knowledge-search', { collection: collection.name }, 'x'), /^model_/)
    const answer = await service.post(`/api/v1/collections/${collection.id}/search`, { query: 'x' })
    problemOf(answer, 503, 'collection_unsearchable')
    assert.equal((await readCollection(service, collection)).count, 1)
  })

  it('give all texts their meaning anew when the model changes, and find them meanwhile', async () => {
    const service = await shared()
    const provider = await startEmbeddingProvider(life)
    await connect(service, 'models', 'openai', provider.baseUrl('openai'))
    const collection = await makeCollection(service)
    const path = `/api/v1/collections/${collection.id}`
    for (let place = 0; place < 30; place++)
      await service.post(`${path}/texts`, { id: `${place}`, text: `The automobile number ${place}.` })
    await service.request('PUT', path, { body: { connection: 'models', model: 'large' } })
    await eventually(async () => (await readCollection(service, collection)).pending, 0)
    const answer = await service.post(`${path}/search`, { query: 'car', mode: 'Meaning' })
    assert.equal(answer.json<{ matches: Match[] }>().matches.length, 5)
    assert.partialDeepStrictEqual(await readCollection(service, collection), { count: 30, chunks: 30 })
    await service.request('PUT', path, { body: { model: null, connection: null } })
    const words = await service.post(`${path}/search`, { query: 'automobiles' })
    assert.equal(words.json<{ matches: Match[] }>().matches.length, 5)
  })
})
