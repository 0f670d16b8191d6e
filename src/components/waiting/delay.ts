import {
  compileTemplate,
  DURATION_HELP,
  defineComponent,
  type FieldFault,
  inField,
  type JsonValue,
  readDuration,
  StepError,
  scopeOf,
  type Template,
  templateFault
} from '../../plugin-api.ts'
import { readTime, TIME_HELP } from './iso-time.ts'

type End = { readonly field: 'for' | 'until'; readonly template: Template }

/** Lets what reaches it go on later. */
export const delay = defineComponent({
  type: 'delay',
  title: 'Delay',
  description:
    'Waits for a time, or until a moment, and lets what reached it go on. The run costs nothing meanwhile.',
  category: 'Waiting',
  icon: 'hourglass',
  keywords: ['wait', 'sleep', 'pause', 'timer', 'later', 'schedule', 'hold'],
  example: 'A reminder goes out 3d after the order, or at {ship_at}.',
  effects: 'pure',
  fields: {
    for: {
      kind: 'template',
      title: 'For',
      help: 'How long: a number of s, m, h or d.',
      placeholder: '15m'
    },
    until: {
      kind: 'template',
      title: 'Until',
      help: 'Or until when: a time in ISO 8601, in UTC where it names no zone.',
      placeholder: '{ship_at}'
    }
  },
  mainFields: ['for'],
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: { data: { title: 'Data', type: 'any', help: 'What reached it, when the time is over.' } },
  check: (fields) => {
    const faults = (['for', 'until'] as const).flatMap((field) => {
      const fault = templateFault(fields[field])
      return fault === undefined ? [] : [{ field, ...fault }]
    })
    return faults.length > 0 ? faults : endFaults(fields)
  },
  prepare: ({ for: span, until }): End =>
    until.trim() === ''
      ? { field: 'for', template: compileTemplate(span) }
      : { field: 'until', template: compileTemplate(until) },
  run: ({ inputs, prepared: { field, template }, run, wait }) => {
    const { data, variables } = scopeOf(inputs.data as JsonValue | undefined, run.variables)
    const text = inField(field, () => template.render(data, variables))
    return wait({ kind: 'time', ...(field === 'for' ? { forMs: spanOf(text) } : { until: momentOf(text) }) })
  },
  resume: ({ inputs }) => ({ data: inputs.data ?? null })
})

function endFaults({ for: span, until }: Readonly<Record<'for' | 'until', string>>): FieldFault[] {
  const [hasSpan, hasMoment] = [span.trim() !== '', until.trim() !== '']
  if (!hasSpan && !hasMoment)
    return [{ field: 'for', message: `It does not say how long to wait. ${DURATION_HELP} Or fill in Until.` }]
  if (hasSpan && hasMoment)
    return [{ field: 'until', message: 'It waits for a time and until a moment. Empty one of the two.' }]
  const field = hasSpan ? 'for' : 'until'
  const text = writtenOut(hasSpan ? span : until)
  if (text === undefined) return []
  const wrong = hasSpan ? wrongSpan(text) : wrongMoment(text)
  return wrong === undefined ? [] : [{ field, message: wrong }]
}

/** The text of a template that needs no data; undefined for any other, which only a run can judge. */
function writtenOut(source: string): string | undefined {
  const template = compileTemplate(source)
  const { variables, contextVariables } = template
  return variables.length + contextVariables.length > 0 ? undefined : template.render({})
}

function wrongSpan(text: string): string | undefined {
  const read = readDuration(text)
  return typeof read === 'number' ? undefined : read.wrong
}

/** By the clock of the machine: a flow that is saved with a moment of yesterday would fail in every run. */
function wrongMoment(text: string): string | undefined {
  const at = readTime(text)
  if (at === undefined) return `${JSON.stringify(text)} is not a time. ${TIME_HELP}`
  return at > Date.now() ? undefined : `${JSON.stringify(text)} is in the past. Name a later moment.`
}

function spanOf(text: string): number {
  const read = readDuration(text)
  if (typeof read === 'number') return read
  throw new StepError(`Field "for": ${read.wrong}`, { code: 'invalid_duration', retryable: false })
}

function momentOf(text: string): number {
  const at = readTime(text)
  if (at !== undefined) return at
  throw new StepError(`Field "until": ${JSON.stringify(text.slice(0, 100))} is not a time. ${TIME_HELP}`, {
    code: 'invalid_time',
    retryable: false
  })
}
