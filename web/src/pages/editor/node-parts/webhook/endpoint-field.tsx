import { CopyButton } from '../../../../design/copy-button.tsx'
import { webhookAddress } from '../../../../editor/snippets/call-snippets.ts'
import type { FieldPartProps } from '../../node-part.ts'
import { ShownAddress } from '../shown-address.tsx'
import { useCallTarget } from './use-call-target.ts'

export function EndpointField({ node, labelId, describedBy, faultList }: FieldPartProps) {
  const address = webhookAddress(useCallTarget(node.id))
  return (
    <>
      <ShownAddress {...{ address, labelId, describedBy }}>
        <CopyButton text={address} label="Copy the endpoint" />
      </ShownAddress>
      {faultList}
    </>
  )
}
