import { defineComponent, isPlainObject, type JsonValue, StepError } from '../../plugin-api.ts'

/** Brings several ways together. */
export const merge = defineComponent({
  type: 'merge',
  title: 'Merge',
  description: 'Brings what came by several ways together. Ways that nothing came by are left out.',
  category: 'Logic',
  icon: 'git-merge',
  keywords: [
    'join',
    'combine',
    'union',
    'append',
    'concat',
    'collect',
    'gather',
    'wait for all',
    'zip',
    'aggregate'
  ],
  example: 'The order by one wire and its customer by another become one object.',
  effects: 'pure',
  fields: {
    mode: {
      kind: 'choice',
      title: 'Mode',
      help: 'Combine: one object with the members of all, later inputs win. Append: one list of the items of all. List: a list with one item per input.',
      choices: ['Combine', 'Append', 'List'],
      default: 'Combine'
    },
    inputs: { kind: 'number', title: 'Inputs', default: 2, min: 2, max: 10, integer: true }
  },
  inputsFromCount: 'inputs',
  outputs: { data: { title: 'Data', type: 'any' } },
  run: ({ inputs, fields }) => {
    const given = Array.from({ length: fields.inputs }, (_, at) => `in_${at + 1}`)
      .map((name) => [name, (inputs as Record<string, JsonValue | undefined>)[name]] as const)
      .filter((input): input is [string, JsonValue] => input[1] !== undefined)
    if (fields.mode === 'List') return { data: given.map(([, value]) => value) }
    if (fields.mode === 'Append') return { data: given.flatMap(([name, value]) => itemsOf(name, value)) }
    return {
      data: Object.fromEntries(given.flatMap(([name, value]) => Object.entries(membersOf(name, value))))
    }
  }
})

function itemsOf(name: string, value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value
  throw new StepError(
    `What came by ${name} is not a list, and Append takes lists. Choose the mode List, or wire a list to it.`,
    { code: 'not_a_list', retryable: false }
  )
}

function membersOf(name: string, value: JsonValue): { readonly [key: string]: JsonValue } {
  if (isPlainObject(value)) return value
  throw new StepError(
    `What came by ${name} is not an object, and Combine takes objects. Choose the mode List, or wire an object to it.`,
    { code: 'not_an_object', retryable: false }
  )
}
