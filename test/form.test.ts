import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Answer, type ApiClient, problemOf, type RunBody } from './support/api-client.ts'
import { makeContext, startWith } from './support/contexts.ts'
import { createHost } from './support/host.ts'
import { guarded } from './support/host-guard.ts'
import { type Service, serviceOfFile, startService } from './support/service.ts'

const serviceFor = serviceOfFile()

const at = { position: { x: 0, y: 0 } }

const CONTACT = {
  title: 'Write <us>',
  thanks: 'Thank you, {name}.',
  fields: [
    { name: 'name', label: 'Name', type: 'text', required: true },
    { name: 'email', label: 'Email', type: 'email', required: true, help: 'We answer there.' },
    { name: 'amount', label: 'Amount', type: 'number' },
    { name: 'size', label: 'Size', type: 'choice', choices: ['Small', 'Large'] },
    { name: 'news', label: 'News', type: 'checkbox' }
  ]
}

/** A flow with a form that says its data; with a Webhook too, to tell the two ways in apart. */
const withForm = (fields: object = CONTACT, context = '/') => ({
  name: 'Contact',
  context,
  nodes: [
    { id: 'form-1', type: 'form', ...at, fields },
    { id: 'webhook-1', type: 'webhook', ...at, fields: { auth: 'None' } },
    { id: 'parser-1', type: 'parser', ...at, fields: { mode: 'Stringify' } },
    { id: 'parser-2', type: 'parser', ...at, fields: { mode: 'Stringify' } }
  ],
  edges: [
    { from: 'form-1.data', to: 'parser-1.data' },
    { from: 'webhook-1.data', to: 'parser-2.data' }
  ]
})

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const PROGRAM = { accept: 'application/json' }

/** As a browser without scripts sends it. */
function submit(
  service: ApiClient,
  slug: string,
  answers: Record<string, string>,
  headers: object = BROWSER
) {
  return service.request('POST', `/form/${slug}`, {
    body: Buffer.from(new URLSearchParams(answers).toString()),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    key: null
  })
}

function open(service: ApiClient, path: string): Promise<Answer> {
  return service.request('GET', `/form/${path}`, { headers: BROWSER, key: null })
}

const keyIn = ({ text }: Answer) => /name="_key" value="([^"]+)"/.exec(text)![1]!

async function runsOf(service: ApiClient, flow: string): Promise<RunBody[]> {
  const { runs } = (await service.get(`/api/v1/runs?flow_id=${flow}`)).json<{ runs: RunBody[] }>()
  return Promise.all(runs.map(({ id }) => service.waitForRun(id)))
}

const ADA = {
  name: 'Ada',
  email: 'ada@example.com',
  amount: '12345678901234567890',
  size: 'Large',
  news: 'true'
}

