import { MillraceError } from '../errors.ts'
import { type NewRegistration, provenance, type Registration, type RegistrationKind } from './registration.ts'

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
 */
export class ContextTree {
  readonly #contexts = new Map<string, Context>([['/', { path: '/', parent: undefined, own: new Map() }]])
  #order = 0
  #isFrozen = false

  has(path: string): boolean {
    return this.#contexts.has(path)
  }

  paths(): string[] {
    return [...this.#contexts.keys()]
  }

  /** Makes the child context `name` below `parent` and returns its path. A name that is taken gets a number. */
  fork(parent: string, name: string): string {
    this.#assertOpen(`the context "${name}"`)
    const above = this.#context(parent)
    const base = `${parent === '/' ? '' : parent}/${name}`
    let path = base
    for (let n = 2; this.#contexts.has(path); n++) path = `${base}-${n}`
    this.#contexts.set(path, { path, parent: above, own: new Map() })
    return path
  }

  register<T>(path: string, news: NewRegistration<T>): Registration<T> {
    this.#assertOpen(`the ${news.kind} "${news.name}"`)
    const context = this.#context(path)
    const registration = { ...news, context: path, order: this.#order++ }
    const rival = context.own.get(keyOf(news.kind, news.name))
    if (rival !== undefined) {
      throw new MillraceError(
        'registration_refused',
        `${news.owner} cannot register the ${news.kind} "${news.name}" in ${path}: it is ${provenance(rival)} already. ` +
          'Give one of them another name or register it in another context.'
      )
    }
    context.own.set(keyOf(news.kind, news.name), registration)
    return registration
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

  /** Everything of a kind that the context sees: nearest wins, ancestors first, then in order of registration. */
  visible(path: string, kind: RegistrationKind): Registration[] {
    const seen = new Map<string, Registration>()
    for (let at = this.#contexts.get(path); at !== undefined; at = at.parent) {
      for (const registration of at.own.values()) {
        if (registration.kind === kind && !seen.has(registration.name))
          seen.set(registration.name, registration)
      }
    }
    return [...seen.values()].sort((a, b) => depthOf(a.context) - depthOf(b.context) || a.order - b.order)
  }

  /** Every registration of this name anywhere, for explaining why one is not seen. */
  everywhere(kind: RegistrationKind, name: string): Registration[] {
    return [...this.#contexts.values()].flatMap((context) => context.own.get(keyOf(kind, name)) ?? [])
  }

  freeze(): void {
    this.#isFrozen = true
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

interface Context {
  readonly path: string
  readonly parent: Context | undefined
  readonly own: Map<string, Registration>
}

function keyOf(kind: RegistrationKind, name: string): string {
  return `${kind}\u0000${name}`
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1
}
