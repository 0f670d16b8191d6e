import type { Field } from '../../../../src/flows/component/component.ts'

interface Place {
  readonly field: string
  readonly at: number
}

/**
 * Where a key goes that is chosen beside a node: where the cursor was in one of its templates, or behind the text of the
 * only one that it has. Undefined where nobody could say which is meant.
 */
export function placeForKey(
  fields: Readonly<Record<string, Field>>,
  textOf: (field: string) => string,
  left: Place | undefined
): Place | undefined {
  const templates = Object.entries(fields).filter(
    ([, { kind, hidden }]) => kind === 'template' && hidden !== true
  )
  const isLeft = left !== undefined && templates.some(([name]) => name === left.field)
  if (isLeft) return { field: left.field, at: Math.min(left.at, textOf(left.field).length) }
  const [only, ...others] = templates
  return only === undefined || others.length > 0 ? undefined : { field: only[0], at: textOf(only[0]).length }
}
