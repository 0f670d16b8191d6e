import {
  compileTemplate,
  defineComponent,
  ExactNumber,
  type FieldFault,
  isPlainObject,
  type JsonValue,
  MAX_RENDERED_LENGTH,
  StepError,
  type Template,
  TemplateError,
  templateFault,
  writeJson
} from '../plugin-api.ts'

/** Turns data into text: by a template, or as it is. */
export const parser = defineComponent({
  type: 'parser',
  title: 'Parser',
  description: 'Turns data into text, by a template or as it is.',
  category: 'Processing',
  icon: 'braces',
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
  inputs: { data: { title: 'Data', type: 'data' } },
  outputs: { parsed_text: { title: 'Parsed Text', type: 'text' } },
  check: ({ mode, template }) => (mode === 'Parser' ? templateFaults(template) : []),
  prepare: ({ mode, template }) => (mode === 'Parser' ? compileTemplate(template) : undefined),
  run: ({ inputs, fields, prepared, run }) => {
    if (prepared === undefined) return { parsed_text: stringify(inputs.data) }
    const text = (item: Item, where: string) => render(prepared, item, run.variables, where)
    return { parsed_text: parse(inputs.data, text, fields.separator) }
  }
})

function templateFaults(template: string): FieldFault[] {
  const fault = templateFault(template)
  return fault === undefined ? [] : [{ field: 'template', ...fault }]
}

/**
 * Text as it is, anything else as JSON indented by two spaces. It never fails: no data is no text, and what is nested
 * so deep that the spaces would be hundreds of times as long as the data, and stop everything else for seconds, is
 * printed without them.
 */
function stringify(data: JsonValue | undefined): string {
  if (data === undefined) return ''
  if (typeof data === 'string') return data
  return indentation(data, 0, 0) > MOST_INDENTATION ? writeJson(data) : writeJson(data, 2)
}

/** In characters. A megabyte that is nested ten deep, with nothing but digits in it, has 10 million. */
const MOST_INDENTATION = 16 * 1024 * 1024

/** `sum` and the spaces and line ends, or a few more, that a value inside of `depth` others is printed with. */
function indentation(value: JsonValue, depth: number, sum: number): number {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return sum
  const line = 1 + 2 * (depth + 1)
  let total = sum
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    total = indentation(item, depth + 1, total + line)
    if (total > MOST_INDENTATION) return total
  }
  return total + 1 + 2 * depth
}

type Item = { [key: string]: JsonValue }

function parse(
  data: JsonValue | undefined,
  text: (item: Item, where: string) => string,
  separator: string
): string {
  if (isPlainObject(data)) return text(data, '')
  if (!Array.isArray(data)) throw faulty(data)
  let length = 0
  const texts = data.map((item, index) => {
    if (!isPlainObject(item)) throw faulty(data, index)
    const printed = text(item, `In item ${index}: `)
    length += printed.length + separator.length
    if (length > MAX_RENDERED_LENGTH) throw tooLong(data.length)
    return printed
  })
  return texts.join(separator)
}

function render(template: Template, item: Item, variables: Readonly<Item>, where: string): string {
  try {
    return template.render(item, variables)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new StepError(where + error.message, { code: error.code, retryable: false, cause: error })
  }
}

function tooLong(items: number): StepError {
  const message = `The text of the ${items} items would be longer than ${MAX_RENDERED_LENGTH} characters. Shorten the template, or send fewer items at once.`
  return new StepError(message, { code: 'text_too_long', retryable: false })
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
  const what = Array.isArray(data) ? `a list whose item ${index} is no object` : `a ${kind}, not an object`
  const message = `The data is ${what}, so the template has no keys to read. Send an object or a list of objects. ${SUGGESTION}`
  return new StepError(message, { code: 'faulty_data', retryable: false })
}
