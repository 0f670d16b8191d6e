import type { Port } from '../../../../../../src/flows/component/ports.ts'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { ValueView } from '../../../../design/value-view/value-view.tsx'

interface PortValueProps {
  readonly value: JsonValue
  readonly label: string
  /** Undefined where the component is not there any more. */
  readonly port: Port | undefined
}

/** What left a node by one of its outputs; rows are a table at first sight. */
export function PortValue({ value, label, port }: PortValueProps) {
  const first = port?.type === 'table' ? { initialView: 'table' as const } : {}
  return <ValueView value={value} label={label} {...first} />
}