describe('a form', () => {
  it('is a page for anyone that runs and loads nothing of others, and may stand in a frame', async (t) => {
    const service = await serviceFor(t)
    const { slug, id } = await service.createFlow(withForm())
    const page = await open(service, `${slug}?name=%22%3E%3Cscript%3E&news=true&_key=x`)
    assert.equal(page.status, 200)
    assert.match(page.text, /<h1>Write &#60;us&#62;<\/h1>/)
    assert.match(page.text, /name="name" required value="&#34;&#62;&#60;script&#62;"/)
    assert.match(page.text, /type="checkbox" value="true" id="field-5" name="news" checked/)
    assert.match(page.text, /type="email" inputmode="email" autocomplete="email"/)
    assert.ok(keyIn(page).length > 20)
    const policy = page.headers.get('content-security-policy')!
    assert.match(
      policy,
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors \*$/
    )
    const script = /<script src="([^"]+)" defer>/.exec(page.text)![1]!
    const loaded = await service.request('GET', script, { key: null })
    assert.equal(loaded.status, 200)
    assert.match(loaded.headers.get('content-type')!, /javascript/)
    assert.equal((await open(service, id)).status, 200)
    assert.equal((await service.request('HEAD', `/form/${slug}`, { key: null })).status, 200)
  })

  it('starts the flow at its node with values of their types, and thanks', async (t) => {
    const service = await serviceFor(t)
    const { slug, id } = await service.createFlow(withForm())
    const page = await submit(
      service,
      `${slug}?utm=mail`,
      { ...ADA, name: '<b>Ada</b>', other: 'x' },
      { ...BROWSER, cookie: 'millrace_session=secret' }
    )
    assert.equal(page.status, 200)
    assert.match(page.text, /Thank you, &#60;b&#62;Ada&#60;\/b&#62;\./)
    const [run] = await runsOf(service, id)
    assert.equal(run!.trigger, 'form')
    assert.equal(run!.status, 'succeeded')
    const output = run!.steps.find(({ node }) => node === 'parser-1')!.outputs!.parsed_text as string
    assert.match(output, /"amount": 12345678901234567890,\n {2}"size": "Large",\n {2}"news": true\n/)
    assert.equal(run!.steps.find(({ node }) => node === 'parser-2')!.status, 'skipped')
    assert.deepEqual(run!.request!.query, { utm: 'mail' })
    assert.ok(!JSON.stringify(run).includes('secret'))
    const byWebhook = await service.run(slug, '{"name":"Bob"}')
    assert.equal(byWebhook.steps.find(({ node }) => node === 'parser-1')!.status, 'skipped')
    const replayed = await service.post(`/api/v1/runs/${run!.id}/replay`, {})
    const again = await service.waitForRun(replayed.json<{ run_id: string }>().run_id)
    assert.deepEqual([again.trigger, again.input], ['form', run!.input])
  })

  it('thanks with the run that it has started', async (t) => {
    const service = await serviceFor(t)
    const thanks = '{name}: {$flow.slug} {$run.id} {$now:yyyy}'
    const { slug, id } = await service.createFlow(withForm({ ...CONTACT, thanks }))
    const page = await submit(service, slug, ADA)
    const [run] = await runsOf(service, id)
    assert.ok(page.text.includes(`Ada: ${slug} ${run!.id} 20`), page.text)
  })

  it('takes a double click, and a page that is loaded again, once; and what was changed since, too', async (t) => {
    const service = await serviceFor(t)
    const { slug, id } = await service.createFlow(withForm())
    const _key = keyIn(await open(service, slug))
    const pages = await Promise.all([1, 2, 3].map(() => submit(service, slug, { ...ADA, _key })))
    for (const { status, text } of pages)
      assert.deepEqual([status, text.includes('Thank you, Ada')], [200, true])
    assert.equal((await runsOf(service, id)).length, 1)
    await submit(service, slug, { ...ADA, _key, name: 'Bob' })
    await submit(service, slug, { ...ADA, _key: keyIn(await open(service, slug)) })
    assert.equal((await runsOf(service, id)).length, 3)
  })

  it('says beside its fields what is wrong, keeps what was written, and starts nothing', async (t) => {
    const service = await serviceFor(t)
    const { slug, id } = await service.createFlow(withForm())
    const page = await submit(service, slug, { ...ADA, name: '', email: 'ada', _key: 'the-same' })
    assert.equal(page.status, 422)
    assert.match(page.text, /2 answers need another look/)
    assert.match(
      page.text,
      /id="field-2" name="email" required aria-describedby="field-2-help field-2-fault" aria-invalid="true" value="ada"/
    )
    assert.match(page.text, /<option value="Large" selected>/)
    assert.equal(keyIn(page), 'the-same')
    assert.equal((await runsOf(service, id)).length, 0)
  })

  it('shows a program that fills in everything what it fell for', async (t) => {
    const service = await serviceFor(t)
    const { slug, id } = await service.createFlow(withForm())
    const page = await submit(service, slug, { ...ADA, _website: 'http://spam.example' })
    assert.equal(page.status, 422)
    assert.match(page.text, /<label for="trap">Leave this empty/)
    assert.equal((await runsOf(service, id)).length, 0)
  })

  it('answers programs as a webhook does', async (t) => {
    const service = await serviceFor(t)
    const { slug } = await service.createFlow(withForm())
    const sent = { key: null, headers: PROGRAM }
    const body = { name: 'Ada', email: 'ada@example.com', news: true, amount: 3 }
    const started = await service.request('POST', `/form/${slug}`, { ...sent, body })
    assert.equal(started.status, 202)
    const { run_id, status } = started.json<{ run_id: string; status: string }>()
    assert.equal(status, 'in progress')
    assert.equal(started.headers.get('location'), `/api/v1/runs/${run_id}`)
    assert.deepEqual((await service.waitForRun(run_id)).input, { ...body, size: null })
    const refused = problemOf(
      await service.request('POST', `/form/${slug}`, { ...sent, body: { name: 7 } }),
      422,
      'payload_invalid'
    )
    assert.deepEqual(
      refused.errors?.map(({ path }) => path),
      ['/name', '/email']
    )
    problemOf(await service.request('GET', '/form/none', sent), 404, 'flow_not_found')
    problemOf(await service.request('POST', `/form/${slug}`, { ...sent, body: [1] }), 422, 'payload_invalid')
    const key = { ...PROGRAM, 'idempotency-key': 'k1' }
    for (const replayed of [null, 'true']) {
      const once = await service.request('POST', `/form/${slug}`, { key: null, headers: key, body })
      assert.equal(once.headers.get('idempotent-replayed'), replayed)
    }
  })

  it('is not there where its flow has none, and closed where its flow refuses', async (t) => {
    const service = await serviceFor(t)
    const { slug, id } = await service.createFlow({
      ...withForm(),
      nodes: withForm().nodes.slice(1),
      edges: []
    })
    const [none, absent] = [await open(service, slug), await open(service, 'absent')]
    assert.deepEqual([none.status, none.text], [404, absent.text])
    assert.match(none.text, /There is no form here/)
    assert.equal((await submit(service, slug, ADA)).status, 404)
    const form = await service.createFlow(withForm())
    await service.post(`/api/v1/flows/${form.id}/pause`, { mode: 'refuse' })
    assert.equal((await open(service, form.slug)).status, 503)
    const page = await submit(service, form.slug, ADA)
    assert.equal(page.status, 503)
    assert.match(page.text, /Nothing was sent/)
    assert.match(page.text, /value="Ada"/)
    assert.equal((await runsOf(service, id)).length, 0)
  })

  it('is refused where its fields make no form', async (t) => {
    const service = await serviceFor(t)
    const fields = { fields: [{ name: 'a', type: 'choice' }], accent: 'red', picture: 'ftp://x' }
    const refused = problemOf(await service.post('/api/v1/flows', withForm(fields)), 422, 'flow_invalid')
    assert.deepEqual(
      refused.errors?.map(({ field }) => field),
      ['fields', 'picture', 'accent']
    )
  })
})

