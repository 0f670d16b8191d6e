import type { Field } from '../../../../../../src/flows/component/component.ts'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import type { Node } from '../../../../editor/graph/flow.ts'
import type { FieldPlace } from '../../node-part.ts'

type IsMeant = (chosen: JsonValue) => boolean

const one =
  (...choices: readonly string[]): IsMeant =>
  (chosen) =>
    choices.includes(String(chosen))
const not =
  (choice: string): IsMeant =>
  (chosen) =>
    chosen !== choice

interface ByChoice {
  /** The field that is chosen in, and what it begins with. */
  readonly by: string
  readonly first: string
  /** Fields that mean something only by what is chosen there. */
  readonly meant: Readonly<Record<string, IsMeant>>
}

const CSV = one('CSV to rows', 'Rows to CSV')

/** By the type of the component. */
export const DATA_PLACES: Readonly<Record<string, ByChoice>> = {
  'if-else': {
    by: 'mode',
    first: 'Compare',
    meant: {
      left: one('Compare'),
      operator: one('Compare'),
      right: one('Compare'),
      expression: one('Expression')
    }
  },
  parser: { by: 'mode', first: 'Parser', meant: { template: one('Parser') } },
  'split-text': {
    by: 'mode',
    first: 'Separator',
    meant: {
      separator: one('Separator'),
      length: one('Length'),
      overlap: not('Separator'),
      lines: one('Lines')
    }
  },
  'split-out': {
    by: 'keep',
    first: 'elements only',
    meant: { members: one('these members'), as: not('elements only') }
  },
  convert: {
    by: 'mode',
    first: 'JSON to data',
    meant: {
      delimiter: CSV,
      header: CSV,
      typed: one('CSV to rows'),
      uneven: one('CSV to rows'),
      bom: one('Rows to CSV'),
      timezone: one('To date'),
      input_format: one('To date'),
      indent: one('Data to JSON', 'Data to XML')
    }
  },
  date: {
    by: 'operation',
    first: 'Format',
    meant: {
      amount: one('Add', 'Subtract'),
      other: one('Difference'),
      unit: not('Format'),
      format: not('Difference')
    }
  },
  keep: {
    by: 'operation',
    first: 'Get',
    meant: {
      value: one('Set'),
      by: one('Increment'),
      default: one('Get'),
      expires_in: one('Set', 'Increment')
    }
  },
  'random-id': { by: 'kind', first: 'UUID v4', meant: { length: one('Short id', 'Digits') } }
}

export function placeOfDataField(node: Node, name: string, field: Field): FieldPlace {
  const places = Object.hasOwn(DATA_PLACES, node.type) ? DATA_PLACES[node.type] : undefined
  const isMeant = places !== undefined && Object.hasOwn(places.meant, name) ? places.meant[name]! : () => true
  const chosen = places === undefined ? '' : (node.fields[places.by] ?? places.first)
  if (!isMeant(chosen as JsonValue)) return 'nowhere'
  return field.hidden === true ? 'controls' : 'settings'
}
