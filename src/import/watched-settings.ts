import { isMembers, type Members } from './values.ts'

/** What a reader was given in place of settings of a file: it knows what was looked at. */
const SOURCE = Symbol('source')

interface Source {
  readonly value: object
  readonly path: string
  readonly read: Set<string>
}

interface WatchedSettings {
  readonly settings: Members
  /** Paths of settings that somebody made and nobody has looked at: `options.timeout`, `rules[].case`. */
  readonly unread: () => string[]
  /** Whether somebody has looked at what lies at a path. */
  readonly isRead: (path: string) => boolean
}

/** Settings that know which of them were read, however deep. What nobody looked into, but somebody took, is handed on as it is. */
export function watchedSettings(settings: Members, isMade: Looking['isMade'] = isSet): WatchedSettings {
  const read = new Set<string>()
  return {
    settings: watched(settings, '', read) as Members,
    unread: () => [...new Set(unreadIn(settings, '', { read, isMade }))],
    isRead: (path) => read.has(path)
  }
}

/** Nobody names settings as long; what lies below is handed on as it is. */
const LONGEST = 300

function watched(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null || path.length > LONGEST) return value
  const inner = new Map<string, unknown>()
  return new Proxy(value, {
    get: (target, name) => {
      if (name === SOURCE) return { value: target, path, read } satisfies Source
      if (typeof name !== 'string') return Reflect.get(target, name)
      read.add(within(path))
      if (!Object.hasOwn(target, name)) return Array.isArray(target) ? Reflect.get(target, name) : undefined
      const place = placeIn(target, path, name)
      read.add(place)
      if (!inner.has(name)) inner.set(name, watched(Reflect.get(target, name), place, read))
      return inner.get(name)
    },
    // Whoever asks whether something is there has looked.
    has: (target, name) => {
      read.add(within(path))
      return Reflect.has(target, name)
    },
    getOwnPropertyDescriptor: (target, name) => {
      read.add(within(path))
      return Reflect.getOwnPropertyDescriptor(target, name)
    }
  })
}

/** Noted of what somebody looked into, whatever was there. */
function within(path: string): string {
  return `${path}/`
}

function placeIn(of: object, path: string, name: string): string {
  if (Array.isArray(of)) return `${path}[]`
  return path === '' ? name : `${path}.${name}`
}

/** A value without what watches it. */
export function unwatched<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  const source = (value as { [SOURCE]?: Source })[SOURCE]
  if (source !== undefined) return source.value as T
  if (Array.isArray(value)) return value.map(unwatched) as T
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unwatched(inner)])) as T
}

interface Looking {
  readonly read: ReadonlySet<string>
  readonly isMade: (value: unknown, path: string) => boolean
}

function* unreadIn(value: unknown, path: string, looking: Looking): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value) yield* unreadIn(item, `${path}[]`, looking)
    return
  }
  if (!isMembers(value)) return
  const places = Object.keys(value).map((name) => [name, placeIn(value, path, name)] as const)
  if (path !== '' && !looking.read.has(within(path))) return
  // Of what was chosen from a list the rest says how.
  if ('__rl' in value) return
  for (const [name, place] of places)
    if (looking.read.has(place)) yield* unreadIn(value[name], place, looking)
    else yield* madeIn(value[name], place, looking)
}

/** Of settings that stand together, each; of a list, and of what was chosen from one, the whole. */
function* madeIn(value: unknown, path: string, { isMade }: Looking): Generator<string> {
  const isOne = !isMembers(value) || '__rl' in value
  if (isOne && isMade(value, path)) yield path
  if (isOne) return
  for (const [name, inner] of Object.entries(value))
    if (isMade(inner, `${path}.${name}`)) yield `${path}.${name}`
}

const MOST_NAMED = 6

/** Settings that nothing here was made of, in a sentence. */
export function noteOfUnread(unread: readonly string[]): string {
  if (unread.length === 0) return ''
  const named = unread.slice(0, MOST_NAMED).map((each) => JSON.stringify(each.slice(0, 80)))
  const others = unread.length > MOST_NAMED ? ' and others' : ''
  return `Of its settings nothing was made of ${named.join(', ')}${others}.`
}

/** What is empty, or turned off, was not made by anybody. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
