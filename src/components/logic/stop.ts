import {
  compileTemplate,
  defineComponent,
  inField,
  type JsonValue,
  StepError,
  scopeOf,
  templateFault
} from '../../plugin-api.ts'

const CODE = /^[a-z][a-z0-9_]{0,63}$/

/** Fails the run on purpose. */
export const stop = defineComponent({
  type: 'stop',
  title: 'Stop',
  description: 'Fails the run, with a message and a code of your own.',
  category: 'Logic',
  icon: 'octagon-x',
  keywords: ['fail', 'error', 'throw', 'raise', 'abort', 'exit', 'terminate', 'stop and error', 'end'],
  example: 'Order {order_id} has no lines: the run fails with these words.',
  effects: 'pure',
  fields: {
    message: {
      kind: 'template',
      title: 'Message',
      help: 'What the run fails with.',
      default: 'The run was stopped.',
      placeholder: 'Order {order_id} has no customer.'
    },
    code: {
      kind: 'text',
      title: 'Code',
      help: 'A code that others can recognise this failure by: lower-case letters, digits and underscores.',
      default: 'stopped'
    }
  },
  mainFields: ['message'],
  inputs: { data: { title: 'Data', type: 'any' } },
  check: ({ message, code }) => {
    const fault = templateFault(message)
    if (fault !== undefined) return [{ field: 'message', ...fault }]
    if (CODE.test(code)) return []
    return [
      {
        field: 'code',
        message: `"${code}" is not a code. Use lower-case letters, digits and underscores, such as no_customer.`
      }
    ]
  },
  prepare: ({ message }) => compileTemplate(message),
  run: ({ inputs, fields, prepared, run }) => {
    const { data, variables } = scopeOf(inputs.data as JsonValue | undefined, run.variables)
    const message = inField('message', () => prepared.render(data, variables))
    throw new StepError(message, { code: fields.code, retryable: false })
  }
})
