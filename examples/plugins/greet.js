export default async function greet(context) {
  context.component({
    type: 'greet',
    title: 'Greet',
    effects: 'pure',
    inputs: { data: { title: 'Data', type: 'data' } },
    outputs: { text: { title: 'Text', type: 'text' } },
    run: ({ inputs }) => ({ text: `Hello ${inputs.data.name}` })
  })
}
