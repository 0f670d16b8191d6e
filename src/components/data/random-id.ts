import { createHash } from 'node:crypto'
import {
  defineComponent,
  inTurns,
  type JsonValue,
  makeInTurns,
  outputTooLarge,
  type Step,
  type Turns
} from '../../plugin-api.ts'
import { AS_FIELD, eachItem } from './each-item.ts'
import { WORK_PER_ITEM } from './map-in-turns.ts'
import { startOfRun } from './start-of-run.ts'

const KINDS = ['UUID v4', 'UUID v7', 'Short id', 'Digits'] as const
type Kind = (typeof KINDS)[number]

/** Makes up an id that nobody else has. */
export const randomId = defineComponent({
  type: 'random-id',
  title: 'Random id',
  description:
    'Makes an id that is unique. A step that is repeated, after a crash or by a retry, gives the same again.',
  category: 'Data',
  icon: 'dice',
  keywords: ['uuid', 'guid', 'nanoid', 'ulid', 'unique id', 'generate', 'random number', 'token', 'random'],
  example: 'A UUID for an order that came without a number.',
  effects: 'pure',
  fields: {
    kind: {
      kind: 'choice',
      title: 'Kind',
      help: 'UUID v7 begins with the time of the run, so that ids sort by it. Short id: letters, digits, - and _.',
      choices: KINDS,
      default: 'UUID v4'
    },
    length: {
      kind: 'number',
      title: 'Length',
      help: 'Of a short id, or of digits.',
      default: 21,
      min: 4,
      max: 64,
      integer: true
    },
    count: {
      kind: 'number',
      title: 'How many',
      help: 'More than one give a list.',
      default: 1,
      min: 1,
      max: 10_000,
      integer: true
    },
    ...AS_FIELD
  },
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: {
    data: {
      title: 'Data',
      type: 'any',
      help: 'The id as text. With a member to put it under, the data with it; of a list, each item with one of its own.'
    }
  },
  run: (step) => inTurns(withIds(step), step)
})

type IdStep = Pick<Step, 'run' | 'node' | 'outputLimit'> & {
  readonly inputs: { readonly data: JsonValue | undefined }
  readonly fields: {
    readonly kind: Kind
    readonly length: number
    readonly count: number
    readonly as: string
  }
}

function* withIds({ inputs, fields, run, node, outputLimit }: IdStep): Turns<{ data: JsonValue }> {
  const { kind, length, count, as } = fields
  const items = as.trim() !== '' && Array.isArray(inputs.data) ? inputs.data.length : 1
  if (items * count * length > outputLimit.bytes)
    throw outputTooLarge(outputLimit, { advice: 'Ask for fewer ids at once' })
  const began = startOfRun(run.id) ?? 0
  const ids = yield* makeInTurns(items * count, WORK_PER_ITEM, (place) =>
    idOf(kind, length, bytesFrom(`${run.id}/${node}/${place}`), began)
  )
  const idsOf = (item: number) => (count === 1 ? ids[item]! : ids.slice(item * count, (item + 1) * count))
  // Without a member to put it under, what came is not asked for: it may be nothing at all.
  if (as.trim() === '') return { data: idsOf(0) }
  return yield* eachItem(inputs.data, as, (_, index) => idsOf(index))
}

const SHORT = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const DIGITS = '0123456789'

function idOf(kind: Kind, length: number, bytes: Bytes, ms: number): string {
  switch (kind) {
    case 'UUID v4':
      return uuid(sixteen(bytes), 4)
    case 'UUID v7': {
      const timed = sixteen(bytes)
      timed.writeUIntBE(ms, 0, 6)
      return uuid(timed, 7)
    }
    case 'Short id':
      return letters(bytes, SHORT, length)
    case 'Digits':
      return letters(bytes, DIGITS, length)
  }
}

function sixteen(bytes: Bytes): Buffer {
  return Buffer.from(bytes.take(16).toArray())
}

function uuid(bytes: Buffer, version: number): string {
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Each as likely as the others: bytes past the last whole turn through the letters are left out. */
function letters(bytes: Bytes, alphabet: string, length: number): string {
  const most = 256 - (256 % alphabet.length)
  const taken = bytes.filter((byte) => byte < most).take(length)
  return taken
    .map((byte) => alphabet[byte % alphabet.length])
    .toArray()
    .join('')
}

type Bytes = Generator<number, never, void>

/** Bytes that follow from a seed and look like chance: that is what lets a repeated step give the same. */
function* bytesFrom(seed: string): Bytes {
  for (let block = 0; ; block++) yield* createHash('sha256').update(`${block}/${seed}`).digest()
}
