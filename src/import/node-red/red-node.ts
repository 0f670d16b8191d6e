import { isTooDense } from '../too-dense.ts'
import { isMembers, listOf, type Members, membersOf, numberOf, textOf } from '../values.ts'

/** One node of Node-RED. */
export interface RedNode {
  readonly id: string
  readonly type: string
  /** What people call it. */
  readonly title: string
  /** The tab or the subflow that it stands in. */
  readonly place: string
  readonly group: string
  readonly x: number
  readonly y: number
  readonly raw: Members
  /** All that it is, where more stands in it than is read. */
  readonly unread: Members | undefined
  /** By output, the nodes that wires lead to. */
  readonly wires: readonly (readonly string[])[]
  readonly isDisabled: boolean
}

/** Texts that are copied, and read only for what they name. */
const CODE = /^(?:func|initialize|finalize|template|format|html|css|info)$/

/** Theirs stand closer together. */
const WIDER = 2

function redNode(raw: Members): RedNode {
  const type = textOf(raw.type)
  const isUnread = Array.isArray(raw.wires) && isTooDense(raw, (name) => CODE.test(name))
  return {
    id: textOf(raw.id),
    type,
    title: textOf(raw.name).trim() || textOf(raw.label).trim() || titleOf(raw, type),
    place: textOf(raw.z),
    group: textOf(raw.g),
    x: (numberOf(raw.x) ?? 0) * WIDER,
    y: (numberOf(raw.y) ?? 0) * WIDER,
    raw: isUnread ? { x: raw.x, wires: raw.wires, outputs: raw.outputs } : raw,
    unread: isUnread ? raw : undefined,
    wires: listOf(raw.wires).map((ends) => listOf(ends).filter((end) => typeof end === 'string')),
    isDisabled: raw.d === true
  }
}

function titleOf(raw: Members, type: string): string {
  if (type === 'http in') return `${textOf(raw.method).toUpperCase()} ${textOf(raw.url)}`.trim() || type
  if (type === 'http request') return textOf(raw.url).slice(0, 60) || type
  return type.startsWith('subflow:') ? 'Subflow' : type || 'Node'
}

/** Settings that others refer to stand nowhere on a tab. */
function isOnCanvas({ type, raw }: RedNode): boolean {
  return type !== 'group' && (raw.x !== undefined || raw.wires !== undefined)
}

interface Subflow {
  readonly id: string
  readonly name: string
  readonly info: string
  readonly raw: Members
}

interface Tab {
  readonly id: string
  readonly name: string
  readonly info: string
  readonly isDisabled: boolean
  readonly env: ReadonlyMap<string, string>
}

/** What a file of Node-RED holds: a flat list, of which each member says where it stands. */
export interface RedFile {
  readonly tabs: readonly Tab[]
  readonly subflows: ReadonlyMap<string, Subflow>
  /** By tab or subflow. */
  readonly nodes: ReadonlyMap<string, readonly RedNode[]>
  readonly groups: ReadonlyMap<string, readonly RedNode[]>
  /** Brokers, listeners and the like, by id. */
  readonly configs: ReadonlyMap<string, RedNode>
  readonly env: ReadonlyMap<string, string>
}

const GLOBAL = 'global-config'

export function redFile(members: readonly Members[]): RedFile {
  const tabs = new Map<string, Tab>()
  const subflows = new Map<string, Subflow>()
  const nodes = new Map<string, RedNode[]>()
  const groups = new Map<string, RedNode[]>()
  const configs = new Map<string, RedNode>()
  let env: ReadonlyMap<string, string> = new Map()
  const known = new Set<string>()
  for (const member of members) {
    const node = redNode(member)
    // Of two with the same id wires reach the first.
    if (known.has(node.id)) continue
    known.add(node.id)
    if (node.type === 'tab') tabs.set(node.id, tabOf(node))
    else if (node.type === 'subflow') subflows.set(node.id, subflowOf(node))
    else if (node.type === GLOBAL) env = envOf(node.raw.env)
    else if (node.type === 'group') put(groups, node)
    else if (isOnCanvas(node)) put(nodes, node)
    else configs.set(node.id, node)
  }
  // A few nodes from the clipboard stand in a tab that is not there.
  for (const place of nodes.keys())
    if (!tabs.has(place) && !subflows.has(place)) tabs.set(place, emptyTab(place))
  return { tabs: [...tabs.values()], subflows, nodes, groups, configs, env }
}

function put(places: Map<string, RedNode[]>, node: RedNode): void {
  const there = places.get(node.place)
  if (there === undefined) places.set(node.place, [node])
  else there.push(node)
}

function tabOf({ id, raw }: RedNode): Tab {
  return {
    id,
    name: textOf(raw.label).trim() || 'Node-RED flow',
    info: textOf(raw.info),
    isDisabled: raw.disabled === true,
    env: envOf(raw.env)
  }
}

function emptyTab(id: string): Tab {
  return { id, name: 'Node-RED flow', info: '', isDisabled: false, env: new Map() }
}

function subflowOf({ id, raw }: RedNode): Subflow {
  return { id, name: textOf(raw.name).trim() || 'Subflow', info: textOf(raw.info), raw }
}

/** Variables that a tab, a group or a subflow says itself. What they take from elsewhere is not known. */
export function envOf(value: unknown): Map<string, string> {
  const env = new Map<string, string>()
  for (const each of listOf(value)) {
    const { name, type, value: given } = membersOf(each)
    const written = isMembers(given) ? JSON.stringify(given) : textOf(given)
    if (textOf(name) !== '' && type !== 'env' && type !== 'cred' && type !== 'jsonata')
      env.set(textOf(name), written)
  }
  return env
}

/** Whether a file is one of Node-RED, as it lies on its disk, comes from its clipboard or from its API. */
export function redMembers(file: unknown): readonly Members[] | undefined {
  if (isMembers(file)) {
    if (Array.isArray(file.flows)) return redMembers(file.flows)
    if (!Array.isArray(file.nodes) || !Array.isArray(file.configs)) return undefined
    const tab = { id: file.id, type: 'tab', label: file.label, info: file.info, disabled: file.disabled }
    return redMembers([tab, ...listOf(file.nodes), ...file.configs, ...listOf(file.subflows)])
  }
  const members = listOf(file).filter(isMembers)
  const isOne = members.some(
    ({ type, wires }) => type === 'tab' || type === 'subflow' || (Array.isArray(wires) && textOf(type) !== '')
  )
  return isOne && members.every(({ id, type }) => typeof id === 'string' && typeof type === 'string')
    ? members
    : undefined
}
