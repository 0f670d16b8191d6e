import { ExactNumber, type JsonValue, writeJson } from '../../../../src/flows/exact-json.ts'
import classes from './value-view.module.css'

/** A value without members, written as in JSON and coloured by its kind. */
export function Scalar({ value }: { readonly value: JsonValue }) {
  return <span className={classes[kindOf(value)]}>{writeJson(value)}</span>
}

function kindOf(value: JsonValue): 'string' | 'number' | 'word' {
  if (typeof value === 'string') return 'string'
  return typeof value === 'number' || value instanceof ExactNumber ? 'number' : 'word'
}
