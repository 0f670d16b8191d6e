/** Paths as Node-RED writes them: `payload.items[0]["first name"]`, `payload[msg.topic]`. */

type Step = string | number | readonly Step[]

/** In characters; nobody writes longer ones. */
const LONGEST = 1_000
const STEP = /\.?([^.[\]'"\s]+)|\[\s*(?:(\d+)|"([^"]*)"|'([^']*)'|msg\.([^\][]+))\s*\]/y

/** Undefined where it is none. */
export function pathOf(written: string): readonly Step[] | undefined {
  const text = written.trim().replace(/^msg\./, '')
  if (text === '' || text.length > LONGEST) return undefined
  const path: Step[] = []
  for (let place = 0; place < text.length; place = STEP.lastIndex) {
    STEP.lastIndex = place
    const found = STEP.exec(text)
    if (found === null) return undefined
    const [, name, index, double, single, nested] = found
    if (index !== undefined) path.push(Number(index))
    else if (nested !== undefined) path.push(pathOf(nested) ?? [])
    else path.push(name ?? double ?? single ?? '')
  }
  return path
}

/** The path as code of ours: a list of keys. */
export function pathCode(path: readonly Step[]): string {
  const steps = path.map((step) =>
    typeof step === 'object' ? `$get(msg, ${pathCode(step)})` : JSON.stringify(step)
  )
  return `[${steps.join(', ')}]`
}

/** What all code that is made of nodes may use; each is put in front where it is named. */
const HELPERS: readonly (readonly [name: string, code: string])[] = [
  [
    '$get',
    `const $get = (from, path) => path.reduce((value, key) => (value === null || value === undefined || !Object.hasOwn(Object(value), key) ? undefined : value[key]), from)`
  ],
  [
    '$set',
    `const $set = (to, path, value) => {
  let inner = to
  for (const [at, key] of path.slice(0, -1).entries()) {
    if (inner[key] === undefined || inner[key] === null) {
      if (value === undefined) return
      inner[key] = typeof path[at + 1] === 'number' ? [] : {}
    }
    inner = inner[key]
    if (typeof inner !== 'object') return
  }
  const last = path.at(-1)
  if (value !== undefined) inner[last] = value
  else if (Array.isArray(inner)) inner.splice(Number(last), 1)
  else delete inner[last]
}`
  ],
  [
    '$copy',
    `const $copy = (value) => {
  if (Array.isArray(value)) return value.map($copy)
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, $copy(inner)]))
}`
  ],
  [
    '$list',
    `const $list = (value) => (Array.isArray(value) ? value.flat(Infinity) : [value]).filter((each) => each !== null && each !== undefined)`
  ],
  [
    '$same',
    `const $same = (a, b) => a === b || (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null && Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => $same(a[key], b[key])))`
  ]
]

/** The helpers that a piece of code names, those that helpers name included. */
export function withHelpers(code: string): string {
  const used = HELPERS.filter(([name]) => code.includes(`${name}(`) || code.includes(`${name},`)).map(
    ([, helper]) => helper
  )
  return used.length === 0 ? code : `${used.join('\n')}\n${code}`
}
