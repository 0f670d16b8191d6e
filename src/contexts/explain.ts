import { didYouMean } from '../flows/closest-name.ts'
import { commonAncestor, isWithin, parentPath, ROOT } from './context-path.ts'
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

export function explain(tree: ContextTree, question: Question): Explanation {
  const { context, kind, name } = question
  const found =
    tree.find(context, kind, name) ?? tree.visible(context, kind).find((seen) => seen.name === name)
  if (found !== undefined) return visible(question, found)
  const elsewhere = tree.everywhere(kind, name)
  return elsewhere.length === 0 ? unknown(tree, question) : hidden(question, elsewhere)
}

function visible({ context, kind, name }: Question, registration: Registration): Explanation {
  const inheritedFrom = registration.context === context ? null : registration.context
  const how = inheritedFrom === null ? 'it is registered there' : `it is inherited from ${inheritedFrom}`
  const text = `The ${kind} "${name}" is visible in ${context}: ${how}, ${provenance(registration)}.`
  return { visible: true, registration, inheritedFrom, text }
}

function hidden({ context, kind, name }: Question, elsewhere: readonly Registration[]): Explanation {
  const nearest = elsewhere[0]!
  const because = isWithin(nearest.context, context) ? 'descendant' : 'sibling'
  const rule =
    because === 'descendant'
      ? `it lives in ${nearest.context}, below ${context}, and a context never sees what its descendants register`
      : `it lives in ${nearest.context}, beside ${context}, and siblings never see each other's registrations`
  const text = `The ${kind} "${name}" is hidden from ${context}: ${rule}. It is ${provenance(nearest)}.`
  return { visible: false, because, elsewhere, text, remedy: remedyFor(context, nearest) }
}

/** Sharing moves a registration up by one context; that is enough only where the parent is seen from here. */
function remedyFor(context: string, { context: home, owner }: Registration): string {
  const parent = parentPath(home) ?? ROOT
  const meeting = commonAncestor(context, home)
  const places = `register it in ${meeting}, or move the flow into ${home}.`
  if (!isWithin(context, parent)) return `R${places.slice(1)}`
  return `Wrap ${owner} with share() so that it registers into ${parent}, ${places}`
}

function unknown(tree: ContextTree, { context, kind, name }: Question): Explanation {
  const known = tree.visible(context, kind).map((registration) => registration.name)
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
