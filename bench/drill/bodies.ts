import type { FlowName } from './flows.ts'
import type { Item } from './program.ts'
import type { BreakableItem } from './repeat.ts'

/** A request body, and the text that its run has to print in the end. */
export interface Body {
  readonly bytes: Buffer
  readonly text: string
  /** Of those that repeat over a list, which print nothing. */
  readonly items?: readonly (Item & Partial<BreakableItem>)[]
}

const NAMES = ['Ann', 'Zoë Müller', '李雷', "O'Neil \\ Sons", 'Ωmega 🌊']

/** Bodies are all different, so that a run that got another's input is found out. */
export function makeBody(flow: FlowName, number: number, random: () => number): Body {
  const name = NAMES[Math.floor(random() * NAMES.length)]!
  if (flow === 'ledger') return orderBody(number, name)
  return flow === 'pure' ? anyBody(number, name, random) : listBody(flow, number, name, random)
}

const MOST_ITEMS = 5
/** The share of items that break. */
const BREAKS = 0.2

function listBody(flow: FlowName, number: number, name: string, random: () => number): Body {
  const count = 1 + Math.floor(random() * MOST_ITEMS)
  const items = Array.from({ length: count }, (_, index) => {
    const line = `${number}.${index} ${name}`
    if (flow !== 'repeat') return { line }
    // The last one of every other list for certain, so that something breaks in the shortest drill.
    const breaks = random() < BREAKS || (index === count - 1 && number % 40 < 20)
    return { line: breaks ? `${line}!` : line, breaks }
  })
  return { bytes: Buffer.from(JSON.stringify(items)), text: '', items }
}

/** Spaces that a parser would drop, and an id with more digits than a double holds. */
function orderBody(number: number, name: string): Body {
  const id = `9007199254${String(number).padStart(9, '0')}`
  const bytes = Buffer.from(`{ "order_id":${id},  "customer" : ${JSON.stringify(name)} }\n`)
  return { bytes, text: `Order ${id} from ${name}` }
}

function anyBody(number: number, name: string, random: () => number): Body {
  if (random() < 0.5) {
    const value = { number, name, list: [1, 'two', null] }
    return { bytes: Buffer.from(JSON.stringify(value)), text: JSON.stringify(value, null, 2) }
  }
  const text = `number=${number}&name=${name}, which is not JSON`
  return { bytes: Buffer.from(text), text: JSON.stringify({ payload: text }, null, 2) }
}
