import type { Context } from 'millrace'

export default async function triage(context: Context) {
  context.component({
    type: 'triage',
    title: 'Triage',
    description: 'Waits for a while, then leaves by the desk that the data names.',
    effects: 'pure',
    fields: {
      desks: { kind: 'list', title: 'Desks', item: 'Desk', default: ['sales', 'support'] },
      seconds: { kind: 'number', title: 'Seconds', default: 1 }
    },
    inputs: { data: { title: 'Data', type: 'data' } },
    outputs: { nobody: { title: 'Nobody', type: 'data' } },
    outputsFromList: 'desks',
    run: ({ fields, wait }) => wait({ kind: 'time', forMs: fields.seconds * 1000 }),
    resume: ({ inputs, fields, listedOutputs }) => {
      const place = fields.desks.indexOf(inputs.data.desk)
      return { [listedOutputs[place] ?? 'nobody']: inputs.data }
    }
  })
}
