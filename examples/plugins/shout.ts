import { type Context, share } from 'millrace'

async function shout(context: Context) {
  context.component({
    type: 'shout',
    title: 'Shout',
    effects: 'pure',
    inputs: { text: { title: 'Text', type: 'text' } },
    outputs: { text: { title: 'Text', type: 'text' } },
    run: ({ inputs }) => ({ text: inputs.text.toUpperCase() })
  })
}

export default share(shout)
