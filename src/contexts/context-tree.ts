import { MillraceError } from '../errors.ts'
import { childPath, depthOf, isWithin, parentPath, ROOT } from './context-path.ts'
import {
  againAt,
  type NewRegistration,
  type Origin,
  provenance,
  type Registration,
  type RegistrationKind
} from './registration.ts'

/** What a context is: a place that code forked, or one that holds data only and was made while the service ran. */
export interface ContextFacts {
  readonly path: string
  readonly kind: 'code' | 'data'
  readonly origin: Origin
}

/**
 * The tree of contexts. Whatever enters the service is registered in one context, and these rules decide who
 * sees it:
 *
 * 1. A context sees what is registered in the root.
 * 2. It sees what is registered in its ancestors and in itself.
 * 3. It never sees what is registered in its descendants.
 * 4. Siblings never see each other's registrations.
 * 5. A shared plugin registers into its parent context instead of one of its own: for the tree there is then no
 *    context at all, so whoever forks decides.
 *
 * Lookup walks up from a context to the root. Nothing is copied when a context is forked, so a later
 * registration in an ancestor is seen like an earlier one; the moment of registration never matters.
 *
 * Code enters until the tree is frozen. Contexts that hold data only, their variables, and connections come and go after that.
 */
export class ContextTree {
  readonly #contexts = new Map<string, Context>()
  #order = 0
  #isFrozen = false
  #revision = 0

