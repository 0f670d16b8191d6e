import type { Catalogue } from '../flows/catalogue.ts'
import { didYouMean } from '../flows/closest-name.ts'
import type { AnyComponent } from '../flows/component.ts'
import type { ContextTree } from './context-tree.ts'
import { provenance, type Registration } from './registration.ts'

/** The components of a tree, as flows look them up. */
export function componentCatalogue(tree: ContextTree): Catalogue {
  return {
    find: (context, type) => tree.find(context, 'component', type)?.value as AnyComponent | undefined,
    hasContext: (context) => tree.has(context),
    explainMissing: (context, type) => {
      const elsewhere = tree.everywhere('component', type)
      return elsewhere.length > 0
        ? hidden(context, elsewhere)
        : unknown(
            type,
            tree.visible(context, 'component').map(({ name }) => name)
          )
    }
  }
}

function hidden(context: string, elsewhere: readonly Registration[]): string {
  const where = elsewhere.map(provenance).join('; ')
  return `It is hidden from the context "${context}": it is ${where}. Move the flow there, or register it in "/".`
}

function unknown(type: string, known: readonly string[]): string {
  return `Known types are ${known.join(', ')}.${didYouMean(type, known)}`
}
