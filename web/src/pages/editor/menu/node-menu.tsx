import { Menu } from '@mantine/core'
import { useMay } from '../../../api/session.ts'
import { IconMessage, IconScissors } from '../../../design/icons/component-icons.ts'
import {
  IconArrowBarToRight,
  IconBook,
  IconCopyPlus,
  IconPencil,
  IconPin,
  IconPinOff
} from '../../../design/icons/editor-icons.ts'
import { IconCopy, IconSettings, IconTrash } from '../../../design/icons/page-icons.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { findNode } from '../../../editor/graph/flow.ts'
import { findGroup } from '../../../editor/groups/groups.ts'
import type { ComponentFacts } from '../../../editor/wiring/page-catalogue.ts'
import { KeyCaps } from '../../../shell/key-caps.tsx'
import { AboutComponent } from '../about/about-component.tsx'
import { useEditing } from '../actions/use-editing.ts'
import { showComments } from '../company/show-comments.tsx'
import { useEditor, useEditorState, usePin } from '../editor-context.ts'
import { PIN_KEYS } from '../pins/use-pin-commands.ts'
import { usePinning } from '../pins/use-pinning.ts'
import { nodePartsFor } from '../registry/node-parts.ts'
import type { Place } from '../session/node-menu-context.ts'
import { useTesting } from '../session/testing-context.ts'
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
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const mayTest = useMay('trigger') && !isReadOnly
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
        {node !== undefined && mayTest && <TestEntries node={node} />}
        {node !== undefined && <CommentEntry node={id} />}
        <EditEntries id={id} />
        {component !== undefined && <AboutEntry component={component} />}
      </Menu.Dropdown>
    </Menu>
  )
}

function CommentEntry({ node }: { readonly node: string }) {
  const editor = useEditor()
  const comment = () => {
    editor.select({ parts: new Set([node]), wires: new Set() })
    showComments(editor, node)
  }
  return (
    <Menu.Item leftSection={<IconMessage size={16} />} onClick={comment}>
      Comment
    </Menu.Item>
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

/** What is tried out with it. */
function TestEntries({ node }: { readonly node: Node }) {
  const editor = useEditor()
  const testing = useTesting()
  const pinning = usePinning()
  const isPinned = usePin(node.id) !== undefined
  const show = () => {
    editor.select({ parts: new Set([node.id]), wires: new Set() })
    editor.inspect(editor.state().inspector === 'wide' ? 'wide' : 'side')
  }
  return (
    <>
      <Menu.Item
        leftSection={<IconArrowBarToRight size={16} />}
        onClick={() => {
          show()
          void testing.test(undefined, node.id)
        }}
      >
        Run up to here
      </Menu.Item>
      <Menu.Item
        leftSection={isPinned ? <IconPinOff size={16} /> : <IconPin size={16} />}
        rightSection={<KeyCaps keys={PIN_KEYS} />}
        onClick={() => {
          show()
          void pinning.toggle(node.id)
        }}
      >
        {isPinned ? 'Unpin output' : 'Pin output'}
      </Menu.Item>
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
