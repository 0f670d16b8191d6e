import type { Catalogue } from '../flows/component/catalogue.ts'
import type { AnyComponent } from '../flows/component/component.ts'
import type { ContextTree } from './context-tree.ts'
import { explain } from './explain.ts'

/** The components of a tree, as flows look them up. */
export function componentCatalogue(tree: ContextTree): Catalogue {
  return {
    find: (context, type) => tree.find(context, 'component', type)?.value as AnyComponent | undefined,
    hasContext: (context) => tree.has(context),
    explainMissing: (context, type, knows) => {
      const explanation = explain(tree, { context, kind: 'component', name: type }, knows)
      return explanation.visible ? explanation.text : `${explanation.text} ${explanation.remedy}`
    }
  }
}
