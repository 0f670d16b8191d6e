import { counted } from '../flows/counted.ts'

export interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** How far it has come with one part of what it does. */
interface Step {
  readonly doing: string
  readonly part: string
  readonly done: number
  readonly total: number
}

interface Progress {
  show(step: Step): void
  /** What is written next begins on a line of its own. */
  end(): void
}

const BAR = 30
/** Without a terminal, a line for every so many percent: logs are read later. */
const LINE_EVERY = 20

/** A bar that is drawn anew on a terminal, and a few lines anywhere else. */
export function showProgress(output: Output): Progress {
  return output.isTTY === true ? drawBar(output) : writeLines(output)
}

function drawBar(output: Output): Progress {
  let part = ''
  return {
    show(step) {
      const { doing, part: next } = step
      if (part !== '' && part !== `${doing} ${next}`) output.write('\n')
      part = `${doing} ${next}`
      output.write(`\r\x1b[2K${barOf(step)}`)
    },
    end() {
      if (part !== '') output.write('\n')
      part = ''
    }
  }
}

function writeLines(output: Output): Progress {
  let part = ''
  let told = -1
  return {
    show(step) {
      const percent = percentOf(step)
      const name = `${step.doing} ${step.part}`
      if (part === name && percent !== 100 && percent < told + LINE_EVERY) return
      if (part === name && percent === told) return
      part = name
      told = percent
      output.write(`${lineOf(step)}\n`)
    },
    end() {}
  }
}

function barOf(step: Step): string {
  const filled = Math.round((percentOf(step) / 100) * BAR)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled)
  return `${nameOf(step)} ${bar} ${amountOf(step)}`
}

function lineOf(step: Step): string {
  return `${nameOf(step)} ${amountOf(step)}`
}

function nameOf({ doing, part }: Step): string {
  return `${doing} ${part.replaceAll('_', ' ')}`.padEnd(24)
}

function amountOf(step: Step): string {
  const { done, total } = step
  return `${String(percentOf(step)).padStart(3)} %  ${count(done)} of ${count(total)}`
}

function percentOf({ done, total }: Step): number {
  return total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total))
}

export function count(number: number): string {
  return number.toLocaleString('en')
}

/** "1 flow", "2,000 flows". */
export function countOf(number: number, thing: string): string {
  return counted(number, thing, count(number))
}
