import type { Become } from '../become.ts'
import type { N8nNode, N8nWire } from './n8n-node.ts'

/** What comes of no items: n8n runs nothing that follows, unless the node says that it always gives one. */
export type OnEmpty = 'stop' | 'list' | 'item'

/** These wait for the lists of several nodes, of which one may be empty. */
const TAKE_EMPTY = new Set(['merge', 'compareDatasets'])

/** By the node, and by the name of one: whether it takes a list without items. */
export function emptinessOf(
  nodes: readonly N8nNode[],
  wires: readonly N8nWire[]
): { onEmpty: (node: N8nNode) => OnEmpty; takesEmpty: (name: string) => boolean } {
  const takers = new Set(nodes.filter(({ type }) => TAKE_EMPTY.has(type)).map(({ name }) => name))
  const feeding = new Set(wires.filter(({ to }) => takers.has(to)).map(({ from }) => from))
  return {
    onEmpty: ({ name, raw }) =>
      raw.alwaysOutputData === true ? 'item' : feeding.has(name) ? 'list' : 'stop',
    takesEmpty: (name) => takers.has(name)
  }
}

/** Code that hands on a list. */
export function handedOn(list: string, onEmpty: OnEmpty): string {
  if (onEmpty === 'list') return `return ${list}`
  return `const $all = ${list}\nreturn $all.length === 0 ? ${onEmpty === 'item' ? '[{}]' : 'undefined'} : $all`
}

const LISTING = new Set(['sql', 'join', 'api-request', 'convert'])

/** The same of a component that may give a list without items. */
export function withoutEmpty(become: Become, onEmpty: OnEmpty): Become {
  const end = become.gives('0')
  const part = end?.slice(0, end.indexOf('.')) ?? ''
  if (onEmpty === 'list' || !LISTING.has(become.parts[part]?.type ?? '')) return become
  const given = onEmpty === 'item' ? '[{}]' : 'undefined'
  const code = `return Array.isArray(data) && data.length === 0 ? ${given} : data`
  return {
    ...become,
    parts: { ...become.parts, some: { type: 'code', title: 'Items, where there are any', fields: { code } } },
    links: [...(become.links ?? []), [end!, 'some.data']],
    gives: (output) => (become.gives(output) === end ? 'some.result' : become.gives(output))
  }
}
