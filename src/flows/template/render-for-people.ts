import { ExactNumber, type JsonValue } from '../json/exact-json.ts'
import type { Template } from './compile-template.ts'
import { isolated, isRightToLeft, plainWords } from './plain-words.ts'
import type { Scope } from './read-path.ts'

const LINE_BREAK = /\r\n|\n|\r(?!\n)|[\x85\u2028\u2029]/
const BLANK_LINES = /(?:(?:\r\n|\n|\r(?!\n)|[\x85\u2028\u2029])[\p{Zs}\t\u2800]*){3,}/gu
/** Breaks, and more blanks than an author fills a column up with. */
const BREAKS = /[\s\x85\u2800]*[\n\r\x85\u2028\u2029][\s\x85\u2800]*|[\s\x85\u2800]{60,}/g

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
        const fitting = keepsLines && hasMoreOnLine(template, place) ? onOneLine(plain) : withoutGaps(plain)
        return encode(isBare(place, fitting) ? fitting : finish(fitting, value))
      },
      scope,
      contextVariables
    )
  const text = render((plain) => plain)
  // Without such letters nothing moves, and who looks at the text with a program finds nothing but the text.
  return isRightToLeft(text) ? render(isolatedValue) : text
}

function isolatedValue(printed: string, value: JsonValue | undefined): string {
  const isJson = typeof value === 'object' && value !== null && !(value instanceof ExactNumber)
  // The texts within would move each other's neighbours.
  return isJson ? printed.replace(/"(?:[^"\\]|\\.)*"/g, isolated) : isolated(printed)
}

/** Whether there is more on the line of the template in which this value stands. */
function hasMoreOnLine({ literals }: Template, place: number): boolean {
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
