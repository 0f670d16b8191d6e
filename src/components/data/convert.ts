import {
  compilePath,
  defineComponent,
  type FieldFault,
  inTurns,
  type JsonValue,
  pathFault,
  StepError,
  type Turns,
  type ValuePath,
  WorkMeter,
  workOf,
  ZONE_HELP,
  zoneNamed
} from '../../plugin-api.ts'
import { CONVERSIONS, type ConvertRules, convertValue, isOfLists, rulesOf } from './conversions.ts'
import { CSV_FIELDS } from './csv-fields.ts'
import { readFormatFault } from './date-parse.ts'
import { taskOf } from './document-tasks.ts'
import { readValues } from './given-documents.ts'
import { missingKey } from './missing-key.ts'
import { payloadOf } from './payload-of.ts'
import { putAt } from './put-at.ts'
import { fileIdsAmong, readEach, withFiles } from './read-files.ts'

/** Turns values of one kind into another. */
export const convert = defineComponent({
  type: 'convert',
  title: 'Convert',
  description:
    'Turns text, or a file of text, into data and back: JSON, CSV, XML, HTML, Markdown, feeds, forms, dates.',
  category: 'Data',
  icon: 'replace',
  keywords: [
    'json',
    'csv',
    'parse json',
    'base64',
    'cast',
    'to number',
    'to string',
    'convert to file',
    'extract from file',
    'encode',
    'decode',
    'type convert',
    'xml',
    'html to text',
    'markdown',
    'rss',
    'atom',
    'feed',
    'urlencode',
    'urldecode',
    'form',
    'excel'
  ],
  example: 'CSV to rows: the lines of a price list become a list of objects.',
  effects: 'pure',
  fields: {
    mode: { kind: 'choice', title: 'Convert', choices: CONVERSIONS, default: 'JSON to data' },
    field: {
      kind: 'text',
      title: 'Field',
      help: 'The member that is converted where it stands; of a list, in each item. Empty: the data itself.',
      placeholder: 'attachment',
      path: true
    },
    ...CSV_FIELDS,
    timezone: {
      kind: 'text',
      title: 'Time zone',
      help: 'Of dates that name none, and of the result.',
      default: 'UTC',
      hidden: true
    },
    input_format: {
      kind: 'text',
      title: 'Input format',
      help: 'How dates are written, such as dd.MM.yyyy. Empty: as in ISO 8601.',
      placeholder: 'dd.MM.yyyy',
      hidden: true
    },
    indent: {
      kind: 'number',
      title: 'Indent',
      help: 'Spaces for each level of JSON and XML.',
      default: 0,
      min: 0,
      max: 8,
      integer: true,
      hidden: true
    },
    failures: {
      kind: 'choice',
      title: 'Where it cannot be converted',
      help: 'Fail, or put null there.',
      choices: ['fail', 'null'],
      default: 'fail',
      hidden: true
    }
  },
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: { data: { title: 'Data', type: 'any' } },
  check: (fields) => faultsOf(fields),
  prepare: ({ field }) => (field.trim() === '' ? undefined : compilePath(field)),
  run: (step) => {
    const { inputs, prepared, fields } = step
    const task = taskOf(fields.mode)
    if (task !== undefined) {
      const { files, readDocuments, pause } = step
      const values = toConvert(inputs.data, prepared, fields.mode)
      return readValues(values, task, { files, readDocuments, pause }).then((read) =>
        inTurns(converted(inputs.data, prepared, rulesOf(fields, step, new Map(), read)), step)
      )
    }
    return withFiles(
      (files) => inTurns(converted(inputs.data, prepared, rulesOf(fields, step, files)), step),
      async () => {
        const ids = await inTurns(fileIdsAmong(toConvert(inputs.data, prepared, fields.mode)), step)
        return readEach(ids, step.files)
      }
    )
  }
})

/** All values that are converted, each by itself. */
function* toConvert(
  data: JsonValue | undefined,
  path: ValuePath | undefined,
  mode: ConvertRules['mode']
): Generator<JsonValue | undefined> {
  const items = Array.isArray(data) && (path !== undefined || !isOfLists(mode)) ? data : [data ?? null]
  for (const item of items) {
    const value = path === undefined ? item : path.read(item)
    yield payloadOf(value) ?? value
  }
}

function* converted(
  data: JsonValue | undefined,
  path: ValuePath | undefined,
  rules: ConvertRules
): Turns<{ data: JsonValue }> {
  if (path === undefined) return { data: yield* convertData(data, rules) }
  if (!Array.isArray(data)) return { data: yield* convertMember(data ?? null, path, rules) }
  const items: JsonValue[] = []
  const meter = new WorkMeter()
  for (const [place, item] of data.entries()) {
    items.push(yield* convertMember(item, path, rules, place))
    if (meter.isTurnOver(WORK_PER_ITEM + workOf(item))) yield
  }
  return { data: items }
}

/** What an item takes besides its characters. */
const WORK_PER_ITEM = 80

/** A list of numbers, dates or texts is converted item by item; JSON and CSV are made of the list as a whole. */
function* convertData(data: JsonValue | undefined, rules: ConvertRules): Turns<JsonValue> {
  if (!Array.isArray(data) || isOfLists(rules.mode)) return yield* orNull(data, rules)
  const items: JsonValue[] = []
  const meter = new WorkMeter()
  for (const [place, item] of data.entries()) {
    items.push(yield* orNull(item, rules, place))
    if (meter.isTurnOver(WORK_PER_ITEM + (typeof item === 'number' ? 0 : workOf(item)))) yield
  }
  return items
}

function* convertMember(
  item: JsonValue,
  path: ValuePath,
  rules: ConvertRules,
  place?: number
): Turns<JsonValue> {
  const value = path.read(item)
  if (value === undefined) throw missingKey(path, item, place)
  return putAt(item, path, yield* orNull(value, rules, place))
}

function* orNull(value: JsonValue | undefined, rules: ConvertRules, place?: number): Turns<JsonValue> {
  try {
    return yield* convertValue(value, rules)
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    if (rules.failures === 'null') return null
    if (place === undefined) throw error
    throw new StepError(`Item ${place}: ${error.message}`, {
      code: error.code,
      retryable: false,
      cause: error
    })
  }
}

interface Written {
  readonly field: string
  readonly timezone: string
  readonly input_format: string
}

function faultsOf({ field, timezone, input_format }: Written): FieldFault[] {
  const faults: [field: string, message: string | undefined][] = [
    ['field', field.trim() === '' ? undefined : pathFault(field)],
    [
      'timezone',
      timezone.includes('{$') || zoneNamed(timezone) !== undefined
        ? undefined
        : `"${timezone}" is not a time zone. ${ZONE_HELP}`
    ],
    ['input_format', input_format.includes('{$') ? undefined : readFormatFault(input_format)]
  ]
  return faults.flatMap(([name, message]) => (message === undefined ? [] : [{ field: name, message }]))
}
