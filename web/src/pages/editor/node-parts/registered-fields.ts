import type { Field } from '../../../../../src/flows/component.ts'
import type { FieldPart } from '../node-part.ts'
import { TemplateField } from './template/template-field.tsx'

/** By the kind of the field. Apart from the parts of nodes, which are made of fields themselves. */
export const FIELD_PARTS: Readonly<Partial<Record<Field['kind'], FieldPart>>> = { template: TemplateField }
