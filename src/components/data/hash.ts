import { createHash, createHmac } from 'node:crypto'
import {
  atOnce,
  BoundedText,
  compileTemplate,
  defineComponent,
  inFieldTurns,
  inTurns,
  type JsonValue,
  scopeOf,
  type Template,
  type Turns,
  templateFault,
  writeJsonTo
} from '../../plugin-api.ts'
import { AS_FIELD, eachItem } from './each-item.ts'
import { fileIdsAmong, readOf, withFiles } from './read-files.ts'

const ALGORITHMS = ['sha256', 'sha384', 'sha512', 'sha1', 'md5'] as const
const ENCODINGS = ['hex', 'base64', 'base64url'] as const

/** The fingerprint of a value. */
export const hash = defineComponent({
  type: 'hash',
  title: 'Hash',
  description:
    'Gives the hash of a text, of data or of a file, with a key its HMAC: to compare, to sign, to name.',
  category: 'Data',
  icon: 'hash',
  keywords: [
    'crypto',
    'sha256',
    'sha512',
    'md5',
    'hmac',
    'digest',
    'checksum',
    'fingerprint',
    'sign',
    'signature'
  ],
  example: 'The SHA-256 of {email}: a name for a customer that tells nobody the address.',
  effects: 'pure',
  fields: {
    text: {
      kind: 'template',
      title: 'Text',
      help: 'What is hashed. Empty: the data, as it is where it is text, the bytes of a file, else as JSON.',
      placeholder: '{email}'
    },
    algorithm: {
      kind: 'choice',
      title: 'Algorithm',
      help: 'sha1 and md5 only for others who ask for them: they can be forged.',
      choices: ALGORITHMS,
      default: 'sha256'
    },
    encoding: { kind: 'choice', title: 'Written as', choices: ENCODINGS, default: 'hex' },
    ...AS_FIELD,
    key: {
      kind: 'secret',
      title: 'Key',
      help: 'With a key, the result is an HMAC. {$name} reads a variable of the context. Whoever may edit the flow reads it.',
      hidden: true
    }
  },
  mainFields: ['text'],
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: { data: { title: 'Data', type: 'any', help: 'The hash as text; of a list, one for each item.' } },
  check: ({ text }) => {
    const fault = templateFault(text)
    return fault === undefined ? [] : [{ field: 'text', ...fault }]
  },
  prepare: ({ text }) => (text.trim() === '' ? undefined : compileTemplate(text)),
  run: (step) => {
    const { inputs, prepared, run } = step
    const { algorithm, encoding, key, as } = step.fields
    const begin = () => (key === '' ? createHash(algorithm) : createHmac(algorithm, key))
    const digest = (item: JsonValue) =>
      begin()
        .update(atOnce(textIn(item, prepared, run.variables)), 'utf8')
        .digest(encoding)
    /** As they come: a file is never in memory whole. */
    const digestFile = async (id: string) => {
      const hashed = begin()
      for await (const piece of (await step.files.open(id)).read()) hashed.update(piece)
      return hashed.digest(encoding)
    }
    function* digestLong(item: JsonValue): Turns<JsonValue> {
      const hashed = begin()
      const text = yield* textIn(item, prepared, run.variables)
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += PIECE) {
        yield
        hashed.update(bytes.subarray(at, at + PIECE))
      }
      return hashed.digest(encoding)
    }
    if (prepared !== undefined) return inTurns(eachItem(inputs.data, as, digest, digestLong), step)
    return withFiles<{ data: JsonValue }, string>(
      (files) =>
        inTurns(
          eachItem(inputs.data, as, (item) => readOf(item, files) ?? digest(item), digestLong),
          step
        ),
      async () => {
        const items = Array.isArray(inputs.data) ? inputs.data : [inputs.data]
        const digests = new Map<string, string>()
        for (const id of await inTurns(fileIdsAmong(items), step)) digests.set(id, await digestFile(id))
        return digests
      }
    )
  }
})

/** In bytes, which are hashed at once: a millisecond or two. */
const PIECE = 512 * 1024

/** In characters, of what a template may give; an item itself may be as long as it is. */
const LONGEST_TEXT = 64 * 1024 ** 2

function* textIn(
  item: JsonValue,
  template: Template | undefined,
  variables: Readonly<Record<string, JsonValue>>
): Turns<string> {
  if (template === undefined && typeof item === 'string') return item
  const text = new BoundedText(template === undefined ? Number.POSITIVE_INFINITY : LONGEST_TEXT)
  const scope = scopeOf(item, variables)
  if (template === undefined) yield* writeJsonTo(text, item)
  else yield* inFieldTurns('text', template.renderTo(text, scope.data, scope.variables))
  return text.toString()
}
