import type { Become, Part } from '../become.ts'
import { bounded, listOf, type Members, membersIn, membersOf, textOf } from '../values.ts'
import { everyOf } from './every.ts'
import { type Mapping, made, several } from './mapping.ts'
import type { N8nNode } from './n8n-node.ts'
import { cronEvery, cronOfOld, cronOfRule } from './schedule-times.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What n8n makes of a request: the item has its parts. */
function requestItem(path: string): Part {
  const names = [...path.matchAll(/\/:(\w+)/g)].map(([, name]) => `${name}: query?.${name}`)
  return {
    type: 'code',
    title: 'As n8n gives it',
    fields: {
      code: `const { headers, query } = nodes["\u{e003}"].request ?? {}
return { headers: headers ?? {}, params: { ${names.join(', ')} }, query: query ?? {}, body: data ?? {} }`
    }
  }
}

const webhook: Mapping = (node, write) => {
  const { params } = node
  const allAsked = listOf(params.httpMethod).map(textOf)
  const asked = allAsked.length > 0 ? allAsked : [textOf(params.httpMethod) || 'GET']
  const methods = METHODS.filter((method) => asked.includes(method))
  const respond = textOf(params.responseMode)
  const waits = respond === 'responseNode' || respond === 'lastNode'
  const auth = authOf(node, write.connection.bind(write))
  if (respond === 'lastNode') write.tell('The caller gets what a Return gives: put one behind the last node.')
  const fields = {
    methods: methods.length === 0 ? ['POST'] : methods,
    ...(waits && { respond: 'When the flow answers' }),
    ...auth
  }
  const path = textOf(params.path)
  write.tell(
    `Callers use the address of this flow${path === '' ? '' : ` and not /webhook/${path}`}${auth.auth === 'None' ? '' : ', with what "auth" asks for'}.`
  )
  if (/(?:^|\/):\w/.test(path))
    write.tell(`What stood in the path comes by the query: ?${path.split(/^:|\/:/)[1]?.split('/')[0]}=….`)
  return several(
    { main: { type: 'webhook', fields }, item: requestItem(`/${path}`) },
    write,
    { gives: 'result' },
    [['main.data', 'item.data']]
  )
}

function authOf(
  node: N8nNode,
  connection: (kind: string) => string
): { readonly auth: string; readonly [field: string]: unknown } {
  switch (textOf(node.params.authentication)) {
    case 'headerAuth':
      return { auth: 'Token', connection: connection('webhook') }
    case 'basicAuth':
      return { auth: 'Basic', basic_user: 'user', connection: connection('webhook') }
    case 'jwtAuth':
      return { auth: 'API key' }
    default:
      return { auth: 'None' }
  }
}

const schedule: Mapping = (node, write) => {
  const rules = membersIn(membersOf(node.params.rule).interval)
  const old = membersIn(membersOf(node.params.triggerTimes).item)
  const crons = [
    ...rules.map((rule) => cronOfRule(rule, write)),
    ...old.map((item) => cronOfOld(item, write))
  ].filter((cron) => cron !== '')
  if (crons.length > 1)
    write.tell(`It has ${crons.length} times and a Schedule one: copy the flow, or write one cron for all.`)
  const cron = crons[0] ?? '0 0 * * *'
  const { timezone = 'UTC' } = write
  if (write.timezone === undefined && namesAnHour(cron))
    write.tell('It counts by UTC: the file does not say by which clock n8n did.')
  const part = { type: 'schedule', fields: { cron, timezone } }
  return made(part, write, { gives: 'data' })
}

/** Whether the clock decides when it is. */
function namesAnHour(cron: string): boolean {
  return /\d/.test(
    cron
      .split(/\s+/)
      .at(-4)
      ?.replace(/^\*\/\d+$/, '') ?? ''
  )
}

const interval: Mapping = (node, write) => {
  const { interval: count, unit } = node.params
  const cron = cronEvery(bounded(count, 1, 10_000) ?? 1, textOf(unit) || 'seconds', write)
  return made({ type: 'schedule', fields: { cron } }, write, { gives: 'data' })
}

/** Beside a Webhook it is for trying the flow, which is done without it here. */
const manual: Mapping = (_node, write, place) => {
  const isTaken = place.isTaken('webhook')
  return made(
    { type: 'webhook', fields: {}, ...(isTaken && { disabled: true }) },
    write,
    { gives: 'data' },
    isTaken
      ? 'A flow has one Webhook, so this one is turned off: try the flow by "Test".'
      : 'It is started by "Test", by POST to its Webhook, or by the API.'
  )
}

