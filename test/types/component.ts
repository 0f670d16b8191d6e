import {
  type AnyComponent,
  type AskedWait,
  type ChildResult,
  type ChildRuns,
  type Context,
  defineComponent,
  type JsonValue,
  type RunTrigger,
  type StepWait,
  type Woken
} from 'millrace'
import { expectType } from './expect-type.ts'

/** A component's `run` is typed by its definition, by `defineComponent` and by `context.component` alike. */
declare const context: Context

// biome-ignore lint/suspicious/noExplicitAny: that some inputs are `any` is what is tested
type Loose = any

// A field has the type of its kind, and a choice is one of its choices.
context.component({
  type: 'fields',
  title: 'Fields',
  fields: {
    greeting: { kind: 'text', title: 'Greeting', default: 'Hello' },
    template: { kind: 'template', title: 'Template' },
    token: { kind: 'secret', title: 'Token' },
    times: { kind: 'number', title: 'Times', min: 1 },
    loud: { kind: 'boolean', title: 'Loud' },
    tone: { kind: 'choice', title: 'Tone', choices: ['kind', 'stern'] },
    extra: { kind: 'json', title: 'Extra' }
  },
  check: ({ times }) => {
    expectType<number>()(times)
    return []
  },
  run: ({ fields }) => {
    expectType<string>()(fields.greeting)
    expectType<string>()(fields.template)
    expectType<string>()(fields.token)
    expectType<number>()(fields.times)
    expectType<boolean>()(fields.loud)
    expectType<'kind' | 'stern'>()(fields.tone)
    expectType<JsonValue>()(fields.extra)
    // @ts-expect-error: a number is not a string
    const times: string = fields.times
    // @ts-expect-error: there is no such choice
    if (fields.tone === 'rude') return
    // @ts-expect-error: there is no such field
    fields.greting
    // @ts-expect-error: fields are shared by all runs, so nobody sets one
    fields.loud = true
    return { times }
  }
})

// Text is text and a table is a list of rows. Data is whatever the sender sent, so it is loosely typed on purpose.
context.component({
  type: 'inputs',
  title: 'Inputs',
  inputs: {
    text: { title: 'Text', type: 'text' },
    rows: { title: 'Rows', type: 'table' },
    data: { title: 'Data', type: 'data' },
    any: { title: 'Any', type: 'any' }
  },
  run: ({ inputs }) => {
    expectType<string>()(inputs.text)
    expectType<readonly { readonly [column: string]: JsonValue }[]>()(inputs.rows)
    expectType<Loose>()(inputs.data)
    expectType<Loose>()(inputs.any)
    expectType<Loose>()(inputs.data.customer.name)
    // @ts-expect-error: there is no such input
    inputs.txt
    // @ts-expect-error: text is not a number
    const length: number = inputs.text
    return { length }
  }
})

// What `run` returns fits the outputs; any of them may be left out, and so may all.
const outputs = { text: { title: 'Text', type: 'text' }, rows: { title: 'Rows', type: 'table' } } as const
context.component({ type: 'a', title: 'A', outputs, run: () => ({ text: 'a', rows: [{ a: 1 }] }) })
context.component({ type: 'a', title: 'A', outputs, run: async () => ({ text: 'a' }) })
context.component({
  type: 'a',
  title: 'A',
  outputs,
  run: ({ attempt }) => (attempt > 1 ? { text: 'a' } : { rows: [] })
})
context.component({ type: 'a', title: 'A', run: ({ run }) => run.say({ text: 'a' }) })
context.component({ type: 'a', title: 'A', async run() {} })
// @ts-expect-error: the output is text
context.component({ type: 'a', title: 'A', outputs, run: () => ({ text: 1 }) })
// @ts-expect-error: the output is text, awaited or not
context.component({ type: 'a', title: 'A', outputs, run: async () => ({ text: 1 }) })
// @ts-expect-error: a table is a list
context.component({ type: 'a', title: 'A', outputs, run: () => ({ rows: { a: 1 } }) })
// @ts-expect-error: there is no such output
context.component({ type: 'a', title: 'A', outputs, run: () => ({ txt: 'a' }) })

// `prepared` is what `prepare` returned. It stands above `run`: types are inferred from top to bottom.
context.component({
  type: 'prepared',
  title: 'Prepared',
  fields: { pattern: { kind: 'text', title: 'Pattern' } },
  prepare: ({ pattern }) => new RegExp(pattern),
  run: ({ prepared }) => {
    expectType<RegExp>()(prepared)
  }
})
context.component({
  type: 'unprepared',
  title: 'Unprepared',
  run: ({ prepared, fields, inputs }) => {
    expectType<undefined>()(prepared)
    // @ts-expect-error: a component without fields has none
    fields.any
    // @ts-expect-error: a component without inputs has none
    inputs.any
  }
})

// What a component opens is what its steps find, and what it closes.
context.component({
  type: 'pooled',
  title: 'Pooled',
  fields: { size: { kind: 'number', title: 'Size' } },
  open: async ({ fields }) => {
    expectType<number>()(fields.size)
    return { size: fields.size, end: () => {} }
  },
  close: (pool) => {
    expectType<{ size: number; end: () => void }>()(pool)
  },
  run: ({ opened }) => {
    expectType<{ size: number; end: () => void }>()(opened)
  }
})

