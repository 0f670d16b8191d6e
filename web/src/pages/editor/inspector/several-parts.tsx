import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useMemo } from 'react'
import { IconFrame } from '../../../design/icons/canvas-icons.ts'
import { IconBan } from '../../../design/icons/editor-icons.ts'
import { areDisabled } from '../../../editor/commands/disable-nodes.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { KeyCaps } from '../../../shell/key-caps.tsx'
import { ALIGNMENTS, DISTRIBUTIONS } from '../actions/arranging-commands.ts'
import { useArranging } from '../actions/use-arranging.ts'
import { useEditing } from '../actions/use-editing.ts'
import { useEditorState } from '../editor-context.ts'
import classes from './part.module.css'
import { PartActions } from './part-actions.tsx'
import { SharedFields } from './shared-fields.tsx'

/** What several selected parts share, and what can be done with all of them. */
export function SeveralParts() {
  const parts = useEditorState(({ selection }) => selection.parts)
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const nodes = useMemo(() => flow.nodes.filter(({ id }) => parts.has(id)), [flow.nodes, parts])
  const kinds = Map.groupBy(nodes, (node) => catalogue.facts(node.type)?.title ?? node.type)
  const counted = [...kinds].map(([kind, { length }]) => (length === 1 ? kind : `${length} × ${kind}`))
  const others = parts.size - nodes.length
  if (others > 0) counted.push(others === 1 ? '1 note or group' : `${others} notes and groups`)
  return (
    <>
      <p className={classes.shared}>{counted.join(', ')}</p>
      {!isReadOnly && <Arrange nodes={nodes} />}
      <SharedFields nodes={nodes} />
      <PartActions />
    </>
  )
}

function Arrange({ nodes }: { readonly nodes: readonly Node[] }) {
  const arranging = useArranging()
  const editing = useEditing()
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons of one kind, no set of fields. */}
      <div className={classes.arrangements} role="group" aria-label="Align and distribute">
        {ALIGNMENTS.map(({ to, title, keys, icon: Icon }) => (
          <ArrangeTool key={to} title={title} keys={keys} onClick={() => arranging.align(to)}>
            <Icon size={18} aria-hidden />
          </ArrangeTool>
        ))}
        {DISTRIBUTIONS.map(({ to, title, keys, icon: Icon }) => (
          <ArrangeTool key={to} title={title} keys={keys} onClick={() => arranging.distribute(to)}>
            <Icon size={18} aria-hidden />
          </ArrangeTool>
        ))}
      </div>
      {nodes.length > 0 && (
        <div className={classes.arrangements}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFrame size={14} aria-hidden />}
            onClick={() => arranging.group()}
          >
            Group
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconBan size={14} aria-hidden />}
            onClick={() => editing.toggleDisabled()}
          >
            {areDisabled(nodes) ? 'Enable' : 'Disable'}
          </Button>
        </div>
      )}
    </>
  )
}

interface ArrangeToolProps {
  readonly title: string
  readonly keys: string
  readonly onClick: () => void
  readonly children: React.ReactNode
}

function ArrangeTool({ title, keys, onClick, children }: ArrangeToolProps) {
  return (
    <Tooltip
      label={
        <>
          {title} <KeyCaps keys={keys} />
        </>
      }
    >
      <ActionIcon aria-label={title} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
