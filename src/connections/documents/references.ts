import { member, textOf } from './document-fault.ts'

/** So many references may lead from one to the next. */
const LONGEST_CHAIN = 32

/** A value, and by which references of the document it was reached. */
export interface Reached {
  readonly value: unknown
  /** Those that lead back to one of these go in circles. */
  readonly by: readonly string[]
}

/**
 * Follows `$ref` inside the document, and nowhere else: no file is read and no address asked for what a document says. What leads
 * elsewhere, nowhere or in circles is undefined, and so anything.
 */
export class References {
  readonly #document: unknown
  /** Thousands of places name the same few. */
  readonly #found = new Map<string, unknown>()

  constructor(document: unknown) {
    this.#document = document
  }

  follow({ value, by }: Reached): Reached {
    let [found, path] = [value, by]
    for (let steps = 0; ; steps++) {
      const reference = textOf(member(found, '$ref'))
      if (reference === '') return { value: found, by: path }
      if (steps === LONGEST_CHAIN || path.includes(reference)) return { value: undefined, by: path }
      path = [...path, reference]
      found = this.#at(reference)
    }
  }

  /** What a value is in the end, wherever it stands. */
  valueOf(value: unknown): unknown {
    return this.follow({ value, by: [] }).value
  }

  #at(reference: string): unknown {
    if (!this.#found.has(reference)) this.#found.set(reference, valueAt(this.#document, reference))
    return this.#found.get(reference)
  }
}

function valueAt(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  let value = document
  for (const part of reference.slice(2).split('/')) {
    const name = unescaped(part)
    if (Array.isArray(value)) value = /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined
    else value = member(value, name)
    if (value === undefined) return undefined
  }
  return value
}

function unescaped(part: string): string {
  const pointer = part.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(pointer)
  } catch {
    return pointer
  }
}
