import {
  compileTemplate,
  defineComponent,
  type FieldFault,
  isPlainObject,
  type JsonValue,
  pathFault,
  templateTreeFaults
} from '../../plugin-api.ts'
import { assertZone, CronError } from './cron.ts'
import { everyOf } from './every.ts'

const FIRST = ['Skip what is there', 'Take all'] as const

/** Starts a run for each new item of a feed or of a list. The service looks and starts them: see src/triggers. */
export const watch = defineComponent({
  type: 'watch',
  title: 'Watch',
  description: 'Looks at a feed or a list again and again, and starts the flow once for each new item.',
  category: 'Triggers',
  icon: 'search',
  keywords: [
    'rss',
    'atom',
    'feed',
    'poll',
    'polling',
    'new item',
    'new rows',
    'rss feed trigger',
    'check for changes',
    'monitor',
    'subscribe'
  ],
  example: 'Every five minutes: the posts of https://blog.example/feed.xml, a run for each that is new.',
  effects: 'pure',
  trigger: 'watch',
  startedBy: 'service',
  fields: {
    every: {
      kind: 'text',
      title: 'Every',
      help: 'How often to look: a number of s, m, h or d, or a cron such as 0 9 * * 1-5.',
      placeholder: '5m',
      default: '5m'
    },
    timezone: {
      kind: 'text',
      title: 'Time zone',
      help: 'Where the hours of a cron are: Europe/Berlin, America/New_York.',
      placeholder: 'UTC',
      default: 'UTC',
      hidden: true
    },
    connection: {
      kind: 'connection',
      title: 'Connection',
      help: 'The URL is relative to its address; its credentials are sent to that address only.',
      kinds: ['http'],
      optional: true
    },
    url: {
      kind: 'template',
      title: 'URL',
      help: 'Of a feed (RSS or Atom), or of an API that answers a list as JSON. Variables are written {$name}.',
      placeholder: 'https://blog.example/feed.xml'
    },
    query: {
      kind: 'json',
      title: 'Query',
      help: 'An object; a list repeats its parameter for each item.',
      placeholder: '{ "state": "open" }'
    },
    headers: {
      kind: 'json',
      title: 'Headers',
      help: 'An object. Secrets belong in a connection.',
      placeholder: '{ "Accept-Language": "en" }',
      hidden: true
    },
    items: {
      kind: 'text',
      title: 'Items',
      help: 'Where the list is in the answer, such as data.orders. Empty: the answer itself. Feeds need none.',
      placeholder: 'data.orders'
    },
    key: {
      kind: 'template',
      title: 'Key',
      help: 'What tells one item from another: an item whose key was seen before is not new.',
      placeholder: '{id}',
      default: '{id}'
    },
    first: {
      kind: 'choice',
      title: 'At first',
      help: 'Whether what is there when the flow goes live starts runs, too.',
      choices: FIRST,
      default: 'Skip what is there'
    }
  },
  mainFields: ['url'],
  outputs: {
    data: {
      title: 'Data',
      type: 'any',
      help: 'The item. Those of feeds have id, title, link, published and content.'
    }
  },
  check: (fields): FieldFault[] => {
    const { every, timezone, connection, url, items } = fields
    const faults = faultOf('timezone', timezone, () => assertZone(timezone))
    // What a variable says is known when the flow is live.
    const zone = faults.length > 0 || timezone.includes('{$') ? 'UTC' : timezone
    faults.push(...faultOf('every', every, () => everyOf(every, zone, Date.now())))
    if (connection === '' && !/^\s*(?:https?:\/\/|\{)/i.test(url)) {
      const message =
        'Without a connection the URL begins with http:// or https://. Write a whole one, or choose a connection.'
      faults.push({ field: 'url', code: 'url_invalid', message })
    }
    if (/^\s*https?:\/\/[^/?#]*@/i.test(url)) {
      const message = 'It holds a user or a password. Take them out, and keep them in a connection.'
      faults.push({ field: 'url', code: 'url_invalid', message })
    }
    for (const field of ['query', 'headers'] as const) {
      const value = fields[field]
      if (value === null || value === '' || isPlainObject(value)) continue
      faults.push({ field, message: 'It takes an object, such as { "state": "open" }.' })
    }
    for (const field of ['url', 'query', 'headers', 'key'] as const) {
      const wrong = templateTreeFaults(fields[field])
      faults.push(...wrong.map((fault) => ({ field, ...fault })))
      if (wrong.length === 0) faults.push(...tooEarly(field, fields[field]))
      if (wrong.length === 0 && field === 'key') faults.push(...alikeForAll(fields.key.trim()))
    }
    const wrongPath = items.trim() === '' || items.includes('{$') ? undefined : pathFault(items.trim())
    if (wrongPath !== undefined) faults.push({ field: 'items', message: wrongPath })
    return faults
  },
  run: ({ run }) => ({ data: run.input })
})

/** What these templates would read is not there yet when they are filled in. */
function tooEarly(field: string, source: JsonValue): FieldFault[] {
  const names = new Set(textsIn(source).flatMap((text) => compileTemplate(text).contextVariables))
  if (names.has('run'))
    return [{ field, message: 'It reads {$run}, and there is no run before an item is found. Take it out.' }]
  if (names.has('data') && field !== 'key')
    return [
      {
        field,
        message: 'It reads {$data}, and there is none before an item is found. Only Key reads the item.'
      }
    ]
  return []
}

/** Then the first item would be the last one that starts a run. */
function alikeForAll(key: string): FieldFault[] {
  const { variables, contextVariables } = compileTemplate(key)
  const tellsApart = variables.length > 0 || ['data', 'now'].some((name) => contextVariables.includes(name))
  if (key === '' || tellsApart) return []
  const meant = /^[\w-]{1,50}$/.test(key) ? key : 'id'
  const message = `It reads nothing of the item, so all items would be one. Write what each has in braces, such as {${meant}}.`
  return [{ field: 'key', message }]
}

function textsIn(source: JsonValue): string[] {
  if (typeof source === 'string') return [source]
  if (Array.isArray(source)) return source.flatMap(textsIn)
  return isPlainObject(source) ? Object.values(source).flatMap(textsIn) : []
}

function faultOf(field: string, text: string, assert: () => void): FieldFault[] {
  if (text.includes('{$')) return []
  try {
    assert()
    return []
  } catch (error) {
    if (!(error instanceof CronError)) throw error
    return [{ field, code: error.code, message: error.message }]
  }
}
