import {
  compileTemplate,
  compileTemplateTree,
  defineComponent,
  type FieldFault,
  type FieldValues,
  inField,
  type JsonValue,
  readDuration,
  type Step,
  StepError,
  scopeOf,
  type Template,
  type TemplateTree,
  templateFault,
  templateTreeFaults
} from '../plugin-api.ts'

const OPERATIONS = ['Get', 'Set', 'Increment', 'Delete'] as const

const FIELDS = {
  operation: {
    kind: 'choice',
    title: 'Operation',
    choices: OPERATIONS,
    default: 'Get',
    help: 'Get reads, Set writes, Increment adds to a number, Delete forgets.'
  },
  key: {
    kind: 'template',
    title: 'Key',
    help: 'What it is kept under. Flows of the same context share their keys.',
    placeholder: 'orders:{customer}'
  },
  value: {
    kind: 'template',
    title: 'Value',
    help: 'For Set: what is kept. Empty: the data.',
    placeholder: '{order.id}'
  },
  by: {
    kind: 'number',
    title: 'By',
    default: 1,
    min: -Number.MAX_SAFE_INTEGER,
    max: Number.MAX_SAFE_INTEGER,
    help: 'For Increment: what is added. Below 0 it is taken away.'
  },
  default: {
    kind: 'json',
    title: 'Default',
    help: 'For Get: what leaves where nothing is kept under the key, such as 0 or []; texts in it are templates. An empty text: the step fails.',
    default: ''
  },
  expires_in: {
    kind: 'text',
    title: 'Expires in',
    help: 'For Set and Increment: how long it is kept, such as 15m, 2h or 30d. Empty: until it is deleted.',
    placeholder: '30d'
  }
} as const

type Values = FieldValues<typeof FIELDS>
type Prepared = Readonly<Record<'key' | 'value', Template> & Record<'default', TemplateTree>>

/** Remembers something from one run to the next. */
export const keep = defineComponent({
  type: 'keep',
  title: 'Keep',
  description: 'Keeps values for later runs: sets, reads, counts and deletes them by key.',
  category: 'Data',
  icon: 'archive',
  keywords: [
    'store',
    'key value',
    'kv',
    'cache',
    'redis',
    'static data',
    'memory',
    'variable',
    'global',
    'context',
    'counter',
    'count',
    'remember',
    'state',
    'deduplicate',
    'get',
    'set',
    'increment'
  ],
  example: 'Increment mails:{customer}, which expires in 1d: an If-Else lets the first three through.',
  // It waits for the store alone, and that as long as everything else does.
  timeoutMs: 24 * 60 * 60 * 1000,
  fields: FIELDS,
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: {
    data: {
      title: 'Data',
      type: 'any',
      help: 'What is kept; for Increment the sum; for Delete what was kept, or null.'
    }
  },
  check: faultsOf,
  prepare: ({ key, value, default: otherwise }): Prepared => ({
    key: compileTemplate(key),
    value: compileTemplate(value),
    default: compileTemplateTree(otherwise)
  }),
  run: async (step) => {
    const { data, variables } = scopeOf(step.inputs.data as JsonValue | undefined, step.run.variables)
    const { value, default: otherwise } = step.prepared
    const render: Render = (field) =>
      inField(field, () =>
        field === 'value' ? value.renderValue(data, variables) : otherwise.render(data, variables)
      ) ?? null
    const key = inField('key', () => step.prepared.key.render(data, variables))
    return { data: await OPERATION[step.fields.operation](step, key, render) }
  }
})

type KeepStep = Pick<Step, 'kept'> & {
  readonly fields: Values
  readonly inputs: { readonly data: unknown }
}
type Render = (field: 'value' | 'default') => JsonValue

const OPERATION: Readonly<
  Record<Values['operation'], (step: KeepStep, key: string, render: Render) => Promise<JsonValue>>
> = {
  Get: async ({ kept, fields }, key, render) => {
    const found = await kept.get(key)
    if (found !== undefined) return found
    if (fields.default !== '') return render('default')
    throw new StepError(
      `Nothing is kept under "${key.slice(0, 100)}" in the context of this flow. Set it first, or fill in Default.`,
      { code: 'kept_value_not_found', retryable: false }
    )
  },
  Set: async ({ kept, fields, inputs }, key, render) => {
    const value = fields.value === '' ? ((inputs.data ?? null) as JsonValue) : render('value')
    await kept.set(key, value, timeOf(fields))
    return value
  },
  Increment: ({ kept, fields }, key) => kept.increment(key, fields.by, timeOf(fields)),
  Delete: async ({ kept }, key) => (await kept.remove(key)) ?? null
}

function timeOf({ expires_in }: Values): { readonly expiresInMs?: number } {
  if (expires_in.trim() === '') return {}
  const read = readDuration(expires_in)
  if (typeof read === 'number') return { expiresInMs: read }
  throw new StepError(`Field "expires_in": ${read.wrong}`, { code: 'invalid_duration', retryable: false })
}

function faultsOf(fields: Values): FieldFault[] {
  const faults: FieldFault[] = (['key', 'value'] as const).flatMap((field) => {
    const fault = templateFault(fields[field])
    return fault === undefined ? [] : [{ field, ...fault }]
  })
  for (const fault of templateTreeFaults(fields.default)) faults.push({ field: 'default', ...fault })
  if (fields.key.trim() === '')
    faults.push({
      field: 'key',
      message: 'It is empty. Write what the value is kept under, such as orders:{customer}.'
    })
  // A variable of the context is filled in when the step runs.
  const time = fields.expires_in
  const read = time.trim() === '' || time.includes('{$') ? 0 : readDuration(time)
  if (typeof read !== 'number') faults.push({ field: 'expires_in', message: read.wrong })
  return faults
}
