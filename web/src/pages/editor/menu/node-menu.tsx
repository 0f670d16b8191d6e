import { Menu } from '@mantine/core'
import { IconBook, IconCopyPlus, IconPencil, IconScissors } from '../../../design/icons/editor-icons.ts'
import { IconCopy, IconSettings, IconTrash } from '../../../design/icons/page-icons.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { findNode } from '../../../editor/graph/flow.ts'
import { findGroup } from '../../../editor/groups/groups.ts'
import type { ComponentFacts } from '../../../editor/wiring/page-catalogue.ts'
import { AboutComponent } from '../about/about-component.tsx'
import { useEditing } from '../actions/use-editing.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { nodePartsFor } from '../registry/node-parts.ts'
import type { Place } from '../session/node-menu-context.ts'
import { ArrangeEntries } from './arrange-entries.tsx'
import classes from './menu.module.css'

interface NodeMenuProps {
  readonly node: string
  readonly beside: Place
  readonly onClose: () => void
}

/** What can be done with a node, beside where that was asked for. */
export function NodeMenu({ node: id, beside, onClose }: NodeMenuProps) {
  const node = useEditorState(({ flow }) => findNode(flow, id))
  const component = useEditorState(({ catalogue }) =>
    node === undefined ? undefined : catalogue.facts(node.type)
  )
  const isGroup = useEditorState(({ flow }) => findGroup(flow, id) !== undefined)
  if (node === undefined && !isGroup) return null
  return (
    <Menu
      opened
      onChange={(opened) => !opened && onClose()}
      position="bottom-end"
      width={220}
      transitionProps={{ duration: 0 }}
      // The node may be scrolled away from under it; the menu stays until it is closed.
      hideDetached={false}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label="Menu of the node"
          className={classes.anchor}
          style={{ ...beside }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {node !== undefined && <PartEntries node={node} />}
        <EditEntries id={id} />
        {component !== undefined && <AboutEntry component={component} />}
      </Menu.Dropdown>
    </Menu>
  )
}

function PartEntries({ node }: { readonly node: Node }) {
  const editor = useEditor()
  const entries = nodePartsFor(node.type).menu ?? []
  if (entries.length === 0) return null
  return (
    <>
      {entries.map(({ id, title, icon: Icon, run }) => (
        <Menu.Item key={id} leftSection={<Icon size={16} />} onClick={() => run(editor, node)}>
          {title}
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  )
}

function EditEntries({ id }: { readonly id: string }) {
  const editor = useEditor()
  const editing = useEditing()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const selected = useEditorState(({ selection }) => selection.parts)
  // Of several that are selected, the menu is about all; of another node, about that one.
  const parts = selected.has(id) ? selected : new Set([id])
  return (
    <>
      {!isReadOnly && (
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => editor.rename(id)}>
          Rename
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<IconSettings size={16} />}
        onClick={() => {
          editor.select({ parts: new Set([id]), wires: new Set() })
          editor.inspect('wide')
        }}
      >
        All settings
      </Menu.Item>
      <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void editing.copy(parts)}>
        Copy
      </Menu.Item>
      {!isReadOnly && (
        <>
          <Menu.Item leftSection={<IconScissors size={16} />} onClick={() => void editing.cut(parts)}>
            Cut
          </Menu.Item>
          <Menu.Item leftSection={<IconCopyPlus size={16} />} onClick={() => editing.duplicate(parts)}>
            Duplicate
          </Menu.Item>
          <ArrangeEntries parts={parts} />
          <Menu.Item
            c="var(--state-failed)"
            leftSection={<IconTrash size={16} />}
            onClick={() => editing.remove(parts)}
          >
            Delete
          </Menu.Item>
        </>
      )}
    </>
  )
}

function AboutEntry({ component }: { readonly component: ComponentFacts }) {
  const editor = useEditor()
  return (
    <>
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconBook size={16} />}
        onClick={() =>
          editor.showPanel({
            id: `about-${component.type}`,
            title: `About ${component.title}`,
            content: <AboutComponent component={component} />
          })
        }
      >
        About {component.title}
      </Menu.Item>
    </>
  )
}
