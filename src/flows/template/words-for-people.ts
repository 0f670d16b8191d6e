import { ExactNumber, type JsonValue } from '../json/exact-json.ts'
import type { Template } from './compile-template.ts'
import type { Scope } from './read-path.ts'

/**
 * What others send, in words that people read and decide by. Signs that nobody sees can show "98001" as "10089", and letters
 * that are written from right to left move the numbers beside them. So a value keeps its letters and loses such signs,
 * and what stands around it keeps its place. Only for people: what goes to machines is never changed.
 */

// Controls, marks, embeddings and isolates of direction; spaces and joiners of no width, letters that are blank, tags;
// controls but tab and line break. The two joiners that Persian, Indian scripts and emoji are spelled with stay, and so do
// variation selectors.
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/gu

/** What turns text round. The isolates that `words` and `renderForPeople` set are not among them. */
const TURNING = /[\u202a-\u202e\u2066\u2067]/g

/** More marks than any language puts on one letter: they would cover the lines around it. */
const HEAPED_MARKS = /([\p{M}\u200c\u200d]{8})[\p{M}\u200c\u200d]+/gu

/** The blocks that Unicode keeps for what is written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const LINE_BREAK = /\r\n|\n|\r(?!\n)|[\x85\u2028\u2029]/
const BLANK_LINES = /(?:(?:\r\n|\n|\r(?!\n)|[\x85\u2028\u2029])[\p{Zs}\t\u2800]*){3,}/gu
/** Breaks, and more blanks than an author fills a column up with. */
const BREAKS = /[\s\x85\u2800]*[\n\r\x85\u2028\u2029][\s\x85\u2800]*|[\s\x85\u2800]{60,}/g

/** By Unicode: isolate what follows, in the direction of its first letter; end of that. */
const ISOLATE = '\u2068'
const END_ISOLATE = '\u2069'

/** Text of somebody else without what nobody can see in it. */
export function plainWords(text: string): string {
  return text.replace(UNSEEN, '').replace(HEAPED_MARKS, '$1')
}

/** For text that was made for people already: what keeps its values apart stays, and the marks of its author. */
export function plainWholeText(text: string): string {
  return text.replace(TURNING, '').replace(HEAPED_MARKS, '$1')
}

/** A sentence of ours with words of others in it: words`Delete ${name}?`. */
export function words(sentence: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  const plain = values.map((value) => plainWords(String(value)))
  const text = String.raw({ raw: sentence }, ...plain)
  return RIGHT_TO_LEFT.test(text) ? String.raw({ raw: sentence }, ...plain.map(isolated)) : text
}

export interface RenderingForPeople {
  /** How a value is written in the syntax of the text around it. */
  readonly encode?: (value: string) => string
  /** Whether the value at this place is part of something that isolates would break: an address, an attribute. */
  readonly isBare?: (place: number, value: string) => boolean
  /** Whether a value stays on its line where the template goes on behind it: lines of its own would hide the rest. */
  readonly keepsLines?: boolean
}

/** `render` for a text that a person reads. What the author wrote stays as it is, each value is made plain. */
export function renderForPeople(
  template: Template,
  scope: Scope,
  contextVariables?: Scope,
  options: RenderingForPeople = {}
): string {
  const { encode = (text: string) => text, isBare = () => false, keepsLines = false } = options
  const render = (finish: (text: string, value: JsonValue | undefined) => string) =>
    template.renderEncoded(
      (printed, value, place) => {
        const plain = plainWords(printed)
        const fitting = keepsLines && goesOn(template, place) ? onOneLine(plain) : withoutGaps(plain)
        return encode(isBare(place, fitting) ? fitting : finish(fitting, value))
      },
      scope,
      contextVariables
    )
  const text = render((plain) => plain)
  // Without such letters nothing moves, and who looks at the text with a program finds nothing but the text.
  return RIGHT_TO_LEFT.test(text) ? render(isolatedValue) : text
}

function isolatedValue(printed: string, value: JsonValue | undefined): string {
  const isJson = typeof value === 'object' && value !== null && !(value instanceof ExactNumber)
  // The texts within would move each other's neighbours.
  return isJson ? printed.replace(/"(?:[^"\\]|\\.)*"/g, isolated) : isolated(printed)
}

/** An isolate ends with its line. */
function isolated(text: string): string {
  if (text === '') return text
  return text
    .split(new RegExp(`(${LINE_BREAK.source})`))
    .map((part, at) => (at % 2 === 1 || part === '' ? part : ISOLATE + part + END_ISOLATE))
    .join('')
}

/** Whether there is more on the line of the template in which this value stands. */
function goesOn({ literals }: Template, place: number): boolean {
  const [rest = ''] = literals[place + 1]!.split(LINE_BREAK, 1)
  const isLineOver = rest.length < literals[place + 1]!.length
  const isLast = place + 2 === literals.length
  return rest.trim() !== '' || !(isLineOver || isLast)
}

function onOneLine(text: string): string {
  return text.replace(BREAKS, ' ')
}

/** Pages of nothing would push what follows out of sight. */
function withoutGaps(text: string): string {
  return text.replace(BLANK_LINES, '\n\n')
}
