import { writeJson } from '../../../flows/json/exact-json.ts'
import type { Output, Outside } from '../outside.ts'
import { coloured, type Paint, plain } from './paint.ts'
import { type Column, listOf, tableOf } from './table.ts'
import { coloursAlone, harmlessLines } from './width.ts'

/** What a command says: its answer, to people as tables and to programs as JSON, and notes beside it. */
export class Screen {
  /** The answer is for a program. */
  readonly isJson: boolean
  /** Whoever reads the answer sits at a terminal. */
  readonly isTerminal: boolean
  /** Of the terminal; null where the answer goes elsewhere. */
  readonly width: number | null
  readonly paint: Paint
  readonly #output: Output
  readonly notes: Output

  constructor({ output, notes, env }: Pick<Outside, 'output' | 'notes' | 'env'>, isJson: boolean) {
    this.#output = output
    this.notes = notes
    this.isJson = isJson
    this.isTerminal = output.isTTY === true
    this.width = this.isTerminal ? (output.columns ?? 80) : null
    // https://no-color.org
    const hasColours = this.isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
    this.paint = hasColours ? coloured : plain
  }

  /** On a terminal nothing is left that it would take for an order, besides the colours. */
  print = (text: string): void => {
    this.#output.write(this.isTerminal ? coloursAlone(text) : text)
  }

  /** Whole, on lines of its own. */
  json(value: unknown): void {
    this.print(`${writeJson(value, 2)}\n`)
  }

  /** One value on one line, of several that come over time. */
  jsonLine(value: unknown): void {
    this.print(`${writeJson(value)}\n`)
  }

  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
    this.print(tableOf(columns, rows, this))
  }

  list(entries: readonly (readonly [name: string, value: string])[]): void {
    this.print(listOf(entries, this.paint))
  }

  /** To people, beside the answer. */
  note(text: string): void {
    this.notes.write(`${harmlessLines(text)}\n`)
  }
}
