import {
  BoundedText,
  compileTemplate,
  defineComponent,
  ExactNumber,
  type FieldFault,
  inTurns,
  isPlainObject,
  isReferenceName,
  type JsonValue,
  outputTooLarge,
  type Step,
  StepError,
  type Template,
  TemplateError,
  TextTooLong,
  type Turns,
  templateFault,
  writeJsonTo
} from '../plugin-api.ts'

/** Turns data into text: by a template, or as it is. */
export const parser = defineComponent({
  type: 'parser',
  title: 'Parser',
  description: 'Turns data into text, by a template or as it is.',
  category: 'Processing',
  icon: 'braces',
  keywords: [
    'template',
    'format',
    'text',
    'string',
    'render',
    'stringify',
    'json to text',
    'mustache',
    'handlebars',
    'set'
  ],
  example: 'Order {order_id} from {customer} becomes "Order 7 from Ann".',
  effects: 'pure',
  fields: {
    mode: {
      kind: 'choice',
      title: 'Mode',
      help: 'Parser fills the template with values of the data; Stringify prints the data as it is.',
      choices: ['Parser', 'Stringify'],
      default: 'Parser'
    },
    template: {
      kind: 'template',
      title: 'Template',
      help: 'Text with {key} variables. {user.name} and {items[0].sku} reach inside; {key?} may be absent.',
      default: 'Text: {text}'
    },
    separator: {
      kind: 'text',
      title: 'Separator',
      help: 'Stands between the items when the data is a list.',
      default: '\n',
      hidden: true
    }
  },
  mainFields: ['template'],
  inputs: { data: { title: 'Data', type: 'data' } },
  outputs: { parsed_text: { title: 'Parsed Text', type: 'text' } },
  check: ({ mode, template }) => (mode === 'Parser' ? templateFaults(template) : []),
  prepare: ({ mode, template }) => (mode === 'Parser' ? compileTemplate(template) : undefined),
  run: (step) => {
    const { prepared, inputs, run } = step
    const short =
      prepared === undefined || !isPlainObject(inputs.data)
        ? undefined
        : renderShort(prepared, inputs.data, run.variables, '')
    return short === undefined ? inTurns(textOf(step), step) : { parsed_text: short }
  }
})

type ParserStep = Pick<Step, 'outputLimit' | 'run'> & {
  readonly inputs: { readonly data?: JsonValue }
  readonly fields: { readonly separator: string }
  readonly prepared: Template | undefined
}

function* textOf({ inputs, fields, prepared, run, outputLimit }: ParserStep): Turns<{ parsed_text: string }> {
  const { data } = inputs
  if (prepared === undefined && (data === undefined || typeof data === 'string'))
    return { parsed_text: data ?? '' }
  const text = new BoundedText(outputLimit.bytes)
  const progress: Progress = { done: 0, of: 1 }
  try {
    if (prepared === undefined) yield* stringify(text, data!)
    else {
      const { variables } = run
      yield* parse(data, { text, template: prepared, variables, separator: fields.separator, progress })
    }
  } catch (error) {
    throw error instanceof TextTooLong ? outputTooLarge(outputLimit, remedyFor(text, progress)) : error
  }
  return { parsed_text: text.toString() }
}

/** How many of the items are printed. */
interface Progress {
  done: number
  of: number
}

/** From a few items on, those that are printed tell how long all of them would be. */
function remedyFor(text: BoundedText, { done, of }: Progress): { size?: number; advice: string } {
  if (of === 1) return { advice: 'Send less data, or shorten the template' }
  const advice = 'Send fewer items at once, or shorten the template'
  return done < 10 ? { advice } : { advice, size: (text.length / done) * of }
}

function templateFaults(template: string): FieldFault[] {
  const fault = templateFault(template)
  return fault === undefined ? [] : [{ field: 'template', ...fault }]
}

/**
 * JSON indented by two spaces. It never fails: what is nested so deep that the spaces would be hundreds of times as long
 * as the data is printed without them.
 */
function* stringify(text: BoundedText, data: JsonValue): Turns<void> {
  const most = Math.min(MOST_INDENTATION, text.limit / 2)
  yield* writeJsonTo(text, data, (yield* isIndentedBeyond(data, most)) ? 0 : 2)
}

/** In characters. A megabyte that is nested five deep, with nothing but digits in it, has 5 million. */
const MOST_INDENTATION = 8 * 1024 * 1024

