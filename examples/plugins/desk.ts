import type { Context } from 'millrace'

const HOURS: Record<string, string> = { Saturday: '10 to 2', Sunday: 'closed' }

export default async function desk(context: Context) {
  const counts = { attempts: 0, succeeded: 0, failed: 0, cancelled: 0 }

  context.variable('city', 'Bremen')
  context.decorateRun('hours', HOURS)

  context.addRunHook('onRunStart', (run) => {
    if (run.input === null) throw new Error('The payload is null. Send an object with a weekday.')
  })
  context.addRunHook('onStep', (_step, next) => {
    counts.attempts++
    return next()
  })
  context.addRunHook('onRunEnd', (_run, { status }) => {
    counts[status]++
  })

  context.component({
    type: 'opening-hours',
    title: 'Opening hours',
    effects: 'pure',
    fields: { place: { kind: 'text', title: 'Place', default: 'The desk in {$city}' } },
    inputs: { data: { title: 'Data', type: 'data' } },
    outputs: { text: { title: 'Text', type: 'text' } },
    run: ({ inputs, fields, run }) => {
      const hours = run.hours as typeof HOURS
      return { text: `${fields.place}: ${hours[inputs.data.weekday] ?? '9 to 5'}` }
    }
  })

  context.get('/desk/counts', async () => counts)
}
