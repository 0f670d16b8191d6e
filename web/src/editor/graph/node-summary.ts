import type { Field } from '../../../../src/flows/component/component.ts'
import type { Node } from './flow.ts'

/** Kinds of fields that hold words of whoever drew the flow, the most telling first. */
const TELLING = ['rows', 'template', 'text', 'list', 'connection', 'choice'] as const

/** The first line that somebody wrote into a node; undefined where there is none. */
export function firstText(node: Node, fields: Readonly<Record<string, Field>>): string | undefined {
  const lines = TELLING.flatMap((kind) =>
    Object.entries(fields)
      .filter(([, field]) => field.kind === kind && field.hidden !== true)
      .map(([name, field]) => firstLine(textOf(node.fields[name] ?? field.default)))
  )
  return lines.find((line) => line !== '')
}

/** Of rows their members, one after the other: "total descending, name". */
function textOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const rows = value.map((row) => (typeof row === 'string' ? row : Object.values(row ?? {}).join(' ')))
  return rows
    .map((row) => row.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(', ')
}

/** The first line that says something: an expression often begins with a bracket alone. */
export function firstLine(value: unknown): string {
  if (typeof value !== 'string') return ''
  return (/^.*[\p{L}\p{N}].*/mu.exec(value)?.[0] ?? value).trim()
}
