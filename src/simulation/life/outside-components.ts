import { type AnyComponent, compileTemplate, defineComponent, StepError } from '../../plugin-api.ts'
import { acted, decided, folded, itemsOf, joined, referred } from './flow-spec.ts'

export interface OutsideCall {
  readonly runId: string
  readonly flowId: string
  readonly node: string
  readonly label: string
  readonly attempt: number
  readonly key: string
  readonly value: number
  readonly ms: number
  readonly mode: string
  readonly fails: number
  readonly signal: AbortSignal
}

/** What the components of the simulation reach outside. */
export interface Outside {
  /** Resolves when the other side has done it. Rejects where it refuses, or where nobody waits for it any more. */
  execute(call: OutsideCall): Promise<void>
}

const BY_SCHEDULE = { attempts: 9, schedule: [1_000, 2_000, 20_000] }

/** What generated flows are made of besides the built-in components. */
export function outsideComponents(outside: Outside): AnyComponent[] {
  const acts = [{ type: 'sim-act' }, { type: 'sim-act-by-schedule', retry: BY_SCHEDULE }].map((which) =>
    defineComponent({
      ...which,
      title: 'Act',
      fields: {
        label: { kind: 'text', title: 'Label' },
        ms: { kind: 'number', title: 'Milliseconds', default: 0 },
        mode: { kind: 'choice', title: 'Mode', choices: ['ok', 'fail', 'flaky', 'never'], default: 'ok' },
        fails: { kind: 'number', title: 'Failures', default: 0 },
        history: { kind: 'boolean', title: 'Reads the session', default: false }
      },
      inputs: { data: { title: 'Data', type: 'any' } },
      outputs: { data: { title: 'Data', type: 'any' } },
      run: async (step) => {
        const { fields, inputs, run, attempt, idempotencyKey: key, signal } = step
        const { label, ms, mode, fails } = fields
        const { v: value } = inputs.data as { v: number }
        if (fields.history) await step.history(2)
        signal.throwIfAborted()
        const { flowId } = run
        // A call that is executed where its agent is has a run of its own only when it has ended.
        const [runId, ...node] = key.split('/') as [string, ...string[]]
        await outside.execute({
          ...{ runId, flowId, node: node.join('/'), label, attempt, key, value, ms, mode, fails, signal }
        })
        return { data: { v: acted(label, value) } }
      }
    })
  )
  return [
    ...acts,
    defineComponent({
      type: 'sim-told',
      title: 'Told',
      effects: 'pure',
      inputs: { data: { title: 'Data', type: 'any' } },
      outputs: { data: { title: 'Data', type: 'any' } },
      run: ({ inputs }) => ({ data: JSON.parse(String(inputs.data)) })
    }),
    defineComponent({
      type: 'sim-refer',
      title: 'Refer',
      effects: 'pure',
      fields: { to: { kind: 'template', title: 'To' } },
      inputs: { data: { title: 'Data', type: 'any' } },
      outputs: { data: { title: 'Data', type: 'any' } },
      prepare: ({ to }) => compileTemplate(to),
      run: ({ inputs, prepared, run }) => {
        const other = Number(prepared.render({}, run.variables))
        return { data: { v: referred((inputs.data as { v: number }).v, other) } }
      }
    }),
    defineComponent({
      type: 'sim-list',
      title: 'List',
      effects: 'pure',
      fields: { count: { kind: 'number', title: 'Count', default: 0 } },
      inputs: { data: { title: 'Data', type: 'any' } },
      outputs: { items: { title: 'Items', type: 'any' } },
      run: ({ inputs, fields }) => ({ items: itemsOf(inputs.data.v, fields.count).map((v) => ({ v })) })
    }),
    defineComponent({
      type: 'sim-fold',
      title: 'Fold',
      effects: 'pure',
      inputs: { data: { title: 'Data', type: 'any' }, errors: { title: 'Errors', type: 'any' } },
      outputs: { data: { title: 'Data', type: 'any' } },
      run: ({ inputs }) => {
        const results = (inputs.data as ({ v: number } | null)[]).map((result) => result?.v ?? null)
        return { data: { v: folded(results, (inputs.errors as unknown[]).length) } }
      }
    }),
    defineComponent({
      type: 'sim-join',
      title: 'Join',
      effects: 'pure',
      inputs: { data: { title: 'Data', type: 'any' } },
      outputs: { data: { title: 'Data', type: 'any' } },
      run: ({ inputs }) => ({ data: { v: joined((inputs.data as { v: number }[]).map(({ v }) => v)) } })
    }),
    defineComponent({
      type: 'sim-decided',
      title: 'Decided',
      effects: 'pure',
      inputs: { data: { title: 'Data', type: 'any' } },
      outputs: { data: { title: 'Data', type: 'any' } },
      run: ({ inputs }) => ({ data: { v: decided(inputs.data.data.v, inputs.data.choice) } })
    }),
    defineComponent({
      type: 'sim-mute',
      title: 'Mute',
      effects: 'pure',
      inputs: { data: { title: 'Data', type: 'data' } },
      outputs: { data: { title: 'Text', type: 'text' } },
      run: () => ({ data: '' })
    }),
    defineComponent({
      type: 'sim-tick',
      title: 'Tick',
      effects: 'pure',
      inputs: { data: { title: 'Data', type: 'any' } },
      outputs: { data: { title: 'Data', type: 'any' } },
      run: () => ({ data: { v: 0 } })
    })
  ]
}

export function refusedOutside(isRetryable: boolean): StepError {
  return new StepError('The other side refused.', { code: 'refused_outside', retryable: isRetryable })
}
