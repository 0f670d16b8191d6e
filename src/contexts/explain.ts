import { didYouMean } from '../flows/closest-name.ts'
import { commonAncestor, depthOf, isWithin, parentPath, ROOT } from './context-path.ts'
import type { ContextTree } from './context-tree.ts'
import { provenance, type Registration, type RegistrationKind } from './registration.ts'

/** Why a context sees a name, or why not and what would make it visible. */
export type Explanation =
  | {
      readonly visible: true
      readonly registration: Registration
      /** The context that it is inherited from; null where it is registered in the context itself. */
      readonly inheritedFrom: string | null
      readonly text: string
    }
  | {
      readonly visible: false
      readonly because: 'descendant' | 'sibling' | 'unknown'
      /** Where the name is registered instead. */
      readonly elsewhere: readonly Registration[]
      readonly text: string
      readonly remedy: string
    }

export interface Question {
  readonly context: string
  readonly kind: RegistrationKind
  readonly name: string
}

/** `knows` tells of which contexts whoever asks may learn; what lives in another is nowhere for them. */
export function explain(
  tree: ContextTree,
  question: Question,
  knows: (path: string) => boolean = () => true
): Explanation {
  const { context, kind, name } = question
  if (!tree.has(context)) return nowhere(question)
  const found =
    tree.find(context, kind, name) ?? tree.visible(context, kind).findLast((seen) => seen.name === name)
  if (found !== undefined) return visible(question, found)
  const elsewhere = tree.everywhere(kind, name).filter((registration) => knows(registration.context))
  return elsewhere.length === 0 ? unknown(tree, question) : hidden(tree, question, elsewhere)
}

function visible({ context, kind, name }: Question, registration: Registration): Explanation {
  const inheritedFrom = registration.context === context ? null : registration.context
  const how = inheritedFrom === null ? 'it is registered there' : `it is inherited from ${inheritedFrom}`
  const text = `The ${kind} "${name}" is visible in ${context}: ${how}, ${provenance(registration)}.`
  return { visible: true, registration, inheritedFrom, text }
}

function hidden(
  tree: ContextTree,
  { context, kind, name }: Question,
  found: readonly Registration[]
): Explanation {
  const elsewhere = nearestFirst(context, found)
  const nearest = elsewhere[0]!
  const because = isWithin(nearest.context, context) ? 'descendant' : 'sibling'
  const rule =
    because === 'descendant'
      ? `it lives in ${nearest.context}, below ${context}, and a context never sees what its descendants register`
      : `it lives in ${nearest.context}, beside ${context}, and siblings never see each other's registrations`
  const text = `The ${kind} "${name}" is hidden from ${context}: ${rule}. It is ${provenance(nearest)}.`
  return { visible: false, because, elsewhere, text, remedy: remedyFor(tree, context, nearest.context) }
}

/** A flow may outlive its context: the plugin that made it has gone. */
function nowhere({ context, kind, name }: Question): Explanation {
  return {
    visible: false,
    because: 'unknown',
    elsewhere: [],
    text: `The ${kind} "${name}" cannot be seen from ${context}: there is no such context any more.`,
    remedy: 'Load the plugin that makes it again, or move the flow into another context.'
  }
}

function nearestFirst(context: string, found: readonly Registration[]): Registration[] {
  const closeness = (registration: Registration) => depthOf(commonAncestor(context, registration.context))
  return found.toSorted((a, b) => closeness(b) - closeness(a) || depthOf(a.context) - depthOf(b.context))
}

/**
 * Sharing does away with a context, so that what it registers is its parent's; that helps only where the parent
 * is seen from here. It is the plugin that made the context that has to be wrapped, whoever registered in it.
 */
function remedyFor(tree: ContextTree, context: string, home: string): string {
  const parent = parentPath(home) ?? ROOT
  const { kind, origin } = tree.facts(home)
  const places = `egister it in ${commonAncestor(context, home)}, or move the flow into ${home}.`
  if (kind === 'data' || !isWithin(context, parent)) return `R${places}`
  return `Wrap ${origin.owner} with share() so that it registers into ${parent}, r${places}`
}

function unknown(tree: ContextTree, { context, kind, name }: Question): Explanation {
  const known = [...new Set(tree.visible(context, kind).map((registration) => registration.name))]
  const list =
    known.length === 0 ? `No ${kind} is visible in ${context}.` : `Known in ${context}: ${known.join(', ')}.`
  return {
    visible: false,
    because: 'unknown',
    elsewhere: [],
    text: `No ${kind} "${name}" is registered anywhere.`,
    remedy: `${list}${didYouMean(name, known)}`
  }
}
