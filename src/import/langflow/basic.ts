import { type Become, PASSES_ON, type Part, single } from '../become.ts'
import { literalText } from '../expressions/template-text.ts'
import { referencePlaceholder } from '../references.ts'
import { at, bounded, listOf, membersOf, textOf } from '../values.ts'
import { isVariable, type LangflowNode, textIn, valueIn } from './langflow-node.ts'
import { pythonCode } from './python-code.ts'
import { fromMustache, fromPython } from './python-template.ts'

type Mapping = (node: LangflowNode, sourceOf: SourceOf) => Become

const PRINTS =
  'What has no key prints nothing, as in Langflow. Numbers keep the digits that were sent; true, false and nested values are written as in JSON, not as in Python, and a null prints nothing.'

/** A text that is set on the node, or the variable that it names. */
export function fixedTemplate(node: LangflowNode, ...names: readonly string[]): string {
  const value = textIn(node, ...names)
  return names.some((name) => isVariable(node, name)) && /^[A-Za-z_]\w*$/.test(value)
    ? `{$${value}?}`
    : literalText(value)
}

/** The text of a field, which a wire may bring: then it is read from the node that the wire comes from. */
export function wiredTemplate(node: LangflowNode, name: string, sourceOf: SourceOf): string {
  const source = node.wired.has(name) ? sourceOf(node.id, name) : undefined
  return source === undefined ? fixedTemplate(node, name) : (referencePlaceholder(source, []) ?? '')
}

/** The key of the output that a wire to this input comes from. */
export type SourceOf = (node: string, input: string) => string | undefined

function webhook(): Become {
  return single({ type: 'webhook', fields: {} }, { gives: 'data' })
}

/** Langflow signs its own way; what it delivers is two levels deep in what components see. */
function inboundWebhook(): Become {
  return {
    verdict: 'adapted',
    note: 'Senders sign as they did: put the secret of Langflow into the connection. The body stands at payload.delivery, as there; what else came with an event (its id, the attempt) is not there.',
    parts: {
      main: {
        type: 'webhook',
        fields: {
          auth: 'Signature',
          signature_scheme: 'HMAC',
          signature_header: 'x-langflow-signature',
          signature_prefix: 'v1=',
          signed_text: 'v1:{header:x-langflow-timestamp}:{body}',
          timestamp_header: 'x-langflow-timestamp',
          connection: 'langflow-webhook'
        }
      },
      event: {
        type: 'transform',
        title: 'As Langflow delivers it',
        fields: {
          expression: '{ "kind": "inbound_webhook", "payload": { "provider": "webhook", "delivery": $ } }'
        }
      }
    },
    links: [['main.data', 'event.data']],
    takes: () => undefined,
    gives: () => 'event.data',
    connections: [{ name: 'langflow-webhook', kind: 'webhook' }]
  }
}

function schedule(node: LangflowNode): Become {
  const cron = textIn(node, 'cron', 'cron_expression', 'schedule') || '0 9 * * *'
  const timezone = textIn(node, 'timezone', 'time_zone') || 'UTC'
  const skips = /skip/i.test(textIn(node, 'misfire_policy', 'catch_up', 'missed'))
  const fields = { cron, timezone, ...(skips && { missed: 'Leave out' }) }
  return single({ type: 'schedule', fields }, { gives: 'data' })
}

