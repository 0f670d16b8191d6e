import {
  defineComponent,
  type FieldFault,
  inTurns,
  type OutputLimit,
  outputTooLarge,
  StepError,
  type Turns,
  WorkMeter
} from '../../plugin-api.ts'
import { describe } from './describe.ts'
import { splitByLength, splitBySeparator, splitLines, unescaped } from './text-parts.ts'

const MODES = ['Separator', 'Lines', 'Length'] as const

/** Cuts text into parts. */
export const splitText = defineComponent({
  type: 'split-text',
  title: 'Split text',
  description: 'Cuts text into parts: at a separator, by lines, or into pieces of a length that may overlap.',
  category: 'Data',
  icon: 'scissors',
  keywords: [
    'chunk',
    'chunks',
    'tokenize',
    'lines',
    'separator',
    'delimiter',
    'text splitter',
    'explode',
    'overlap'
  ],
  example: 'A long text in pieces of 1,000 characters that end at the end of a word.',
  effects: 'pure',
  fields: {
    mode: { kind: 'choice', title: 'Mode', choices: MODES, default: 'Separator' },
    separator: {
      kind: 'text',
      title: 'Separator',
      help: 'Stands between the parts. \\n is a line break, \\t a tab.',
      default: ',',
      placeholder: ','
    },
    length: {
      kind: 'number',
      title: 'Length',
      help: 'Of a piece, in characters, at most. It ends where a paragraph, a line, a sentence or a word does, if it can.',
      default: 1000,
      min: 1,
      max: 1_000_000,
      integer: true
    },
    overlap: {
      kind: 'number',
      title: 'Overlap',
      help: 'Characters, or lines in the mode Lines, that a piece has in common with the one before.',
      default: 0,
      min: 0,
      max: 1_000_000,
      integer: true
    },
    lines: {
      kind: 'number',
      title: 'Lines in a part',
      default: 1,
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      integer: true
    },
    trim: {
      kind: 'boolean',
      title: 'Trim',
      help: 'Spaces at both ends of a part are cut off.',
      default: true,
      hidden: true
    },
    drop_empty: { kind: 'boolean', title: 'Leave out empty parts', default: true, hidden: true }
  },
  inputs: { text: { title: 'Text', type: 'text' } },
  outputs: { data: { title: 'Data', type: 'any', help: 'A list of texts.' } },
  check: (fields) => faultsOf(fields),
  run: (step) => inTurns(split(textOf(step.inputs.text), step.fields, step.outputLimit), step)
})

/** What a part takes besides its characters. */
const WORK_PER_PART = 32

function* split(text: string, fields: Measures, limit: OutputLimit): Turns<{ data: string[] }> {
  const data: string[] = []
  const meter = new WorkMeter()
  let bytes = 0
  for (const parts of partsOf(text, fields)) {
    for (const part of parts) {
      const kept = fields.trim ? part.trim() : part
      if (kept !== '' || !fields.drop_empty) data.push(kept)
      bytes += kept.length
      // Parts that overlap may be many times as long as the text.
      if (bytes > limit.bytes)
        throw outputTooLarge(limit, { advice: 'Cut longer pieces, or let them overlap less' })
      if (meter.isTurnOver(WORK_PER_PART + part.length)) yield
    }
    yield
  }
  return { data }
}

function partsOf(text: string, { mode, separator, length, overlap, lines }: Measures): Iterable<string[]> {
  if (mode === 'Lines') return splitLines(text, lines, overlap)
  return mode === 'Length'
    ? splitByLength(text, length, overlap)
    : splitBySeparator(text, unescaped(separator))
}

function textOf(text: unknown): string {
  if (typeof text === 'string') return text
  throw new StepError(
    `What came by "text" is ${describe(text as never)}, and only text can be split. Wire a text to it.`,
    {
      code: 'not_a_text',
      retryable: false
    }
  )
}

interface Measures {
  readonly mode: string
  readonly separator: string
  readonly length: number
  readonly overlap: number
  readonly lines: number
  readonly trim: boolean
  readonly drop_empty: boolean
}

function faultsOf({ mode, separator, length, overlap, lines }: Measures): FieldFault[] {
  if (mode === 'Separator' && separator === '')
    return [{ field: 'separator', message: 'It is empty. Write what stands between the parts.' }]
  const most = mode === 'Length' ? length : lines
  if (mode === 'Separator' || overlap < most) return []
  return [
    {
      field: 'overlap',
      message: `The overlap must be smaller than a part (${most}): otherwise no part brings anything new.`
    }
  ]
}
