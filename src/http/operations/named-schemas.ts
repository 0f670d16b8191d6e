import { FlowDocument, FlowEdge, FlowNode, FlowNote } from '../../flows/document/flow-document.ts'
import {
  Attempt,
  RequestFacts,
  Run,
  RunMessage,
  RunSummary,
  RunWait,
  Step,
  Usage
} from '../../runs/present/run-shape.ts'
import { DraftDocumentSent, FlowDocumentEdited, FlowDocumentSent } from '../flows/sent-document.ts'
import { Fault, Flow, FlowVersion, ListedFlow, Paused, Problem, StartAnswer } from '../schemas.ts'
import { describedSchema } from './described-schema.ts'

/** Schemas that the description of the API tells once, by these names: who makes a client of it gets one type for each. */
const NAMED_SCHEMAS = describedSchema({
  Problem,
  Fault,
  FlowDocument,
  FlowDocumentSent,
  FlowDocumentEdited,
  DraftDocumentSent,
  FlowNode,
  FlowEdge,
  FlowNote,
  Flow,
  ListedFlow,
  FlowVersion,
  Paused,
  Run,
  RunSummary,
  RunMessage,
  RunWait,
  RequestFacts,
  Attempt,
  Step,
  Usage,
  StartAnswer
}) as Readonly<Record<string, object>>

/** Stands for a schema while others write the description: they know of no names. */
const MARK = 'x-schema-name'

const NAMES = new Map(Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [JSON.stringify(schema), name]))

export function namedSchemas(): unknown {
  return withReferences(
    Object.fromEntries(Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [name, markParts(schema)]))
  )
}

/** Whatever is one of the named schemas, marked by its name. */
export function markNamed(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part
  const name = 'type' in part || 'allOf' in part ? NAMES.get(JSON.stringify(part)) : undefined
  return name === undefined ? markParts(part) : { type: 'object', [MARK]: name }
}

function markParts(part: object): unknown {
  if (Array.isArray(part)) return part.map(markNamed)
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, markNamed(value)]))
}

/** With references in the place of marks. */
export function withReferences(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withReferences)
  if (typeof part !== 'object' || part === null) return part
  if (MARK in part) return { $ref: `#/components/schemas/${part[MARK]}` }
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withReferences(value)]))
}