function humanInput(node: LangflowNode, sourceOf: SourceOf): Become {
  const value = valueIn(node, 'decisions', 'options', 'choices')
  const choices = listOf(value)
    .map(
      (each) =>
        textOf(each) ||
        textOf((each as { name?: unknown; label?: unknown })?.name ?? (each as { label?: unknown })?.label)
    )
    .filter((each) => each !== '')
  const asked = ['prompt', 'input_value', 'question']
  const wired = asked.find((name) => node.wired.has(name))
  const question = wired === undefined ? fixedTemplate(node, ...asked) : wiredTemplate(node, wired, sourceOf)
  const timeout = secondsIn(node)
  const names = choices.length > 0 ? choices : ['Approve', 'Reject']
  // Each way hands on what was asked, and nothing of the answer.
  const ways = [...new Set(node.outputs.map((output) => choiceOf(output, names)))]
  const expression = wired === undefined ? JSON.stringify(textIn(node, ...asked)) : 'data'
  return {
    verdict: 'adapted',
    note: `Whoever answers is asked by a link or on the page of approvals.${timeout === undefined ? '' : ' When the time is over the run goes on by the fallback at once; there it waited for an answer that came too late.'}`,
    parts: {
      main: {
        type: 'approve',
        fields: {
          question: question || 'Approve?',
          choices: names,
          ...(timeout && { timeout: `${timeout}s` })
        }
      },
      ...Object.fromEntries(
        ways.map((way) => [
          `${way}-asked`,
          { type: 'transform', title: 'What was asked', fields: { expression } }
        ])
      )
    },
    links: ways.map((way) => [`main.${way}`, `${way}-asked.data`] as const),
    takes: () => 'main.data',
    gives: (output) => `${choiceOf(output, names)}-asked.data`
  }
}

const UNITS: Readonly<Record<string, number>> = { Minutes: 60, Hours: 3600, Days: 86_400 }

/** Without a fallback nothing comes of its time. */
function secondsIn(node: LangflowNode): number | undefined {
  if (valueIn(node, 'enable_fallback') !== true) return undefined
  const { value, unit } = membersOf(valueIn(node, 'timeout'))
  const amount = bounded(value, 0, 100_000)
  return amount === undefined || amount === 0
    ? undefined
    : Math.min(2_592_000, amount * (UNITS[textOf(unit)] ?? 60))
}

function choiceOf(output: string, choices: readonly string[]): string {
  const slug = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
  const wanted = slug(output)
  if (/timed?[-_]?out|fallback/.test(wanted)) return 'timed_out'
  return choices.map(slug).find((name) => name === wanted || wanted.endsWith(`-${name}`)) ?? slug(choices[0]!)
}

function parser(node: LangflowNode): Become {
  const source = textIn(node, 'pattern', 'template')
  const mode = textIn(node, 'mode')
  const separator = textOf(node.template.sep && (valueIn(node, 'sep', 'delimiter') ?? '\n')) || '\n'
  const ports = { takes: 'data', gives: 'parsed_text' }
  if (mode === 'Stringify') return stringify(node)
  const read = fromPython(source || '{text}')
  if (read.isCode) {
    const code = pythonCode(source, separator)
    const note =
      'The template writes values as Python does (!r) or with widths that are values, so it became code.'
    return single({ type: 'code', fields: { code } }, { takes: 'data', gives: 'result' }, { note })
  }
  const fields = { template: read.template, ...(separator === '\n' ? {} : { separator }) }
  return single({ type: 'parser', fields }, ports, read.reads ? { note: PRINTS } : {})
}

/** Langflow frames the JSON of data, and no text; a table is one of Markdown there. */
function stringify({ carried }: LangflowNode): Become {
  const main: Part = { type: 'parser', fields: { mode: 'Stringify' } }
  const types = carried.get('input_data') ?? []
  if (types.length === 0 || !types.every((type) => type === 'Data' || type === 'JSON')) {
    const note =
      'Data and tables are printed as JSON, without the frame of backticks, or the table of Markdown, that Langflow makes of them.'
    return single(main, { takes: 'data', gives: 'parsed_text' }, { note })
  }
  return {
    verdict: 'adapted',
    note: 'A Prompt behind it puts the JSON into a frame of backticks, as Langflow does. Numbers keep the digits that were sent.',
    parts: {
      main,
      frame: { type: 'prompt', title: 'In a frame', fields: { template: '```json\n{json}\n```' } }
    },
    links: [['main.parsed_text', 'frame.json']],
    takes: () => 'main.data',
    gives: () => 'frame.prompt'
  }
}

