import { ExactNumber, type JsonValue, writeJson } from '../../../../src/flows/json/exact-json.ts'
import { LongText } from './long-text.tsx'
import classes from './value-view.module.css'

const GLANCE = 1_000

/** A value without members, written as in JSON and coloured by its kind. */
export function Scalar({ value }: { readonly value: JsonValue }) {
  return (
    <span className={classes[kindOf(value)]}>
      <LongText text={writeJson(value)} glance={GLANCE} />
    </span>
  )
}

function kindOf(value: JsonValue): 'string' | 'number' | 'word' {
  if (typeof value === 'string') return 'string'
  return typeof value === 'number' || value instanceof ExactNumber ? 'number' : 'word'
}
