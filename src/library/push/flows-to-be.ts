import type { ConnectionLibrary } from '../../connections/connection-library.ts'
import { isWithin, parentPath } from '../../contexts/context-path.ts'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import type { ContextLibrary } from '../context-library.ts'
import type { FlowLibrary } from '../flow-library.ts'
import type { Surroundings } from '../judge-flow.ts'
import type { ConnectionPlan, ContextPlan } from './settings-plan.ts'

interface FlowToBe {
  readonly slug: string
  readonly context: string
  readonly document: FlowDocument
}

/** The flows as they will be, by id or slug: a flow may run another one that is pushed with it. */
export class FlowsToBe {
  readonly #sent: ReadonlyMap<string, FlowToBe>
  readonly #deleted: ReadonlySet<string>
  readonly #library: Pick<FlowLibrary, 'find'>

  constructor(
    sent: readonly FlowDocument[],
    deleted: ReadonlySet<string>,
    library: Pick<FlowLibrary, 'find'>
  ) {
    this.#sent = new Map(sent.map((document) => [document.slug, { ...document, document }]))
    this.#deleted = deleted
    this.#library = library
  }

  find(reference: string): FlowToBe | undefined {
    const sent = this.#sent.get(reference)
    if (sent !== undefined) return sent
    const live = this.#library.find(reference)
    if (live === undefined || this.#deleted.has(live.id)) return undefined
    return this.#sent.get(live.slug) ?? live
  }
}

interface PlaceDeps {
  readonly contexts: ContextLibrary
  readonly connections: ConnectionLibrary
  readonly around: Surroundings
}

/** What documents are judged by, as it will be: with contexts that are not there yet. */
export class PlacesToBe {
  readonly #made: ReadonlySet<string>
  readonly #wanted: ReadonlyMap<string, NonNullable<ContextPlan['wanted']>>
  readonly #planned: readonly ConnectionPlan[]
  readonly #deps: PlaceDeps

  constructor(contexts: readonly ContextPlan[], planned: readonly ConnectionPlan[], deps: PlaceDeps) {
    this.#made = new Set(contexts.flatMap(({ action, path }) => (action === 'create' ? [path] : [])))
    this.#wanted = new Map(
      contexts.flatMap(({ path, wanted }) => (wanted === undefined ? [] : [[path, wanted]]))
    )
    this.#planned = planned
    this.#deps = deps
  }

  /** A context that is made sees what the one above it sees: it holds data, never code. */
  at(context: string): string {
    let path = context
    while (this.#made.has(path)) path = parentPath(path)!
    return path
  }

  get around(): Surroundings {
    const { around, contexts } = this.#deps
    const { catalogue, defaults, operations } = around
    return {
      catalogue: this.#catalogue(catalogue),
      defaults: {
        of: (context, name) => {
          for (let path: string | undefined = context; path !== undefined; path = parentPath(path)) {
            const value = (this.#wanted.get(path) ?? contexts.find(path))?.settings[name]
            if (value !== undefined) return value
          }
          return undefined
        },
        variables: (context) => this.variables(context),
        signingSecret: (context, name) => defaults.signingSecret(this.at(context), name),
        revision: () => defaults.revision()
      },
      ...(operations !== undefined && {
        operations: { find: (context, ...named) => operations.find(this.at(context), ...named) }
      })
    }
  }

  variables(context: string): ReturnType<Surroundings['defaults']['variables']> {
    let variables = this.#deps.around.defaults.variables(this.at(context))
    const above = [...this.#wanted.values()].filter(({ path }) => isWithin(context, path))
    for (const wanted of above.toSorted((a, b) => a.path.length - b.path.length))
      variables = { ...variables, ...wanted.variables }
    return variables
  }

  /** The kind of the connection that flows of this context mean by the name. */
  connection(context: string, name: string): { readonly kind: string } | undefined {
    const planned = this.#planned.filter(
      (plan) => plan.wanted !== undefined && plan.name === name && isWithin(context, plan.context)
    )
    const nearest = planned.toSorted((a, b) => b.context.length - a.context.length)[0]
    const there = this.#deps.connections.visible(this.at(context), name)
    if (nearest === undefined || there === undefined) return nearest ?? there
    return there.context.length > nearest.context.length ? there : nearest
  }

  #catalogue(catalogue: Catalogue): Catalogue {
    return {
      find: (context, type) => catalogue.find(this.at(context), type),
      hasContext: (context) => catalogue.hasContext(this.at(context)),
      explainMissing: (context, type, knows) => catalogue.explainMissing(this.at(context), type, knows)
    }
  }
}
