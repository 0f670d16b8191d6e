import { type ComponentType, createContext, type ReactNode } from 'react'
import type { Fault } from '../../../../src/errors.ts'
import type { Field } from '../../../../src/flows/component/component.ts'
import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import type { ContextScope } from '../../api/context-scope.ts'
import type { Icon } from '../../design/icons/icon.ts'
import type { Node } from '../../editor/graph/flow.ts'
import type { ComponentFacts } from '../../editor/wiring/page-catalogue.ts'
import type { Editor } from './editor-context.ts'

/**
 * What some components have beyond the form that is drawn from the catalogue: registry/registered.ts names them by
 * type, and nothing else in the editor knows a component by its name.
 */
export interface NodeParts {
  /** Stands in the inspector in the place of the form. `<NodeField>` (fields/node-field.tsx) draws a field as ever. */
  readonly Body?: ComponentType<NodePartProps>
  /** Where a field stands; by itself a hidden one is among the controls. */
  readonly placeOf?: (node: Node, name: string, field: Field, scope: ContextScope) => FieldPlace
  /** Entries of the node's menu, above the ones that every node has. */
  readonly menu?: readonly NodeMenuEntry[]
}

/** Among the settings, folded under *Controls*, or nowhere as it means nothing now. */
export type FieldPlace = 'settings' | 'controls' | 'nowhere'

export interface NodePartProps {
  readonly node: Node
  readonly component: ComponentFacts
  /** Those that stand among the settings. */
  readonly fields: readonly (readonly [string, Field])[]
  readonly isReadOnly: boolean
  readonly setField: (field: string, value: JsonValue) => void
}

export interface NodeMenuEntry {
  readonly id: string
  readonly title: string
  readonly icon: Icon
  readonly run: (editor: Editor, node: Node) => void
}

/** The control of one field, for a kind of field that wants more than an input. */
export interface FieldPartProps {
  readonly node: Node
  readonly name: string
  readonly field: Field
  readonly value: JsonValue
  readonly onChange: (value: JsonValue) => void
  readonly isReadOnly: boolean
  readonly faults: readonly Fault[]
  /** The ids of its label and of the text that describes it (help and faults). */
  readonly labelId: string
  readonly describedBy: string
  /** What is wrong with its value. A control puts it right under what is edited, above all else that it shows. */
  readonly faultList: ReactNode
  /** The id of a list of keys of the data, for parts of the field that name one. */
  readonly suggestions?: string
  /** Several nodes are set at once that have no value in common: it says so itself where it is empty. */
  readonly areDifferent?: boolean
}

export type FieldPart = ComponentType<FieldPartProps>

/** What draws a field in the place of a plain control; undefined where nothing does. */
export type FieldPartFor = (component: string, name: string, field: Field) => FieldPart | undefined

/** A field does not know the parts, some of which are made of fields: whoever opens an editor hands them in. */
export const FieldPartsContext = createContext<FieldPartFor>(() => undefined)