/** Lists and objects whose values are to be looked at, from `at` on. */
interface Open {
  readonly values: readonly JsonValue[]
  at: number
}

/** Whether the spaces and line ends that a value is printed with, or a few more, are more than that. */
function* isIndentedBeyond(data: JsonValue, most: number): Turns<boolean> {
  const open: Open[] = [{ values: [data], at: 0 }]
  for (let sum = 0; open.length > 0; ) {
    sum += indentationOf(open, VALUES_AT_ONCE)
    if (sum > most) return true
    yield
  }
  return false
}

/** Well below a millisecond. */
const VALUES_AT_ONCE = 4_096

/** Of so many values more. */
function indentationOf(open: Open[], values: number): number {
  let sum = 0
  for (let step = 0; step < values; step++) {
    const innermost = open.at(-1)
    if (innermost === undefined) break
    if (innermost.at === innermost.values.length) {
      open.pop()
      // The bracket that closes it.
      sum += 1 + 2 * Math.max(0, open.length - 1)
      continue
    }
    const value = innermost.values[innermost.at++]!
    if (open.length > 1) sum += 1 + 2 * (open.length - 1)
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) continue
    open.push({ values: Array.isArray(value) ? value : Object.values(value), at: 0 })
  }
  return sum
}

type Item = { [key: string]: JsonValue }

interface Parsing {
  readonly text: BoundedText
  readonly template: Template
  readonly variables: Readonly<Item>
  readonly separator: string
  readonly progress: Progress
}

function* parse(data: JsonValue | undefined, parsing: Parsing): Turns<void> {
  if (isPlainObject(data)) return yield* renderTo(parsing, data, '')
  if (readsNoKey(parsing.template) && !isListOfObjects(data)) return yield* renderTo(parsing, {}, '')
  if (!Array.isArray(data)) {
    if (data !== null || !needsNothing(parsing.template)) throw faulty(data)
    return yield* renderTo(parsing, {}, '')
  }
  const { text, template, variables, separator, progress } = parsing
  progress.of = data.length
  for (const [index, item] of data.entries()) {
    if (!isPlainObject(item)) throw faulty(data, index)
    if (index > 0) text.add(separator)
    const where = `In item ${index}: `
    const short = renderShort(template, item, variables, where)
    if (short === undefined) yield* renderTo(parsing, item, where)
    else text.add(short)
    progress.done = index + 1
    if (text.isTurnOver(ITEM)) yield
  }
}

function isListOfObjects(data: JsonValue | undefined): boolean {
  return Array.isArray(data) && data.every(isPlainObject)
}

/** One that reads only the run, or the input as a whole, takes any. */
function readsNoKey({ variables, contextVariables }: Template): boolean {
  return variables.length === 0 && contextVariables.some(isReferenceName)
}

/** Null has no keys, which is all the same to a template that allows each of its keys to be absent. */
function needsNothing({ allowsAbsence, variables }: Template): boolean {
  return variables.length > 0 && allowsAbsence
}

/** What an item costs besides its text, in characters that could be written instead. */
const ITEM = 256

function renderShort(
  template: Template,
  item: Item,
  variables: Readonly<Item>,
  where: string
): string | undefined {
  try {
    return template.renderShort(item, variables)
  } catch (error) {
    throw told(error, where)
  }
}

function* renderTo({ text, template, variables }: Parsing, item: Item, where: string): Turns<void> {
  try {
    yield* template.renderTo(text, item, variables)
  } catch (error) {
    throw told(error, where)
  }
}

function told(error: unknown, where: string): unknown {
  if (!(error instanceof TemplateError)) return error
  return new StepError(where + error.message, { code: error.code, retryable: false, cause: error })
}

const SUGGESTION = 'Choose the mode Stringify to print whatever arrives.'

function faulty(data: JsonValue | undefined, index?: number): StepError {
  if (data === undefined || data === null) {
    return new StepError(
      `There is no data to parse. Wire a Data output to it and send a JSON object. ${SUGGESTION}`,
      {
        code: 'no_data',
        retryable: false
      }
    )
  }
  const kind = data instanceof ExactNumber ? 'number' : typeof data
  const what = Array.isArray(data)
    ? `a list whose item ${index} is not an object`
    : `a ${kind}, not an object`
  const message = `The data is ${what}, so the template has no keys to read. Send an object or a list of objects. ${SUGGESTION}`
  return new StepError(message, { code: 'faulty_data', retryable: false })
}
