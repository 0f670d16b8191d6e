import { Menu } from '@mantine/core'
import { IconFrame } from '../../../design/icons/canvas-icons.ts'
import { IconAlignLeft, IconBan } from '../../../design/icons/editor-icons.ts'
import { areDisabled } from '../../../editor/commands/disable-nodes.ts'
import { groupsIn, withMembers } from '../../../editor/groups/groups.ts'
import { LEAST } from '../../../editor/layout/align.ts'
import { KeyCaps } from '../../../shell/key-caps.tsx'
import { ALIGNMENTS, DISTRIBUTIONS, GROUP_KEYS } from '../actions/arranging-commands.ts'
import { useArranging } from '../actions/use-arranging.ts'
import { useEditing } from '../actions/use-editing.ts'
import { useEditorState } from '../editor-context.ts'
import { RegionEntries } from './region-entries.tsx'

/** Whether the parts run, what is drawn around them, and how they stand to each other. */
export function ArrangeEntries({ parts }: { readonly parts: ReadonlySet<string> }) {
  const arranging = useArranging()
  const editing = useEditing()
  const flow = useEditorState((state) => state.flow)
  const all = withMembers(flow, parts)
  const nodes = flow.nodes.filter(({ id }) => all.has(id))
  const isGrouped = groupsIn(flow).some(
    (group) => parts.has(group.id) || group.nodes.some((id) => parts.has(id))
  )
  return (
    <>
      <Menu.Item
        leftSection={<IconBan size={16} />}
        rightSection={<KeyCaps keys="d" />}
        onClick={() => editing.toggleDisabled(parts)}
      >
        {areDisabled(nodes) ? 'Enable' : 'Disable'}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconFrame size={16} />}
        rightSection={<KeyCaps keys={GROUP_KEYS.group} />}
        onClick={() => arranging.group(parts)}
      >
        Group
      </Menu.Item>
      {isGrouped && (
        <Menu.Item
          leftSection={<IconFrame size={16} />}
          rightSection={<KeyCaps keys={GROUP_KEYS.ungroup} />}
          onClick={() => arranging.ungroup(parts)}
        >
          Ungroup
        </Menu.Item>
      )}
      <RegionEntries parts={parts} />
      {parts.size >= LEAST.align && <AlignEntries isMany={parts.size >= LEAST.distribute} />}
    </>
  )
}

function AlignEntries({ isMany }: { readonly isMany: boolean }) {
  const arranging = useArranging()
  return (
    <Menu.Sub transitionProps={{ duration: 0 }}>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconAlignLeft size={16} />}>Align</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        {ALIGNMENTS.map(({ to, title, keys, icon: Icon }) => (
          <Menu.Item
            key={to}
            leftSection={<Icon size={16} />}
            rightSection={<KeyCaps keys={keys} />}
            onClick={() => arranging.align(to)}
          >
            {title}
          </Menu.Item>
        ))}
        {isMany &&
          DISTRIBUTIONS.map(({ to, title, keys, icon: Icon }) => (
            <Menu.Item
              key={to}
              leftSection={<Icon size={16} />}
              rightSection={<KeyCaps keys={keys} />}
              onClick={() => arranging.distribute(to)}
            >
              {title}
            </Menu.Item>
          ))}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}
