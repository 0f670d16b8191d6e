import type { Fault } from '../../errors.ts'
import { MOST } from '../document/flow-document.ts'

/** Lists of a document that are longer than they may be: told before anything is done with what is in them. */
export function tooLongLists(sent: Readonly<Record<string, unknown>>): Fault[] {
  return Object.entries(MOST).flatMap(([name, most]) => {
    const list = Object.hasOwn(sent, name) ? sent[name] : undefined
    if (!Array.isArray(list) || list.length <= most) return []
    const message = `"${name}" is a list of ${list.length}. Give at most ${most} items.`
    return [{ code: 'invalid_shape', path: `/${name}`, message }]
  })
}
