import { CopyButton } from '../../../../design/copy-button.tsx'
import { webhookAddress } from '../../../../editor/snippets/call-snippets.ts'
import type { FieldPartProps } from '../../node-part.ts'
import { useCallTarget } from './use-call-target.ts'
import classes from './webhook-fields.module.css'

/** The address of the flow. Where there is no room for all of it, its end stays: it is what tells flows apart. */
export function EndpointField({ node, labelId, describedBy, faultList }: FieldPartProps) {
  const address = webhookAddress(useCallTarget(node.id))
  const end = address.lastIndexOf('/') + 1
  return (
    <>
      <div className={classes.address}>
        <output
          aria-labelledby={labelId}
          {...(describedBy === '' ? {} : { 'aria-describedby': describedBy })}
          title={address}
        >
          <span className={classes.start}>{address.slice(0, end)}</span>
          <span className={classes.addressEnd}>{address.slice(end)}</span>
        </output>
        <CopyButton text={address} label="Copy the endpoint" />
      </div>
      {faultList}
    </>
  )
}
