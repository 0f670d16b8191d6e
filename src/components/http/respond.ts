import {
  answerNameFault,
  compileTemplate,
  compileTemplateTree,
  defineComponent,
  type FieldFault,
  type FieldValues,
  type FileValue,
  inField,
  inTurns,
  isPlainObject,
  type JsonValue,
  type Step,
  type StepAnswer,
  StepError,
  scopeOf,
  statusFault,
  type Template,
  type TemplateScope,
  type Turns,
  templateTreeFaults
} from '../../plugin-api.ts'
import { bodySource, buildBody } from './build-body.ts'
import { buildHeaders } from './build-headers.ts'
import { streamedHead } from './streamed-head.ts'
import { withCharset } from './with-charset.ts'

const FIELDS = {
  status: { kind: 'template', title: 'Status', help: 'From 200 to 599.', default: '200' },
  body: {
    kind: 'json',
    title: 'Body',
    help: 'An object of templates, or one template. Empty: the data as JSON. A file is sent as its bytes.',
    placeholder: '{ "order": "{order_id}" }'
  },
  content_type: {
    kind: 'text',
    title: 'Content type',
    help: 'Empty: JSON for what is JSON, plain text for other text, and of a file its own.',
    placeholder: 'text/html'
  },
  headers: {
    kind: 'json',
    title: 'Headers',
    help: 'An object of templates.',
    placeholder: '{ "X-Order": "{order_id}" }',
    hidden: true
  }
} as const

type Values = FieldValues<typeof FIELDS>

/** Answers whoever called the flow: its Webhook says that the caller waits for this. */
export const respond = defineComponent({
  type: 'respond',
  title: 'Respond',
  description: 'Answers the request that started the flow, with a status, headers and a body of its own.',
  category: 'Reach out',
  icon: 'message-square',
  keywords: [
    'respond to webhook',
    'webhook response',
    'http response',
    'response',
    'reply',
    'answer',
    'return',
    'rest',
    'endpoint',
    'api',
    'redirect',
    'html'
  ],
  example: 'Answers 201 with {"id": "{order_id}"} as JSON. The Webhook says "When the flow answers".',
  effects: 'pure',
  fields: FIELDS,
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: { data: { title: 'Data', type: 'any', help: 'What came in: the flow goes on after its answer.' } },
  check: faultsOf,
  prepare: prepareAnswer,
  streamsAnswer: ({ streamed }) => streamed,
  run: answerCaller
})

function faultsOf({ status, headers, body }: Values): FieldFault[] {
  const faults: FieldFault[] = []
  if (headers !== null && headers !== '' && !isPlainObject(headers))
    faults.push({
      field: 'headers',
      message: 'It takes an object whose texts are templates, such as { "X-Order": "{order_id}" }.'
    })
  for (const [field, value] of Object.entries({ status, headers, body }))
    faults.push(...templateTreeFaults(value).map((fault) => ({ field, ...fault })))
  if (faults.length > 0) return faults
  const wrong = /[{}]/.test(status) ? undefined : statusTextFault(status)
  if (wrong !== undefined) faults.push({ field: 'status', message: wrong })
  for (const name of isPlainObject(headers) ? Object.keys(headers) : []) {
    const message = answerNameFault(name)
    if (message !== undefined) faults.push({ field: 'headers', message })
  }
  return faults
}

function prepareAnswer({ status, headers, body, content_type }: Values) {
  const template = compileTemplate(status)
  const hasHeaders = isPlainObject(headers) && Object.keys(headers).length > 0
  // Most answer with the same one each time: it has no placeholder.
  const isFixed = template.literals.length === 1
  const fixedStatus = isFixed ? statusIn(status) : undefined
  const source = bodySource(body)
  const contentType = content_type.trim()
  const streamed =
    source.kind === 'data' && fixedStatus !== undefined
      ? streamedHead({ status: fixedStatus, headers: hasHeaders ? headers : {}, contentType })
      : undefined
  return {
    status: template,
    fixedStatus,
    headers: hasHeaders ? compileTemplateTree(headers) : undefined,
    source,
    contentType,
    streamed
  }
}

/** What is wrong with a status as it is written. */
function statusTextFault(text: string): string | undefined {
  if (statusFault(statusIn(text)) === undefined) return undefined
  return `It is ${text === '' ? 'empty' : JSON.stringify(text.slice(0, 20))}. Write a number from 200 to 599.`
}

function statusIn(text: string): number {
  return /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : Number.NaN
}

type RespondStep = Step<
  typeof FIELDS,
  { readonly data: { readonly title: string; readonly type: 'any' } },
  ReturnType<typeof prepareAnswer>
>

function answerCaller(step: RespondStep) {
  const { inputs, respond } = step
  const output = { data: inputs.data }
  const send = ({ file, ...answer }: StepAnswer) => {
    if (file !== undefined) return sendFile(file, answer)
    respond(answer)
    return output
  }
  const sendFile = async (file: FileValue, answer: StepAnswer) => {
    // One that the run may open.
    respond({ ...answer, file: (await step.files.open(file.file)).value })
    return output
  }
  const answer = inTurns(buildAnswer(step), step)
  return answer instanceof Promise ? answer.then(send) : send(answer)
}

function* buildAnswer({ prepared, inputs, run, isStreamed }: RespondStep): Turns<StepAnswer> {
  const data = inputs.data as JsonValue | undefined
  const scope = scopeOf(data, run.variables)
  const status = prepared.fixedStatus ?? renderedStatus(prepared.status, scope)
  const given = buildHeaders(prepared.headers, scope)
  // Who gets it while it comes gets text, and who asks later the same.
  const usual = prepared.streamed !== undefined && isStreamed('data') ? 'text/plain' : undefined
  const type = prepared.contentType || given['content-type'] || usual
  if (type !== undefined) given['content-type'] = withCharset(type)
  if (
    typeof data === 'string' &&
    prepared.source.kind === 'data' &&
    given['content-type']?.startsWith('text/')
  )
    return { status, headers: given, body: data }
  const { source } = prepared
  const asked = { source, type: 'Auto', method: 'POST', headers: {}, data, scope, boundary: '' } as const
  const takesBase64 = !given['content-type']?.startsWith('application/json')
  const body = yield* buildBody({ ...asked, takesBase64 })
  if (body === null) return { status, headers: given, body: '' }
  const { content } = body
  if (typeof content === 'string')
    return { status, headers: { 'content-type': withCharset(body.contentType), ...given }, body: content }
  const headers = { 'content-type': body.contentType, ...given }
  if (content instanceof Uint8Array)
    return { status, headers, body: Buffer.from(content).toString('base64'), isBase64: true }
  const [piece] = content
  return piece instanceof Uint8Array || piece === undefined
    ? { status, headers, body: '' }
    : { status, headers, body: '', file: piece }
}

function renderedStatus(template: Template, { data, variables }: TemplateScope): number {
  const text = inField('status', () => template.render(data, variables, MOST_OF_STATUS))
  const status = statusIn(text)
  const fault = statusTextFault(text)
  if (fault === undefined) return status
  throw new StepError(`Field "status": ${fault}`, {
    code: 'answer_invalid',
    retryable: false
  })
}

const MOST_OF_STATUS = 1_000
