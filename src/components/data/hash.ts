import { createHash, createHmac } from 'node:crypto'
import {
  compileTemplate,
  defineComponent,
  inField,
  inTurns,
  type JsonValue,
  scopeOf,
  type Template,
  templateFault,
  writeJson
} from '../../plugin-api.ts'
import { AS_FIELD, eachItem } from './each-item.ts'

const ALGORITHMS = ['sha256', 'sha384', 'sha512', 'sha1', 'md5'] as const
const ENCODINGS = ['hex', 'base64', 'base64url'] as const

/** The fingerprint of a value. */
export const hash = defineComponent({
  type: 'hash',
  title: 'Hash',
  description: 'Gives the hash of a text or of data, with a key its HMAC: to compare, to sign, to name.',
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
      help: 'What is hashed. Empty: the data, as it is where it is text, else as JSON.',
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
    const digest = (item: JsonValue) => {
      const hashed = key === '' ? createHash(algorithm) : createHmac(algorithm, key)
      return hashed.update(textIn(item, prepared, run.variables), 'utf8').digest(encoding)
    }
    return inTurns(eachItem(inputs.data, as, digest), step)
  }
})

function textIn(
  item: JsonValue,
  template: Template | undefined,
  variables: Readonly<Record<string, JsonValue>>
): string {
  if (template === undefined) return typeof item === 'string' ? item : writeJson(item)
  const scope = scopeOf(item, variables)
  return inField('text', () => template.render(scope.data, scope.variables))
}