  constructor(origin: Origin = { owner: 'millrace', source: null }) {
    this.#contexts.set(ROOT, {
      path: ROOT,
      kind: 'code',
      origin,
      parent: undefined,
      own: new Map(),
      data: new Set()
    })
  }

  /** Changes whenever anything in the tree does: what was derived from it is then derived anew. */
  get revision(): number {
    return this.#revision
  }

  has(path: string): boolean {
    return this.#contexts.has(path)
  }

  paths(): string[] {
    return this.all().map(({ path }) => path)
  }

  /** Every context, parents before their children. */
  all(): ContextFacts[] {
    return [...this.#contexts.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  facts(path: string): ContextFacts {
    return this.#context(path)
  }

  /** The context itself, or the nearest one above it that code made: hooks and guards live there. */
  nearestCode(path: string): string {
    for (let at = this.#contexts.get(path); at !== undefined; at = at.parent) {
      if (at.kind === 'code') return at.path
    }
    return ROOT
  }

  /** Makes the child context `name` below `parent` and returns its path. A name that is taken gets a number. */
  fork(parent: string, name: string, origin: Origin = { owner: name, source: null }): string {
    this.#assertOpen(`the context "${name}"`)
    let path = childPath(parent, name)
    for (let n = 2; this.#contexts.has(path); n++) path = childPath(parent, `${name}-${n}`)
    this.#add(path, parent, 'code', origin)
    return path
  }

  /** Puts a context that holds data only into the tree. */
  graft(path: string, variables: Readonly<Record<string, unknown>>, origin: Origin): void {
    this.#add(path, parentPath(path) ?? ROOT, 'data', origin)
    this.setData(path, 'variable', variables, origin)
  }

  /** Takes a context that holds data only out of the tree, with all below it. */
  uproot(path: string): void {
    for (const below of [...this.#contexts.keys()]) {
      if (isWithin(below, path)) this.#contexts.delete(below)
    }
    this.#revision++
  }

  /** The variables or the connections of a context that are data, all of them. What code set there stays, and wins. */
  setData(
    path: string,
    kind: 'variable' | 'connection',
    values: Readonly<Record<string, unknown>>,
    origin: Origin
  ): void {
    const { own, data } = this.#context(path)
    for (const key of [...data]) {
      if (own.get(key)?.kind !== kind) continue
      own.delete(key)
      data.delete(key)
    }
    for (const [name, value] of Object.entries(values)) {
      const key = keyOf(kind, name)
      if (own.has(key)) continue
      this.#put(path, { kind, name, value, ...origin })
      data.add(key)
    }
    this.#revision++
  }

  register<T>(path: string, news: NewRegistration<T>): Registration<T> {
    this.#assertOpen(`the ${news.kind} "${news.name}"`)
    return this.#put(path, news)
  }

  /** The nearest registration that the context sees. */
  find(path: string, kind: RegistrationKind, name: string): Registration | undefined {
    const key = keyOf(kind, name)
    for (let at = this.#contexts.get(path); at !== undefined; at = at.parent) {
      const found = at.own.get(key)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** What code registered under this name in the context itself. */
  inCode(path: string, kind: RegistrationKind, name: string): Registration | undefined {
    const { own, data } = this.#context(path)
    const key = keyOf(kind, name)
    return data.has(key) ? undefined : own.get(key)
  }

  /** Everything of a kind that the context sees: nearest wins, ancestors first, then in order of registration. */
  visible(path: string, kind?: RegistrationKind): Registration[] {
    const seen = new Map<string, Registration>()
    for (let at = this.#contexts.get(path); at !== undefined; at = at.parent) {
      for (const [key, registration] of at.own) {
        if ((kind === undefined || registration.kind === kind) && !seen.has(key)) seen.set(key, registration)
      }
    }
    return [...seen.values()].sort((a, b) => depthOf(a.context) - depthOf(b.context) || a.order - b.order)
  }

  /** What is registered in the context itself, in order. */
  own(path: string): Registration[] {
    return [...this.#context(path).own.values()]
  }

  /** Every registration of this name anywhere, for explaining why one is not seen. */
  everywhere(kind: RegistrationKind, name: string): Registration[] {
    return [...this.#contexts.values()].flatMap(({ own }) =>
      own
        .values()
        .filter((candidate) => candidate.kind === kind && candidate.name === name)
        .toArray()
    )
  }

  freeze(): void {
    this.#isFrozen = true
  }

  #add(path: string, parent: string, kind: ContextFacts['kind'], origin: Origin): void {
    this.#contexts.set(path, {
      path,
      kind,
      origin,
      parent: this.#context(parent),
      own: new Map(),
      data: new Set()
    })
    this.#revision++
  }

  #put<T>(path: string, news: NewRegistration<T>): Registration<T> {
    const { own } = this.#context(path)
    const registration = { ...news, context: path, order: this.#order++ }
    const key = isRepeatable(news.kind)
      ? keyOf(news.kind, news.name, registration.order)
      : keyOf(news.kind, news.name)
    const rival = own.get(key)
    if (rival !== undefined) throw doubled(registration, rival)
    own.set(key, registration)
    this.#revision++
    return registration
  }

  #context(path: string): Context {
    const context = this.#contexts.get(path)
    if (context === undefined) throw new MillraceError('context_not_found', `There is no context "${path}".`)
    return context
  }

  #assertOpen(what: string): void {
    if (!this.#isFrozen) return
    throw new MillraceError(
      'registration_refused',
      `It is too late to register ${what}: the service is ready and its contexts are frozen. Register it while the plugin loads.`
    )
  }
}

interface Context extends ContextFacts {
  readonly parent: Context | undefined
  readonly own: Map<string, Registration>
  /** The keys of those that are data: they come and go, what code registered stays. */
  readonly data: Set<string>
}

/** Any number of hooks stand side by side; everything else has its name to itself within a context. */
function isRepeatable(kind: RegistrationKind): boolean {
  return kind === 'hook' || kind === 'plugin' || kind === 'route'
}

function keyOf(kind: RegistrationKind, name: string, order?: number): string {
  return order === undefined ? `${kind}\u0000${name}` : `${kind}\u0000${name}\u0000${order}`
}

function doubled(news: Registration, rival: Registration): MillraceError {
  return new MillraceError(
    'registration_refused',
    `${news.owner} cannot register the ${news.kind} "${news.name}" in ${news.context}: it is ${provenance(rival)} already${againAt(news)}. ` +
      'Give one of them another name or register it in another context.'
  )
}
