import { builtInComponents } from '../components/built-in.ts'
import type { Catalogue } from '../flows/component/catalogue.ts'
import type { AnyComponent } from '../flows/component/component.ts'
import { componentCatalogue } from './component-catalogue.ts'
import { ContextTree } from './context-tree.ts'

/** A tree with the built-in components in its root and one context `/sales`. */
export function builtInTree(): ContextTree {
  const tree = new ContextTree()
  for (const component of builtInComponents) registerIn(tree, '/', component, 'millrace')
  tree.fork('/', 'sales')
  return tree
}

export function registerIn(tree: ContextTree, context: string, component: AnyComponent, owner: string): void {
  tree.register(context, { kind: 'component', name: component.type, value: component, owner, source: null })
}

/** What flows see, with further components in the root. */
export function builtInCatalogue(...more: AnyComponent[]): Catalogue {
  const tree = builtInTree()
  for (const component of more) registerIn(tree, '/', component, 'test')
  return componentCatalogue(tree)
}