const WITH_FILE = {
  ...CONTACT,
  thanks: 'We have got {cv}.',
  fields: [CONTACT.fields[0]!, { name: 'cv', label: 'CV', type: 'file', required: true }]
}

describe('a form with files', () => {
  /** As a browser without scripts sends it, over the network. */
  async function upload(service: ApiClient, slug: string, parts: Record<string, string | File>) {
    const body = new FormData()
    for (const [name, value] of Object.entries(parts)) body.set(name, value)
    const answer = await fetch(`${service.address}/form/${slug}`, { method: 'POST', body, headers: BROWSER })
    return { status: answer.status, text: await answer.text() }
  }
  const pdf = (bytes: string, name = 'cv.pdf') => new File([bytes], name, { type: 'application/pdf' })
  const storedFiles = async ({ home }: Service) =>
    (await readdir(join(home, 'files'), { recursive: true, withFileTypes: true })).filter((each) =>
      each.isFile()
    )

  it('starts the flow with them once, and keeps nothing of what it does not take', async (t) => {
    const service = await startService(t, { env: { MILLRACE_FILE_LIMIT: '100kb' } })
    const { slug, id } = await service.createFlow(withForm(WITH_FILE))
    const page = await open(service, slug)
    assert.match(page.text, /<form method="post" enctype="multipart\/form-data">/)
    assert.match(page.text, /<input type="file" [^>]*data-limit="102400">/)
    const sent = { _key: keyIn(page), name: 'Ada', cv: pdf('%PDF one'), other: pdf('not asked for') }
    for (let times = 0; times < 2; times++) {
      const { status, text } = await upload(service, slug, sent)
      assert.deepEqual([status, text.includes('We have got cv.pdf.')], [200, true], text)
    }
    const [run, ...more] = await runsOf(service, id)
    assert.deepEqual(more, [])
    const { name, cv } = run!.input as { name: string; cv: Record<string, unknown> }
    assert.equal(name, 'Ada')
    const { file, ...about } = cv
    assert.deepEqual(about, { filename: 'cv.pdf', content_type: 'application/pdf', size: 8 })
    assert.equal((await service.get(`/api/v1/files/${file}`)).text, '%PDF one')
    assert.equal((await service.request('GET', `/api/v1/files/${file}`, { key: null })).status, 401)
    const faulty = await upload(service, slug, { name: '', cv: pdf('%PDF two') })
    assert.equal(faulty.status, 422)
    assert.match(faulty.text, /Choose your files again/)
    assert.equal((await upload(service, slug, { name: 'Ada', cv: pdf('x'.repeat(200_000)) })).status, 413)
    assert.match((await upload(service, slug, { name: 'Ada', cv: '' })).text, /Choose a file/)
    const forged = await submit(service, slug, { name: 'Ada', cv: JSON.stringify(cv) })
    assert.match(forged.text, /Send the file itself/)
    assert.equal((await storedFiles(service)).length, 1)
    const changed = await upload(service, slug, { ...sent, cv: pdf('%PDF two') })
    assert.equal(changed.status, 200)
    assert.equal((await runsOf(service, id)).length, 2)
  })

  it('keeps no file of what one address sends above its limit, and what was written beside it', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(withForm({ ...WITH_FILE, rate_limit: 1 }))
    const first = await upload(service, slug, { name: 'Ada', cv: pdf('%PDF one') })
    const second = await upload(service, slug, { name: 'Ada', cv: pdf('%PDF two') })
    assert.deepEqual([first.status, second.status], [200, 429])
    assert.match(second.text, /sent too often/)
    assert.match(second.text, /value="Ada"/)
    assert.match(second.text, /Choose your files again/)
    assert.equal((await storedFiles(service)).length, 1)
  })

  it('is read after the guards of its context have let it in', async (t) => {
    const service = await startWith(t, {
      'sales.mjs': `export default async function sales (context) {
        context.addHook('preHandler', async (request, reply) => {
          if (request.headers['x-pass'] !== 'yes') return reply.code(401).send('who are you?')
        })
      }`
    })
    const { slug } = await service.createFlow(withForm(WITH_FILE, '/sales'))
    assert.equal((await upload(service, slug, { name: 'Ada', cv: pdf('%PDF one') })).status, 401)
    assert.deepEqual(await storedFiles(service), [])
  })
})

