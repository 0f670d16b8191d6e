/**
 * A plugin for Millrace. It gets a context of its own, /myPlugin: the flows in that context, and below it, see what
 * is registered here.
 *
 * @import { Context } from 'millrace'
 * @param {Context} context
 */
export default async function myPlugin(context) {
  context.component({
    type: 'my-plugin',
    title: 'My Plugin',
    description: 'Greets whoever the data names.',
    // The outputs follow from inputs and fields alone. Write 'external' as soon as it reaches outside.
    effects: 'pure',
    fields: { greeting: { kind: 'text', title: 'Greeting', default: 'Hello' } },
    inputs: { data: { title: 'Data', type: 'data' } },
    outputs: { text: { title: 'Text', type: 'text' } },
    run: ({ inputs, fields }) => ({ text: greet(inputs.data?.name, fields.greeting) })
  })
}

/**
 * @param {unknown} name
 * @param {string} greeting
 */
export function greet(name, greeting) {
  if (typeof name !== 'string') throw noName()
  return `${greeting} ${name}`
}

/** The code tells programs what was wrong, the message tells people what to do. */
function noName() {
  const error = new Error('The data has no "name". Send one, for example {"name":"Ann"}.')
  return Object.assign(error, { code: 'no_name', retryable: false })
}
