import { bounded, membersIn, textOf } from '../values.ts'
import type { Mapping } from './mapping.ts'
import type { RedNode } from './red-node.ts'
import type { Scope, Writer } from './writer.ts'

const KEPT =
  /\b(?:context\s*\.\s*)?(flow|global|context)\s*\.\s*(get|set)\s*\(\s*(?:"([^"\\\n]{1,200})"|'([^'\\\n]{1,200})')/g
const VARIABLE = /\benv\s*\.\s*get\s*\(\s*(?:"([^"\\\n]{1,100})"|'([^'\\\n]{1,100})')/g
/** What Node-RED gives to functions and nothing here does. */
const UNKNOWN =
  /(?<!\.)\b(setTimeout|setInterval|clearTimeout|clearInterval|require|Buffer|process|fetch|crypto|util|promisify)\b(?=\s*[.(])/g

/** Members of what Node-RED gives to functions, and those of them that are here too. */
const MEMBERS: readonly [named: RegExp, here: ReadonlySet<string>][] = [
  [
    /\b(node)\s*\.\s*(\w{1,40})/g,
    new Set(['id', 'name', 'send', 'done', 'status', 'log', 'warn', 'debug', 'trace', 'error'])
  ],
  [/\b(RED\s*\.\s*util)\s*\.\s*(\w{1,40})/g, new Set(['cloneMessage', 'generateId'])]
]
const OWN_NODE = /\b(?:const|let|var)\s+node\b|\bnode\s*(?:=>|=[^=])|\(\s*node\s*[,)]/

/** What it uses that is not here. */
function unknownIn(source: string): string[] {
  const members = (OWN_NODE.test(source) ? MEMBERS.slice(1) : MEMBERS).flatMap(([named, here]) =>
    [...source.matchAll(named)]
      .filter(([, , member]) => !here.has(member!))
      .map(([, owner, member]) => `${owner!.replace(/\s/g, '')}.${member}`)
  )
  return [...[...source.matchAll(UNKNOWN)].map(([, name]) => name!), ...members]
}

/** How many outputs it has. */
export function outputsOf({ raw, wires }: RedNode): number {
  return Math.max(bounded(raw.outputs, 0, 50) ?? 0, Math.min(50, wires.length))
}

/** By which outputs it sends several messages, as far as its words tell: then what follows stands in a For each. */
export function severalOf(node: RedNode): ReadonlySet<number> {
  const source = textOf(node.raw.func).slice(0, 100_000)
  const count = outputsOf(node)
  const all = new Set(Array.from({ length: count }, (_, at) => at))
  const sends = source.match(/\bnode\s*\.\s*send\s*\(/g)?.length ?? 0
  const isRepeated = /\b(?:for|while)\s*\(|\.\s*(?:forEach|map)\s*\(/.test(source)
  if (sends > 1 && count === 1) return all
  if (sends > 0 && isRepeated) return all
  const several = new Set<number>()
  for (const [, given] of source.matchAll(/\breturn\s*\[([^\n;]{1,300})/g)) {
    const items = given!.replace(/\]\s*;?\s*$/, '').split(',')
    // A list in a list, or a list that was filled.
    const isOne = items.length === 1
    for (const [at, item] of items.entries()) {
      const name = item.trim().replace(/\]$/, '')
      const isFilled = /^[A-Za-z_$][\w$]*$/.test(name) && isList(name, source)
      if ((/^\[/.test(name) && at < count) || isFilled) several.add(isOne ? 0 : Math.min(at, count - 1))
    }
  }
  return several
}

function isList(name: string, source: string): boolean {
  const plain = name.replaceAll('$', '\\$')
  return new RegExp(`\\b${plain}\\s*=\\s*\\[|\\b${plain}\\s*\\.\\s*(?:push|unshift)\\s*\\(`).test(source)
}

/** A Function: its body as it is, with what Node-RED gives it in front. */
export const functionNode: Mapping = (node, write) => {
  const source = textOf(node.raw.func)
  const count = outputsOf(node)
  const several = severalOf(node)
  const kept = contexts(source, write)
  const variables = environment(source, write)
  const unknown = new Set(unknownIn(source))
  for (const { var: name } of membersIn(node.raw.libs)) if (textOf(name) !== '') unknown.add(textOf(name))
  if (unknown.size > 0)
    write.tell(`It uses ${[...unknown].join(', ')}, which is not there: change that by hand.`)
  if (textOf(node.raw.initialize).trim() !== '')
    write.tell('What it did when Node-RED started is left out: let it begin with a value of its own.')
  if (several.size > 0) write.tell('It sends several messages: what follows runs for each of them.')
  const leaves = Array.from({ length: Math.max(1, count) }, (_, at) =>
    several.has(at) ? `$lists[${at}].length > 0 ? $lists[${at}] : undefined` : `$one($lists[${at}])`
  )
  const hasKept = write.hasAfter
  const result =
    count <= 1 && !hasKept
      ? `return ${leaves[0]}`
      : `return { ${leaves.map((leaf, at) => `o${at}: ${leaf}`).join(', ')}${hasKept ? ', kept: $changed' : ''} }`
  const code = write.code(`const msg = data
const $lists = Array.from({ length: ${Math.max(1, count)} }, () => [])
let $failed
${SEND}
const $one = (list) => {
  if (list.length > 1) throw new Error(\`It sends \${list.length} messages by one output. Put what follows into a For each, and let the code return them as a list.\`)
  return list[0]
}
const node = {
  id: ${JSON.stringify(node.id)}, name: ${JSON.stringify(node.title)}, send: (given) => $send(given), done: () => undefined, status: () => undefined,
  log: console.log, warn: console.warn, debug: console.log, trace: console.log,
  error: (text, about) => { console.error(text); if (about !== undefined) $failed ??= String(text?.message ?? text) }
}
const RED = { util: { cloneMessage: (value) => $copy(value), generateId: () => Math.random().toString(16).slice(2) } }
${kept}${variables}const $given = await (async (msg) => {
${source}
})(msg)
if ($given !== undefined && $given !== null) $send($given)
if ($failed !== undefined && $lists.every((list) => list.length === 0)) throw new Error($failed)
${result}`)
  if (count <= 1 && !hasKept)
    return write.become({ main: { type: 'code', fields: { code } } }, count === 0 ? undefined : 'main.result')
  return write.split(code, count)
}

const SEND = `const $send = (given) => {
  const outputs = Array.isArray(given) ? given : [given]
  for (const [at, list] of $lists.entries())
    for (const message of Array.isArray(outputs[at]) ? outputs[at] : [outputs[at]])
      if (message !== undefined && message !== null) {
        if (typeof message !== 'object') throw new Error(\`It sends a \${typeof message}, and not a message.\`)
        list.push($copy(message))
      }
}`

/** `flow.get("count")` reads what Keep has brought, `flow.set` says what Keep is to keep. */
function contexts(source: string, write: Writer): string {
  const reads = new Map<string, string>()
  const writes = new Map<string, string>()
  let calls = 0
  for (const [, which, action, double, single] of source.matchAll(KEPT)) {
    const scope: Scope = which === 'context' ? 'node' : (which as Scope)
    const key = (double ?? single)!.replace(/^#:\([^)]*\)::/, '')
    const [root] = key.split(/[.[]/)
    const name = action === 'set' ? write.keeps(scope, root!) : write.keptName(scope, root!)
    calls++
    if (name === undefined) continue
    const short = JSON.stringify(name.slice('$kept.'.length))
    reads.set(JSON.stringify(`${scope}/${root}`), short)
    if (action === 'set') writes.set(JSON.stringify(`${scope}/${root}`), short)
  }
  const all = source.match(/\b(?:flow|global|context)\s*\.\s*(?:get|set|keys)\s*\(/g)?.length ?? 0
  if (all > calls)
    write.tell('It reads or keeps values by names that are computed, which nothing here can keep for it.')
  if (all === 0 && !/\bcontext\b/.test(source)) return ''
  const table = [...reads].map(([key, name]) => `${key}: ${name}`).join(', ')
  return `const $names = { ${table} }
const $changed = {}
const $store = (scope) => ({
  get: (key) => {
    const [root, ...rest] = String(key).replace(/^#:\\([^)]*\\)::/, '').split(/[.[\\]]+/).filter((step) => step !== '')
    const name = $names[\`\${scope}/\${root}\`]
    return $get(name in $changed ? $changed[name] : ${reads.size === 0 ? 'undefined' : '$kept[name]'}, rest)
  },
  set: (key, value) => {
    const [root, ...rest] = String(key).replace(/^#:\\([^)]*\\)::/, '').split(/[.[\\]]+/).filter((step) => step !== '')
    const name = $names[\`\${scope}/\${root}\`]
    if (rest.length === 0) $changed[name] = value
    else $set(($changed[name] ??= $copy(${reads.size === 0 ? '{}' : '$kept[name] ?? {}'})), rest, value)
  },
  keys: () => []
})
const flow = $store('flow'), global = $store('global'), context = { ...$store('node'), flow, global }
`
}

function environment(source: string, write: Writer): string {
  const names = new Set([...source.matchAll(VARIABLE)].map(([, double, single]) => (double ?? single)!))
  if (!/\benv\s*\.\s*get\b/.test(source)) return ''
  const table = [...names].slice(0, 40).map((name) => `${JSON.stringify(name)}: ${write.env(name)}`)
  return `const env = { get: (name) => ({ ${table.join(', ')} })[name] }\n`
}
