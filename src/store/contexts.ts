/** A context that was made while the service ran. It holds data only. */
export interface StoredContext {
  readonly id: string
  readonly path: string
  /** Variables as JSON text. */
  readonly variables: string
  /** Limits and defaults for the flows inside as JSON text. */
  readonly settings: string
  readonly createdAt: number
}

export interface ContextStore {
  /** Parents before their children. */
  list(): Promise<StoredContext[]>
  /** Adds or replaces all of them, or none: a subtree moves as a whole. */
  put(contexts: readonly StoredContext[], change?: ContextMove): Promise<ContextResult>
  /** Inhabited is one in which a live flow is, to which a key is bound, or that has others below it. */
  remove(id: string): Promise<'done' | 'gone' | 'inhabited'>
}

/** `vacates`: the path that is left, which nobody may live in. `within`: a context that must be there still. */
export type ContextMove = { readonly vacates?: string | undefined; readonly within?: string | undefined }
export type ContextResult = 'done' | 'path_taken' | 'inhabited' | 'parent_gone'