function prompt(node: LangflowNode): Become {
  const source = textIn(node, 'template')
  const isMustache = valueIn(node, 'use_double_brackets') === true
  const values = new Map<string, string>()
  for (const { names } of [isMustache ? fromMustache(source, values) : fromPython(source)])
    for (const name of names) if (!node.wired.has(name)) values.set(name, textIn(node, name))
  const { template, names } = isMustache ? fromMustache(source, values) : fromPython(source, values)
  return {
    verdict: 'exact',
    note: '',
    parts: { main: { type: 'prompt', fields: { template: withUnread(template, node, names) } } },
    takes: (input) => `main.${names.includes(input) || node.wired.has(input) ? input : (names[0] ?? input)}`,
    gives: () => 'main.prompt'
  }
}

/** A wire to what the template does not read keeps its input: a format of no width prints nothing of it. */
function withUnread(template: string, { wired }: LangflowNode, names: readonly string[]): string {
  const unread = [...wired].filter((name) => !names.includes(name) && /^\w+$/.test(name))
  return template + unread.map((name) => `{${name}:.0s?}`).join('')
}

/** Some text, with what wires bring. */
function text(node: LangflowNode): Become {
  const isWired = node.wired.has('input_value')
  const template = isWired ? '{input_value?}' : fixedTemplate(node, 'input_value', 'text')
  return {
    verdict: 'exact',
    note: '',
    parts: { main: { type: 'prompt', fields: { template } } },
    takes: () => (isWired ? 'main.input_value' : undefined),
    gives: () => 'main.prompt'
  }
}

function chatInput(node: LangflowNode): Become {
  const value = textIn(node, 'input_value')
  const fields = value === '' ? {} : { text: literalText(value.slice(0, 50_000)) }
  const note = /files/.test([...node.wired].join()) ? 'Files are sent by a Form or a Webhook.' : ''
  return single({ type: 'chat-input', fields }, { takes: 'text', gives: 'message' }, { note })
}

function chatOutput(): Become {
  return single({ type: 'chat-output', fields: {} }, { takes: 'text', gives: 'message' })
}

function combineText(node: LangflowNode): Become {
  const delimiter = literalText(textOf(at(node.template, 'delimiter', 'value') ?? ' '))
  const part = (name: string) => (node.wired.has(name) ? `{${name}?}` : fixedTemplate(node, name))
  const names = ['text1', 'text2'].filter((name) => node.wired.has(name))
  return {
    verdict: 'exact',
    note: '',
    parts: { main: { type: 'prompt', fields: { template: `${part('text1')}${delimiter}${part('text2')}` } } },
    takes: (input) => `main.${names.includes(input) ? input : (names[0] ?? 'text1')}`,
    gives: () => 'main.prompt'
  }
}

/** What only changes its type on the way, or shows what it is given. */
function passOn(node: LangflowNode): Become {
  const note = node.type === 'MergeFlows' ? 'The first of its wires that carries something goes on.' : ''
  return single(PASSES_ON, { takes: 'data', gives: 'data' }, { note })
}

export const BASIC: Readonly<Record<string, Mapping>> = {
  Webhook: webhook,
  InboundWebhookTrigger: inboundWebhook,
  InboundWebhook: inboundWebhook,
  ScheduleTrigger: schedule,
  Schedule: schedule,
  HumanInput: humanInput,
  HumanInputComponent: humanInput,
  ParserComponent: parser,
  parser,
  Parser: parser,
  ParseData: parser,
  ParseDataFrame: parser,
  Prompt: prompt,
  'Prompt Template': prompt,
  PromptComponent: prompt,
  PromptTemplate: prompt,
  TextInput: text,
  TextInputComponent: text,
  TextOutput: text,
  TextOutputComponent: text,
  ChatInput: chatInput,
  ChatOutput: chatOutput,
  CombineText: combineText,
  CombineTextComponent: combineText,
  PassMessage: passOn,
  Pass: passOn,
  MergeFlows: passOn,
  TypeConverterComponent: passOn,
  ConvertAstraToTwelveLabs: passOn
}
