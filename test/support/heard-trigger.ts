import assert from 'node:assert/strict'
import type { AnyPlugin } from '../../src/contexts/share-plugin.ts'
import type { Context, StartedTrigger } from '../../src/millrace.ts'

export type Started = StartedTrigger<{ readonly topic: string }>

/** What a plugin's trigger was told, in order, and those that are started now. */
export class HeardTrigger {
  readonly told: string[] = []
  readonly started = new Set<Started>()
  /** How often a start fails before it succeeds. */
  failures = 0
  /** Called right before it is started. */
  onStart = () => {}

  get only(): Started {
    assert.equal(this.started.size, 1, this.told.join())
    return [...this.started][0]!
  }

  readonly plugin: AnyPlugin = Object.assign(
    async (context: Context) => {
      context.component({
        type: 'heard',
        title: 'Heard',
        effects: 'pure',
        trigger: 'heard',
        fields: { topic: { kind: 'text', title: 'Topic', default: 'news' } },
        outputs: { data: { title: 'Data', type: 'data' } },
        start: (trigger) => {
          if (this.failures-- > 0) throw new Error('the broker is away')
          this.onStart()
          this.told.push(`start ${trigger.fields.topic} v${trigger.flow.version}`)
          this.started.add(trigger)
          return () => {
            this.started.delete(trigger)
            this.told.push(`stop v${trigger.flow.version}`)
          }
        },
        run: ({ run }) => ({ data: run.input })
      })
      context.component({
        type: 'pooled',
        title: 'Pooled',
        effects: 'pure',
        inputs: { data: { title: 'Data', type: 'data' } },
        outputs: { data: { title: 'Data', type: 'data' } },
        open: ({ flow }) => {
          this.told.push(`open v${flow.version}`)
          return { version: flow.version }
        },
        close: ({ version }) => this.told.push(`close v${version}`),
        run: ({ opened }) => ({ data: opened.version })
      })
    },
    { [Symbol.for('skip-override')]: true }
  ) as AnyPlugin
}

export const HEARD_NODES = [
  { id: 'heard-1', type: 'heard', position: { x: 0, y: 0 }, fields: {} },
  { id: 'pooled-1', type: 'pooled', position: { x: 300, y: 0 }, fields: {} }
]
export const HEARD_FLOW = {
  name: 'Heard',
  slug: 'heard',
  nodes: HEARD_NODES,
  edges: [{ from: 'heard-1.data', to: 'pooled-1.data' }]
}