const called: Mapping = (_node, write) =>
  made(
    { type: 'webhook', fields: {} },
    write,
    { gives: 'data' },
    'Run flow starts it, and so does whoever has a key and POSTs to its Webhook.'
  )

const chat: Mapping = (node, write) => {
  const isPublic = node.params.public === true
  if (isPublic) write.tell('It was open to the public: set "Public" of Chat Input for that.')
  const item: Part = {
    type: 'transform',
    title: 'As n8n gives it',
    fields: { expression: '{ "chatInput": $, "sessionId": $run.session, "action": "sendMessage" }' }
  }
  return several({ main: { type: 'chat-input', fields: {} }, item }, write, { gives: 'data' }, [
    ['main.message', 'item.data']
  ])
}

const FIELD_TYPES: Readonly<Record<string, string>> = {
  textarea: 'long text',
  number: 'number',
  email: 'email',
  date: 'date',
  dropdown: 'choice',
  radio: 'choice',
  checkbox: 'checkbox',
  file: 'file',
  password: 'text'
}

function formFields(value: unknown): Members[] {
  const taken = new Set<string>()
  return membersIn(membersOf(value).values).flatMap((field, at) => {
    const label = textOf(field.fieldLabel) || textOf(field.fieldName) || `Field ${at + 1}`
    const type = FIELD_TYPES[textOf(field.fieldType)] ?? 'text'
    if (/html|hidden/i.test(textOf(field.fieldType))) return []
    const name =
      label
        .replace(/[^\p{L}\p{N}_ -]+/gu, ' ')
        .replace(/ {2,}/g, ' ')
        .replace(/^[_ -]+|[ ]+$/g, '')
        .slice(0, 100) || `field ${at + 1}`
    if (taken.has(name)) return []
    taken.add(name)
    const given = membersIn(membersOf(field.fieldOptions).values).map(({ option }) => textOf(option))
    const choices = [...new Set(given.filter((each) => each !== ''))]
    return [
      {
        name,
        label,
        type: type === 'choice' && choices.length === 0 ? 'text' : type,
        ...(field.requiredField === true && { required: true }),
        ...(type === 'choice' && choices.length > 0 && { choices })
      }
    ]
  })
}

const form: Mapping = (node, write) => {
  const fields = formFields(node.params.formFields)
  const renamed = membersIn(membersOf(node.params.formFields).values).some(({ fieldLabel }) => {
    return !fields.some(({ name }) => name === textOf(fieldLabel))
  })
  if (renamed)
    write.tell('Names of fields hold letters, digits, spaces and hyphens only: look where they are read.')
  return made(
    {
      type: 'form',
      fields: {
        title: textOf(node.params.formTitle).replace(/^=/, '') || node.name,
        description: textOf(node.params.formDescription).replace(/^=/, ''),
        ...(fields.length > 0 && { fields })
      }
    },
    write,
    { gives: 'data' }
  )
}

const error: Mapping = (_node, write) => {
  const item: Part = {
    type: 'transform',
    title: 'As n8n gives it',
    fields: {
      expression:
        '{ "execution": { "id": run_id, "error": { "message": error.message, "name": error.code }, "lastNodeExecuted": error.node }, "workflow": { "id": flow, "name": flow } }'
    }
  }
  return several(
    { main: { type: 'run-failed', fields: {} }, item },
    write,
    { gives: 'data' },
    [['main.data', 'item.data']],
    'It starts when a run of another flow of its context fails; "flows" says of which.'
  )
}

const feed: Mapping = (node, write) =>
  made(
    {
      type: 'watch',
      fields: { every: everyOf(node), url: write.template(node.params.feedUrl), key: '{id?}{link?}' }
    },
    write,
    { gives: 'data' }
  )

export const TRIGGERS: Readonly<Record<string, Mapping>> = {
  webhook,
  scheduleTrigger: schedule,
  cron: schedule,
  interval,
  manualTrigger: manual,
  start: manual,
  executeWorkflowTrigger: called,
  'ai:chatTrigger': chat,
  'ai:manualChatTrigger': chat,
  formTrigger: form,
  errorTrigger: error,
  rssFeedReadTrigger: feed
}

/** One that calls from outside comes before one for trying, where a flow can have one of them. */
export function rankOf({ type }: N8nNode): number {
  if (type === 'manualTrigger' || type === 'start') return 2
  return type === 'executeWorkflowTrigger' ? 1 : 0
}

/** What starts flows here, by what the trigger became. */
export function triggerOf(become: Become): string | undefined {
  const [main] = Object.values(become.parts)
  const types = ['webhook', 'chat-input', 'schedule', 'form', 'run-failed', 'watch']
  return main !== undefined && main.disabled !== true && types.includes(main.type) ? main.type : undefined
}
