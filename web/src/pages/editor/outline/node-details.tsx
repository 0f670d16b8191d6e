import { TextInput } from '@mantine/core'
import type { Node } from '../../../editor/graph/flow.ts'
import { NodeForm } from '../fields/node-form.tsx'
import { useWiresThatFollow } from '../fields/use-wires-that-follow.ts'
import { useDrawnNode } from '../geometry/use-drawn-node.ts'
import { Fold } from '../inspector/fold.tsx'
import { NodeFailureSettings } from '../inspector/node-failure-settings.tsx'
import { NodeFaults } from '../inspector/node-faults.tsx'
import { NodeWires } from '../inspector/node-wires.tsx'
import { useNodeTitle } from '../inspector/use-node-title.ts'
import { useContextScope } from '../node-parts/use-context-scope.ts'
import { placeOfField } from '../registry/node-parts.ts'

/** All of a node: title, wires, every field that means something with its help, retries and time. */
export function NodeDetails({ node }: { readonly node: Node }) {
  const drawn = useDrawnNode(node)
  const follow = useWiresThatFollow(drawn)
  const scope = useContextScope()
  const fields = Object.entries(drawn.component?.fields ?? {}).filter(
    ([name, field]) => placeOfField(node, name, field, scope) !== 'nowhere'
  )
  const kind = drawn.component?.title ?? node.type
  return (
    <>
      <TextInput size="xs" label="Title" {...useNodeTitle(node, kind)} />
      <NodeFaults node={node.id} />
      <NodeWires drawn={drawn} />
      {drawn.component !== undefined && (
        <div {...follow}>
          <NodeForm node={node} fields={fields} />
        </div>
      )}
      <Fold title="When it fails" isOpen={node.on_error === 'output'}>
        <NodeFailureSettings node={node} />
      </Fold>
    </>
  )
}
