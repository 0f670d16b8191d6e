import { FieldControl } from '../../fields/field-control.tsx'
import type { FieldPartProps } from '../../node-part.ts'
import { useWebhookEntry } from './use-webhook-entry.ts'
import { inheritedLimit } from './webhook-entry.ts'

/** A limit that the node does not set may be set by a context: an empty field tells which. */
export function LimitField(props: FieldPartProps) {
  const entry = useWebhookEntry(props.node.id)
  const inherited = entry === undefined ? undefined : inheritedLimit(entry, props.name)
  const field =
    inherited === undefined || props.areDifferent ? props.field : { ...props.field, placeholder: inherited }
  return <FieldControl {...props} field={field} />
}