describe('the limit of a form', () => {
  it('leaves room for others when one address sends too much', async (t) => {
    const service = await startService(t, { env: { MILLRACE_TRUST_PROXY: '127.0.0.1' } })
    const { slug, id } = await service.createFlow(withForm({ ...CONTACT, rate_limit: 8 }))
    const from = (address: string) => submit(service, slug, ADA, { ...BROWSER, 'x-forwarded-for': address })
    const statuses = []
    for (let sent = 0; sent < 3; sent++) statuses.push((await from('192.0.2.1')).status)
    statuses.push((await from('192.0.2.2')).status)
    assert.deepEqual(statuses, [200, 200, 200, 200], 'who is alone may send more than a quarter')
    const refused = await from('192.0.2.1')
    assert.match(refused.text, /sent too often/)
    assert.match(refused.text, /value="Ada"/, 'what was written is still in it')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    const program = await submit(service, slug, ADA, { ...PROGRAM, 'x-forwarded-for': '192.0.2.1' })
    problemOf(program, 429, 'rate_limited')
    assert.match(program.headers.get('ratelimit') ?? '', /^"flow";r=0;t=\d+$/)
    const long = await submit(
      service,
      slug,
      { name: 'a'.repeat(70_000) },
      { ...BROWSER, 'x-forwarded-for': '192.0.2.1' }
    )
    assert.deepEqual([long.status, long.text.includes('<form')], [429, false], 'so much is not read')
    assert.deepEqual([(await from('192.0.2.2')).status, (await from('192.0.2.2')).status], [200, 429])
    assert.deepEqual([(await from('192.0.2.3')).status, (await from('192.0.2.3')).status], [200, 200])
    assert.equal((await from('192.0.2.4')).status, 200)
    const full = await from('192.0.2.5')
    assert.equal(full.status, 429)
    assert.match(full.text, /value="Ada"/)
    assert.equal((await runsOf(service, id)).length, 8)
  })
})

