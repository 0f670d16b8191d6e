import type { Become, Part } from '../become.ts'
import { textOf } from '../values.ts'
import { Settings } from './apps/settings.ts'
import { everyOf } from './every.ts'
import { several } from './mapping.ts'
import type { N8nNode } from './n8n-node.ts'
import type { Writer } from './writer.ts'

/** A service that calls when something happens. */
interface Calls {
  /** Told by a signature of this scheme; without one anybody may call who knows the address. */
  readonly scheme?: string
  readonly handshake?: string
  /** What n8n makes of a call: an expression of JavaScript over `data` and `request`; the body where this is left out. */
  readonly item?: string
  readonly note: string
}

const AT_THE_SERVICE = 'Write the address of this flow into the webhooks of the service.'
const WHOLE = '{ body: data, headers: request.headers ?? {}, query: request.query ?? {} }'
/** Answers by the titles of their questions. */
const TYPEFORM = `Object.fromEntries((data.form_response?.answers ?? []).map((answer) => {
  const asked = data.form_response.definition?.fields?.find(({ id }) => id === answer.field?.id)
  const given = answer[answer.type]
  return [asked?.title ?? answer.field?.ref, given?.label ?? given?.labels ?? given]
}))`

const CALLED_BY: Readonly<Record<string, Calls>> = {
  telegramTrigger: { note: 'Tell Telegram the address of this flow once: POST /setWebhook with {"url"}.' },
  slackTrigger: { scheme: 'Slack', handshake: 'Slack', item: 'data.event ?? data', note: AT_THE_SERVICE },
  whatsAppTrigger: {
    handshake: 'Meta',
    item: 'data.entry?.[0]?.changes?.[0]?.value ?? data',
    note: AT_THE_SERVICE
  },
  facebookTrigger: { handshake: 'Meta', item: 'data.entry?.[0] ?? data', note: AT_THE_SERVICE },
  githubTrigger: { scheme: 'GitHub', item: WHOLE, note: AT_THE_SERVICE },
  gitlabTrigger: { item: WHOLE, note: AT_THE_SERVICE },
  stripeTrigger: { scheme: 'Stripe', note: AT_THE_SERVICE },
  shopifyTrigger: { scheme: 'Shopify', note: AT_THE_SERVICE },
  twilioTrigger: { scheme: 'Twilio', note: AT_THE_SERVICE },
  typeformTrigger: { item: TYPEFORM, note: AT_THE_SERVICE },
  jiraTrigger: { note: AT_THE_SERVICE },
  hubspotTrigger: { note: AT_THE_SERVICE },
  calendlyTrigger: { note: AT_THE_SERVICE },
  calTrigger: { item: 'data.payload ?? data', note: AT_THE_SERVICE },
  linearTrigger: { note: AT_THE_SERVICE },
  asanaTrigger: { note: AT_THE_SERVICE },
  trelloTrigger: { note: AT_THE_SERVICE },
  clickUpTrigger: { note: AT_THE_SERVICE },
  pipedriveTrigger: { note: AT_THE_SERVICE },
  mailchimpTrigger: { note: AT_THE_SERVICE },
  wooCommerceTrigger: { note: AT_THE_SERVICE },
  intercomTrigger: { note: AT_THE_SERVICE },
  zendeskTrigger: { note: AT_THE_SERVICE },
  jotFormTrigger: { note: AT_THE_SERVICE },
  surveyMonkeyTrigger: { note: AT_THE_SERVICE },
  todoistTrigger: { note: AT_THE_SERVICE },
  stravaTrigger: { handshake: 'Meta', note: AT_THE_SERVICE },
  lemlistTrigger: { note: AT_THE_SERVICE },
  netlifyTrigger: { note: AT_THE_SERVICE },
  payPalTrigger: { note: AT_THE_SERVICE }
}

/** A service of which a list is looked at again and again. */
interface Watched {
  readonly preset: string
  readonly url: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly asked?: (settings: Settings) => Readonly<Record<string, unknown>>
  readonly items: string
  /** Which of them are the same, also by the event that is waited for. */
  readonly key: string | ((event: string) => string)
  /** Of what is found the whole is fetched: its address. */
  readonly whole?: string
  readonly item?: string
}

