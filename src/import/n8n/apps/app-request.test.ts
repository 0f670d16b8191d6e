import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PRESETS } from '../../../connections/presets/presets.ts'
import { toEnd } from '../../read-to-end.test-kit.ts'
import { n8nWorkflow } from '../n8n.test-kit.ts'
import { APPS, PRESET_OF } from './apps.ts'

type Fields = Record<string, unknown>

/** The fields of the request that a node of a service becomes. */
function requestOf(type: string, parameters: object, id = 'app'): Fields {
  const file = n8nWorkflow(
    'Apps',
    [
      { name: 'Start', type: 'manualTrigger' },
      { name: 'App', type, version: 2, parameters: { ...parameters } }
    ],
    [['Start', 'App']]
  )
  const [flow] = toEnd(file).flows
  const node = (flow!.document.nodes as { id: string; type: string; fields: Fields }[]).find(
    (each) => each.id === id
  )
  return node!.fields
}

describe('the node of a service', () => {
  it('becomes the request that n8n sends, by the connection of the preset', () => {
    const fields = requestOf('telegram', {
      chatId: '={{ $json.message.chat.id }}',
      text: '=Hello {{ $json.name }}',
      additionalFields: { parse_mode: 'HTML', disable_notification: true }
    })
    assert.deepEqual(fields, {
      connection: 'telegram',
      method: 'POST',
      url: '/sendMessage',
      body: {
        parse_mode: 'HTML',
        chat_id: '{message.chat.id?}',
        disable_notification: true,
        text: 'Hello {name?}'
      }
    })
  })

  it('says where n8n adds a line of its own to a message', () => {
    const noted = (type: string, version: number, parameters: object) => {
      const node = { name: 'App', type, version, parameters: { ...parameters } }
      const file = n8nWorkflow('Lines', [{ name: 'Start', type: 'manualTrigger' }, node], [['Start', 'App']])
      const { verdict, note } = toEnd(file).flows[0]!.nodes.find(({ title }) => title === 'App')!
      return [verdict, note]
    }
    const said = ['adapted', 'The line "sent with n8n" is left out.']
    const telegram = { chatId: '1', text: 'Hi' }
    assert.deepEqual(noted('telegram', 1.2, telegram), said)
    assert.deepEqual(noted('telegram', 1, telegram), ['exact', ''])
    const quiet = { ...telegram, additionalFields: { appendAttribution: false } }
    assert.deepEqual(noted('telegram', 1.2, quiet), ['exact', ''])
    const slack = { select: 'channel', channelId: { __rl: true, mode: 'id', value: 'C1' }, text: 'Hi' }
    assert.deepEqual(noted('slack', 2.2, slack), said)
    assert.deepEqual(noted('slack', 2, slack), ['exact', ''])
  })

  it('writes and deletes those rows of Supabase that its filter names, and none where it names none', () => {
    const condition = (keyName: string, keyValue: unknown) => ({ keyName, condition: 'eq', keyValue })
    const rows = (operation: string, more: object) =>
      requestOf('supabase', { operation, tableId: 'orders', ...more })
    const [one, other] = [condition('id', '={{ $json.id }}'), condition('state', 'open')]
    assert.deepEqual(rows('delete', { filters: { conditions: [one] } }).query, { id: 'eq.{id?}' })
    assert.deepEqual(rows('delete', { filters: { conditions: [one, other] } }).query, {
      or: '(id.eq.{id?},state.eq.open)'
    })
    const both = { matchType: 'allFilters', filters: { conditions: [one, other] } }
    assert.deepEqual(rows('update', both).query, { id: 'eq.{id?}', state: 'eq.open' })
    const written = { filterType: 'string', filterString: '=id=eq.{{ $json.id }}' }
    for (const operation of ['delete', 'update', 'getAll'])
      assert.equal(rows(operation, written).url, '/orders?id=eq.{id:raw?}', operation)
    for (const nothing of [
      {},
      { filterType: 'none' },
      { filterType: 'string' },
      { filters: { conditions: [] } }
    ])
      for (const operation of ['delete', 'update']) assert.equal(rows(operation, nothing).method, undefined)
  })

  it('takes the operation that n8n takes where nobody chose', () => {
    assert.equal(
      requestOf('slack', { channelId: { __rl: true, value: 'C1' }, text: 'Hi' }).url,
      '/chat.postMessage'
    )
    assert.equal(requestOf('gmail', { sendTo: 'a@b.example' }).url, '/users/me/messages/send')
  })

  it('reads the id out of an address that was pasted', () => {
    const base = {
      __rl: true,
      mode: 'url',
      value: 'https://airtable.com/appAbCdEfGhIjKlMn/tblAbCdEfGhIjKlMn'
    }
    const fields = requestOf('airtable', {
      operation: 'search',
      base,
      table: base,
      filterByFormula: "={Name} = '{{ $json.name }}'"
    })
    assert.equal(fields.url, '/appAbCdEfGhIjKlMn/tblAbCdEfGhIjKlMn')
    assert.deepEqual(fields.query, { filterByFormula: "{{Name}} = '{name?}'" })
  })

  it('reads what is there before it writes a row by the names of the first one', () => {
    const sheet = {
      operation: 'append',
      documentId: { __rl: true, value: 'doc1' },
      sheetName: { __rl: true, mode: 'list', value: 'gid=0', cachedResultName: 'My rows' },
      columns: { mappingMode: 'defineBelow', value: { Name: '={{ $json.name }}' } }
    }
    assert.equal(requestOf('googleSheets', sheet, 'app-read').url, '/spreadsheets/doc1/values/My%20rows!1:1')
    const written = requestOf('googleSheets', sheet)
    assert.equal(written.url, '/spreadsheets/doc1/values/My%20rows:append?valueInputOption=USER_ENTERED')
    assert.equal(written.body, '{$nodes.app-body.result}')
  })

  it('names presets that there are', () => {
    const known = new Set(PRESETS.map(({ id }) => id))
    const named = [...Object.values(APPS).map(({ preset }) => preset), ...Object.values(PRESET_OF)]
    assert.deepEqual(
      named.filter((preset) => preset && !known.has(preset)),
      []
    )
  })
})