describe('the limit of a form that one person fills in', () => {
  it('is what it says', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(withForm({ ...CONTACT, rate_limit: 3 }))
    const answers = []
    for (let sent = 0; sent < 4; sent++) answers.push(await submit(service, slug, ADA, PROGRAM))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202, 202, 429]
    )
    assert.match(answers[3]!.headers.get('ratelimit') ?? '', /r=0/)
  })
})

describe('a form in a context', () => {
  it('stands behind the guards of the context, however its address is written', async (t) => {
    const service = await startWith(t, {
      'sales.mjs': `export default async function sales (context) {
        context.addHook('preHandler', async (request, reply) => {
          reply.header('x-guarded', request.method)
          if (request.headers['x-pass'] !== 'yes') return reply.code(401).header('www-authenticate', 'Basic').send('who are you?')
        })
      }`
    })
    await makeContext(service, '/sales/eu')
    for (const context of ['/sales', '/sales/eu']) {
      const { slug, id } = await service.createFlow(withForm(CONTACT, context))
      for (const path of [
        slug,
        id,
        `${slug}?a=1`,
        encodeURIComponent(slug).replace(/^./, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
      ]) {
        const closed = await open(service, path)
        assert.deepEqual([closed.status, closed.text], [401, 'who are you?'], path)
        assert.equal(closed.headers.get('www-authenticate'), 'Basic')
        assert.equal((await submit(service, path, ADA)).status, 401)
      }
      const written = await service.request('GET', `/f%6frm/${slug}`, { headers: BROWSER, key: null })
      assert.equal(written.status, 401)
      assert.equal((await runsOf(service, id)).length, 0)
      const passed = await submit(service, slug, ADA, { ...BROWSER, 'x-pass': 'yes' })
      assert.deepEqual([passed.status, passed.headers.get('x-guarded')], [200, 'POST'])
      assert.equal((await runsOf(service, id)).length, 1)
    }
    const { slug } = await service.createFlow(withForm())
    assert.equal((await open(service, slug)).status, 200)
  })

  it('is served below the prefix of an application, and behind its guards there', async (t) => {
    const client = await (await createHost(t, { plugins: [guarded] })).listen()
    const closed = await client.createFlow(withForm(CONTACT, '/guarded'))
    assert.equal((await open(client, closed.slug)).status, 401)
    assert.equal((await submit(client, closed.id, ADA)).status, 401)
    assert.equal((await submit(client, closed.slug, ADA, { ...BROWSER, 'x-pass': 'yes' })).status, 200)
    const { slug } = await client.createFlow(withForm())
    const page = await open(client, slug)
    assert.equal(page.status, 200)
    assert.match(page.text, /<script src="\/flows\/form\/-\/form\.js\?/)
    assert.equal((await submit(client, slug, ADA)).status, 200)
  })
})
