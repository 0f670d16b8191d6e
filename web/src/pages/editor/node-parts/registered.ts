import type { ComponentType } from 'react'
import type { Field } from '../../../../../src/flows/component.ts'
import type { FieldPart, NodeParts } from '../node-part.ts'

/** By the type of the component. */
export const NODE_PARTS: Readonly<Record<string, NodeParts>> = {}

/** By the kind of the field. */
export const FIELD_PARTS: Readonly<Partial<Record<Field['kind'], FieldPart>>> = {}

/** Buttons of the editor's toolbar, in their order; they read the flow with the hooks of editor-context.ts. */
export const TOOLBAR_PARTS: readonly ComponentType[] = []
