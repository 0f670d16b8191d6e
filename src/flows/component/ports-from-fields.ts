import type { JsonValue } from '../json/exact-json.ts'
import { slugify } from '../slug.ts'
import type { Ports } from './ports.ts'

/** An output per text of a list: `Very late` leaves by `very-late`. */
export function outputsOfList(list: JsonValue | undefined, others: Iterable<string>): Ports {
  const texts = textsIn(list)
  const names = namesOfList(list, others)
  return Object.fromEntries(names.map((name, at) => [name, { title: texts[at]!, type: 'any' }]))
}

/** By place in the list, named in the manner of a slug. One that would be named like another port gets a number. */
export function namesOfList(list: JsonValue | undefined, others: Iterable<string>): string[] {
  const taken = new Set(others)
  return textsIn(list).map((text) => {
    const base = slugify(text) || 'case'
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`
    taken.add(name)
    return name
  })
}

/** So many inputs: `in_1`, `in_2` … */
export function inputsOfCount(count: JsonValue | undefined): Ports {
  const names = Array.from({ length: typeof count === 'number' ? count : 0 }, (_, at) => at + 1)
  return Object.fromEntries(names.map((n) => [`in_${n}`, { title: `Input ${n}`, type: 'any' }]))
}

function textsIn(list: JsonValue | undefined): string[] {
  return Array.isArray(list) ? list.map(String) : []
}
