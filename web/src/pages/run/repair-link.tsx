import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { IconSparkles } from '../../design/icons/page-icons.ts'
import { useModelConnections } from '../../flow-parts/use-model-connections.ts'
import type { RunFlow } from './use-run-flow.ts'

interface RepairLinkProps {
  readonly to: string
  readonly flow: RunFlow
}

/** A model proposes what mends the node, on the canvas; where there is one to ask. */
export function RepairLink({ to, flow }: RepairLinkProps) {
  const connections = useModelConnections(flow.document?.context ?? '/', flow.component)
  if (connections.length === 0) return null
  return (
    <Button
      size="xs"
      variant="default"
      component={Link}
      to={to}
      leftSection={<IconSparkles size={14} aria-hidden />}
    >
      Repair
    </Button>
  )
}
