import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { n8nWorkflow } from '../src/import/n8n/n8n.test-kit.ts'
import { draftOf, imported } from './support/imported.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

describe('a workflow of n8n', () => {
  const hook = { name: 'Webhook', type: 'webhook', version: 2, parameters: { httpMethod: 'POST' } }
  const request = (name: string, url: string) => ({
    name,
    type: 'httpRequest',
    version: 4.2,
    parameters: { url }
  })
  const code = (name: string, jsCode: string) => ({ name, type: 'code', version: 2, parameters: { jsCode } })

  it('says at a trigger which wire into it was left out', async (t) => {
    const clock = { name: 'Clock', type: 'scheduleTrigger', version: 1.2, parameters: {} }
    const { report } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Into a trigger',
        [hook, request('Get', 'https://a.example/a'), clock],
        [
          ['Webhook', 'Get'],
          ['Get', 'Clock']
        ]
      )
    )
    assert.deepEqual(report.wires, { kept: 1, lost: 1 })
    const { verdict, note } = report.nodes.find((node) => node.node === 'clock')!
    assert.equal(verdict, 'adapted')
    assert.match(note, /^The wire from "Get" was left out, as nothing that stands here takes it/)
  })

  it('reads nothing of a node that does not lead to the one that reads it, and says so', async (t) => {
    const { report, node } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Beside',
        [
          hook,
          code('Beside', 'return [{ json: { path: "a/b" } }]'),
          request('Get', "=https://a.example/{{ $('Beside').item.json.path }}/{{ $json.body.id }}"),
          code('Sum', "return [{ json: { n: $('Beside').first().json.n } }]"),
          request('After', "=https://a.example/{{ $('Sum').item.json.n }}")
        ],
        [
          ['Webhook', 'Beside'],
          ['Webhook', 'Get'],
          ['Get', 'Sum'],
          ['Sum', 'After']
        ]
      )
    )
    assert.equal(node('get')!.fields.url, 'https://a.example//{body.id:raw?}')
    // As it is, as in n8n: what is put into an address may be several parts of a path.
    assert.equal(node('after')!.fields.url, 'https://a.example/{$nodes.sum.result.n:raw?}')
    const told = report.nodes.filter(({ note }) => note.includes('It read "Beside", which does not lead'))
    assert.deepEqual(
      told.map(({ node: id, verdict }) => [id, verdict]),
      [
        ['get', 'adapted'],
        ['sum', 'adapted']
      ]
    )
  })

  it('that asks again until something is there keeps its wire back, for somebody to replace', async (t) => {
    const asked = { leftValue: '={{ $json.state }}', rightValue: 'done' }
    const condition = {
      combinator: 'and',
      conditions: [{ ...asked, operator: { type: 'string', operation: 'equals' } }]
    }
    const { report, draft, node } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Poll',
        [
          hook,
          request('Ask', 'https://a.example/state'),
          { name: 'Done?', type: 'if', version: 2, parameters: { conditions: condition } },
          { name: 'Wait', type: 'wait', version: 1.1, parameters: { amount: 10 } },
          request('Tell', 'https://a.example/done')
        ],
        [
          ['Webhook', 'Ask'],
          ['Ask', 'Done?'],
          ['Done?', 'Tell', 0],
          ['Done?', 'Wait', 1],
          ['Wait', 'Ask']
        ]
      )
    )
    assert.deepEqual(report.wires, { kept: 5, lost: 0 })
    assert.match(String(node('back-to-ask')!.fields.nearest), /^A flow has no circles/)
    assert.deepEqual(
      draft.errors.map(({ code: fault }) => fault),
      ['placeholder_left']
    )
  })

  it('keeps the wires of loops in loops, also where each is in the other', async (t) => {
    const names = Array.from({ length: 12 }, (_, at) => `Loop ${at}`)
    const { report, draft } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Loops',
        names.map((name) => ({ name, type: 'splitInBatches', version: 1 })),
        names.flatMap((name, at) => [
          [name, names[(at + 1) % 12]!, 0] as const,
          [name, names[(at + 7) % 12]!, 1] as const
        ])
      )
    )
    assert.deepEqual(report.wires, { kept: 24, lost: 0 })
    assert.equal(draft.nodes.filter(({ type }) => type === 'for-each').length, 1)
  })

  it('that brings items together, and goes on with each of them too, runs in no circle', async (t) => {
    const { draft } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Out and in',
        [
          hook,
          { name: 'Split', type: 'splitOut', parameters: { fieldToSplitOut: 'body.ids' } },
          request('Each', '=https://a.example/{{ $json.ids }}'),
          { name: 'All', type: 'aggregate', parameters: { aggregate: 'aggregateAllItemData' } },
          request('Then', 'https://a.example/then')
        ],
        [
          ['Webhook', 'Split'],
          ['Split', 'Each'],
          ['Each', 'All'],
          ['Each', 'Then'],
          ['All', 'Then']
        ]
      )
    )
    // No node lies on another one: where they stood they were drawn smaller, and had no parts.
    const places = draft.nodes.filter(({ type }) => type !== 'for-each')
    for (const [at, { id, position }] of places.entries())
      for (const other of places.slice(at + 1)) {
        const [x, y] = [Math.abs(position.x - other.position.x), Math.abs(position.y - other.position.y)]
        assert.ok(x >= 240 || y >= 70, `${id} and ${other.id}: ${x}, ${y}`)
      }
  })

  it('answers with the headers that an answer may have, and asks with those that are written as JSON', async (t) => {
    const entries = [
      { name: 'X-Content-Type-Options', value: 'nosniff' },
      { name: 'X-Mine', value: '={{ $json.a }}' }
    ]
    const json = { sendHeaders: true, specifyHeaders: 'json', jsonHeaders: '={"X-Key": "{{ $json.a }}"}' }
    const { report, node } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Headers',
        [
          hook,
          { ...request('Get', 'https://a.example'), parameters: { url: 'https://a.example', ...json } },
          {
            name: 'Answer',
            type: 'respondToWebhook',
            parameters: { respondWith: 'text', responseBody: 'a', options: { responseHeaders: { entries } } }
          }
        ],
        [
          ['Webhook', 'Get'],
          ['Get', 'Answer']
        ]
      )
    )
    assert.deepEqual(node('get')!.fields.headers, { 'X-Key': '{a?}' })
    assert.deepEqual(node('answer')!.fields.headers, { 'X-Mine': '{a?}' })
    assert.match(report.nodes[2]!.note, /Millrace says these itself: X-Content-Type-Options/)
  })

  it('has nothing that stands for Python, or for a model that is lent to what stands for nothing', async (t) => {
    const python = { language: 'python', pythonCode: 'return [{"json": {"a": 1}}]' }
    const { verdicts } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Python',
        [
          hook,
          { name: 'Python', type: 'code', version: 2, parameters: python },
          { name: 'Odd', type: 'ai:code', parameters: {} },
          { name: 'Model', type: 'ai:lmOpenAi', parameters: {} }
        ],
        [
          ['Webhook', 'Python'],
          ['Python', 'Odd'],
          ['Model', 'Odd', 0, 'ai_languageModel']
        ]
      )
    )
    assert.deepEqual(verdicts, { webhook: 'adapted', python: 'placeholder', odd: 'placeholder' })
  })

  it('is not said to be exact where nothing was made of a setting', async (t) => {
    const telegram = { chatId: '1', text: 'a', replyMarkup: 'inlineKeyboard', additionalFields: {} }
    const { report } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Settings',
        [
          hook,
          { name: 'Say', type: 'telegram', version: 1.2, parameters: telegram },
          {
            ...request('Get', 'https://a.example'),
            parameters: { url: 'https://a.example', options: { proxy: 'p' } }
          },
          { name: 'Nothing', type: 'noOp', parameters: { text: 'a' } }
        ],
        [
          ['Webhook', 'Say'],
          ['Say', 'Get'],
          ['Get', 'Nothing']
        ]
      )
    )
    const [, say, get, nothing] = report.nodes
    assert.match(say!.note, /Of its settings nothing was made of "replyMarkup"\.$/)
    assert.match(get!.note, /nothing was made of "proxy"\.$/)
    assert.deepEqual([say!.verdict, nothing!.verdict], ['adapted', 'exact'])
  })

  it('gives an agent a tool that asks before it writes', async (t) => {
    const sheet = {
      documentId: { __rl: true, mode: 'id', value: 'book' },
      sheetName: { __rl: true, mode: 'name', value: 'S' }
    }
    const columns = { mappingMode: 'defineBelow', value: { name: "={{ $fromAI('name') }}" } }
    const tool = { ...sheet, operation: 'append', columns }
    const file = n8nWorkflow(
      'Tools',
      [
        { name: 'Chat', type: 'ai:chatTrigger', version: 1.1 },
        { name: 'Agent', type: 'ai:agent', version: 1.7 },
        { name: 'Row', type: 'googleSheetsTool', version: 4.5, parameters: tool }
      ],
      [
        ['Chat', 'Agent'],
        ['Row', 'Agent', 0, 'ai_tool']
      ]
    )
    const { draft } = await draftOf(await shared(t), file, 1)
    const requests = draft.nodes.filter(({ type }) => type === 'api-request')
    assert.deepEqual(
      requests.map(({ id }) => id),
      ['call', 'call-read']
    )
  })

  it('starts by the clock of the file, and looks where its triggers look', async (t) => {
    const daily = { rule: { interval: [{ triggerAtHour: 9 }] } }
    const drive = {
      event: 'fileUpdated',
      triggerOn: 'specificFolder',
      folderToWatch: { __rl: true, mode: 'list', value: 'f1' }
    }
    const file = {
      ...n8nWorkflow(
        'Clock',
        [
          { name: 'Daily', type: 'scheduleTrigger', version: 1.2, parameters: daily },
          { name: 'Drive', type: 'googleDriveTrigger', parameters: drive }
        ],
        []
      ),
      settings: { timezone: 'Europe/Berlin' }
    }
    const { node, verdicts } = await draftOf(await shared(t), file)
    assert.deepEqual(node('daily')!.fields, { cron: '0 9 * * *', timezone: 'Europe/Berlin' })
    assert.equal(verdicts.daily, 'exact')
    const { query, key } = node('drive')!.fields as { query: { q: string }; key: string }
    assert.deepEqual([query.q, key], ["'f1' in parents and trashed = false", '{id} {modifiedTime?}'])
    const [elsewhere] = (await imported(await shared(t), { ...file, settings: {} })).flows
    assert.match(elsewhere!.nodes[0]!.note, /^It counts by UTC/)
  })
})