const WATCHED: Readonly<Record<string, Watched>> = {
  gmailTrigger: {
    preset: 'gmail',
    url: '/users/me/messages',
    query: { q: '@filters.q', labelIds: '@filters.labelIds', maxResults: 50 },
    items: 'messages',
    key: '{id}',
    whole: '/users/me/messages/{id}?format=full',
    item: `({ ...data, ...Object.fromEntries((data.payload?.headers ?? []).map(({ name, value }) => [['From', 'To', 'Subject'].includes(name) ? name : name.toLowerCase(), value])) })`
  },
  googleDriveTrigger: {
    preset: 'google-drive',
    url: '/files',
    query: {
      orderBy: 'modifiedTime desc',
      fields: 'files(id,name,mimeType,createdTime,modifiedTime,webViewLink,parents)',
      pageSize: 50
    },
    asked: driveQuery,
    items: 'files',
    key: (event) => (/Updated$/.test(event) ? '{id} {modifiedTime?}' : '{id}')
  },
  googleCalendarTrigger: {
    preset: 'google-calendar',
    url: '/calendars/{@calendarId}/events',
    query: { orderBy: 'updated', singleEvents: true, maxResults: 50 },
    items: 'items',
    key: '{id}{updated?}'
  },
  microsoftOutlookTrigger: {
    preset: 'microsoft-graph',
    url: '/me/messages',
    query: { $top: 50, $orderby: 'receivedDateTime desc' },
    items: 'value',
    key: '{id}'
  },
  airtableTrigger: {
    preset: 'airtable',
    url: '/{@baseId}/{@tableId}',
    items: 'records',
    key: '{id}'
  }
}

/** The trigger of a service: it calls a Webhook, or a list of it is watched. */
export function appTrigger(node: N8nNode, write: Writer): Become | undefined {
  const calls = own(CALLED_BY, node.type)
  if (calls !== undefined) return called(calls, write)
  const watched = own(WATCHED, node.type)
  return watched && watch(watched, node, write)
}

function called({ scheme, handshake, item, note }: Calls, write: Writer): Become {
  const needsSecret = scheme !== undefined || handshake === 'Meta'
  const fields = {
    ...(scheme === undefined ? { auth: 'None' } : { auth: 'Signature', signature_scheme: scheme }),
    ...(handshake !== undefined && { handshake }),
    ...(needsSecret && { connection: write.connection('webhook') })
  }
  const main: Part = { type: 'webhook', fields }
  if (item === undefined) return several({ main }, write, { gives: 'data' }, [], note)
  const code = `const request = nodes["\u{e003}"].request ?? {}\nreturn ${item.startsWith('{') ? `(${item})` : item}`
  const shown: Part = { type: 'code', title: 'As n8n gives it', fields: { code } }
  return several({ main, item: shown }, write, { gives: 'result' }, [['main.data', 'item.data']], note)
}

/** What lies in the folder, or the file itself. */
function driveQuery(settings: Settings): Readonly<Record<string, unknown>> {
  const { write } = settings
  const quoted = (value: unknown) => write.template(value).replaceAll("'", "\\'")
  const folder = settings.raw('folderToWatch')
  const event = textOf(settings.node.params.event)
  if (textOf(settings.node.params.triggerOn) === 'specificFile') {
    write.tell('It looks at all files: let a Filter let that one pass.')
    return {}
  }
  const isFolder = /^folder/.test(event) || /^watchFolder/.test(event)
  const terms = [
    ...(folder === undefined ? [] : [`'${quoted(folder)}' in parents`]),
    ...(isFolder ? ["mimeType = 'application/vnd.google-apps.folder'"] : []),
    'trashed = false'
  ]
  return { q: terms.join(' and ') }
}

function watch(watched: Watched, node: N8nNode, write: Writer): Become {
  const settings = new Settings(node, write)
  const connection = write.connection('http', watched.preset, watched.preset)
  const event = textOf(node.params.event)
  const asked = watched.asked?.(settings) ?? {}
  const query = { ...(settings.given(watched.query ?? {}) as object), ...asked }
  const main: Part = {
    type: 'watch',
    fields: {
      every: everyOf(node),
      connection,
      url: settings.address(watched.url),
      ...(Object.keys(query).length > 0 && { query }),
      items: watched.items,
      key: typeof watched.key === 'string' ? watched.key : watched.key(event)
    }
  }
  write.tell(
    `Each is taken once, by what "key" says${event === '' ? '' : `; there it was for ${event}`}: look at the query.`
  )
  if (watched.whole === undefined) return several({ main }, write, { gives: 'data' })
  const whole: Part = {
    type: 'api-request',
    title: 'The whole of it',
    fields: { connection, method: 'GET', url: watched.whole }
  }
  const item: Part = {
    type: 'code',
    title: 'As n8n gives it',
    fields: { code: `return ${watched.item}` }
  }
  return several({ main, whole, item }, write, { gives: 'result' }, [
    ['main.data', 'whole.data'],
    ['whole.body', 'item.data']
  ])
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