// A trigger starts runs, and returns what stops it.
context.component({
  type: 'heard',
  title: 'Heard',
  trigger: 'heard',
  fields: { topic: { kind: 'text', title: 'Topic' } },
  outputs: { data: { title: 'Data', type: 'data' } },
  start: ({ fields, startRun, failed, signal, flow }) => {
    expectType<string>()(fields.topic)
    expectType<AbortSignal>()(signal)
    expectType<number>()(flow.version)
    expectType<Promise<string>>()(startRun({ any: 'thing' }, { id: 'once' }))
    failed(new Error('away'))
    return () => {}
  },
  run: ({ run }) => ({ data: run.input })
})

// What every step has.
context.component({
  type: 'step',
  title: 'Step',
  run: ({ run, signal, node, attempt, idempotencyKey }) => {
    expectType<string>()(run.id)
    expectType<RunTrigger>()(run.trigger)
    expectType<JsonValue>()(run.input)
    // A context need not see the decoration, so it has no type before it is looked at.
    expectType<unknown>()(run.region)
    expectType<AbortSignal>()(signal)
    expectType<string>()(node)
    expectType<number>()(attempt)
    expectType<string>()(idempotencyKey)
    // @ts-expect-error: a message is an object with a text
    run.say('hello')
  }
})

// A definition that could not be drawn or run does not compile.
// @ts-expect-error: no title
context.component({ type: 'a', run: () => ({}) })
// @ts-expect-error: no run
context.component({ type: 'a', title: 'A' })
// @ts-expect-error: no such effects
context.component({ type: 'a', title: 'A', effects: 'none', run: () => ({}) })
// @ts-expect-error: no such kind of port
context.component({ type: 'a', title: 'A', inputs: { a: { title: 'A', type: 'tex' } }, run: () => ({}) })
// @ts-expect-error: no such kind of field
context.component({ type: 'a', title: 'A', fields: { a: { kind: 'txt', title: 'A' } }, run: () => ({}) })
context.component({
  type: 'a',
  title: 'A',
  // @ts-expect-error: the default of a number is a number
  fields: { times: { kind: 'number', title: 'Times', default: '1' } },
  run: () => ({})
})

// The same by defineComponent, for a component that is written in a file of its own.
const greet = defineComponent({
  type: 'greet',
  title: 'Greet',
  fields: {
    tone: { kind: 'choice', title: 'Tone', choices: ['kind', 'stern'] },
    times: { kind: 'number', title: 'Times' }
  },
  inputs: { text: { title: 'Text', type: 'text' }, data: { title: 'Data', type: 'data' } },
  outputs: { text: { title: 'Text', type: 'text' } },
  prepare: ({ times }) => ({ dots: '.'.repeat(times) }),
  run: ({ inputs, fields, prepared }) => {
    expectType<'kind' | 'stern'>()(fields.tone)
    expectType<number>()(fields.times)
    expectType<string>()(inputs.text)
    expectType<Loose>()(inputs.data.name)
    expectType<{ dots: string }>()(prepared)
    // @ts-expect-error: there is no such input
    inputs.txt
    return { text: `${inputs.text}${prepared.dots}` }
  }
})
// @ts-expect-error: the output is text
defineComponent({ type: 'a', title: 'A', outputs, run: () => ({ text: 1 }) })

// A definition is registered as it is, alone or from a list.
context.component(greet)
const list: readonly AnyComponent[] = [greet]
for (const component of list) context.component(component)

// A step that waits returns the wait, and goes on in `resume`; a step that starts runs waits for them.
context.component({
  type: 'waits',
  title: 'Waits',
  fields: { choices: { kind: 'list', title: 'Choices' }, most: { kind: 'number', title: 'Most' } },
  outputs: { late: { title: 'Late', type: 'data' } },
  outputsFromList: 'choices',
  inputsFromCount: 'most',
  run: ({ wait }) => {
    // @ts-expect-error: nothing waits for the weather
    wait({ kind: 'weather' })
    const asked: AskedWait = { kind: 'answer', forMs: 1_000, question: { text: 'Yes?', choices: ['yes'] } }
    return wait(asked)
  },
  resume: ({ listedOutputs }, woken) => {
    expectType<Woken>()(woken)
    return woken.by === 'time' ? { late: woken.at } : { [listedOutputs[0]!]: woken.value }
  }
})
context.component({
  type: 'starts',
  title: 'Starts',
  outputs: { data: { title: 'Data', type: 'any' } },
  run: async ({ children }): Promise<StepWait> => {
    expectType<ChildRuns>()(children)
    await children.startFlow('other', { n: 1 }, true)
    return children.wait()
  },
  resume: async ({ children }) => {
    const results: ChildResult[] = []
    for await (const result of children.results(() => ({ n: 1 }))) results.push(result)
    return { data: results }
  }
})
context.component({
  type: 'misnamed',
  title: 'Misnamed',
  fields: { choices: { kind: 'list', title: 'Choices' } },
  // @ts-expect-error: there is no such field
  outputsFromList: 'choises',
  run: () => {}
})
