import { parentPath } from '../../contexts/context-path.ts'
import type { ContextFacts, ContextTree } from '../../contexts/context-tree.ts'
import type { Explanation as Explained, Question } from '../../contexts/explain.ts'
import type { Registration } from '../../contexts/registration.ts'
import type { ContextLibrary } from '../../library/context-library.ts'

interface PresentDeps {
  readonly tree: ContextTree
  readonly contexts: ContextLibrary
}

export function presentContext(
  facts: ContextFacts,
  { tree, contexts }: PresentDeps,
  flows: readonly { readonly id: string; readonly slug: string; readonly context: string }[]
) {
  const { path, kind, origin } = facts
  const made = contexts.find(path)
  const { default_auth = null, ...limits } = made?.settings ?? {}
  return {
    path,
    name: path === '/' ? '/' : path.slice(path.lastIndexOf('/') + 1),
    parent: parentPath(path) ?? null,
    kind,
    id: made?.id ?? null,
    owner: origin.owner,
    source: origin.source,
    registers: tree.own(path).map(presentRegistration),
    sees: tree.visible(path).map((registration) => ({
      ...presentRegistration(registration),
      inherited_from: registration.context === path ? null : registration.context
    })),
    flows: flows.filter((flow) => flow.context === path).map(({ id, slug }) => ({ id, slug })),
    ...(made === undefined ? {} : { variables: made.variables, default_auth, limits })
  }
}

function presentRegistration({ kind, name, value, owner, context, source }: Registration) {
  return { kind, name, context, owner, source, ...(kind === 'variable' ? { value } : {}) }
}

export function presentExplanation(explanation: Explained, asked: Question) {
  if (explanation.visible) {
    const { registration, inheritedFrom, text } = explanation
    return {
      visible: true,
      ...asked,
      inherited_from: inheritedFrom,
      ...registeredAt(registration),
      explanation: text
    }
  }
  const { because, elsewhere, text, remedy } = explanation
  return {
    visible: false,
    ...asked,
    because,
    elsewhere: elsewhere.map(registeredAt),
    explanation: text,
    remedy
  }
}

function registeredAt({ owner, context, source }: Registration) {
  return { registered_in: context, registered_by: owner, source }
}
