import { CopyButton } from '../../../design/copy-button.tsx'
import type { Node } from '../../../editor/graph/flow.ts'
import { hasLiveAddress } from '../../../editor/graph/live-standing.ts'
import { webhookAddress } from '../../../editor/snippets/call-snippets.ts'
import { useEditorState } from '../editor-context.ts'
import { useCallTarget } from '../node-parts/webhook/use-call-target.ts'
import classes from './triggers.module.css'

/** On the node of a Webhook: its whole address to be copied, and whether anybody can call it yet. */
export function AddressMark({ node }: { readonly node: Node }) {
  const isLive = useEditorState(({ live }) => hasLiveAddress(live.document, node.type))
  const address = webhookAddress(useCallTarget(node.id))
  return (
    <span className={classes.address}>
      {!isLive && <span title="Callers find it once the flow is published.">not live yet</span>}
      <span className="nodrag">
        <CopyButton text={address} label="Copy the address of the webhook" />
      </span>
    </span>
  )
}
