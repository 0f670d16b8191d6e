import { Menu } from '@mantine/core'
import { IconArrowBarToRight, IconArrowUpRight } from '../../../design/icons/editor-icons.ts'
import { IconChevronDown, IconChevronRight } from '../../../design/icons/page-icons.ts'
import { useRegionMoves } from '../actions/use-region-moves.ts'
import { useEditor } from '../editor-context.ts'

/** Which frame nodes stand in, and whether what stands in it is drawn. */
export function RegionEntries({ parts }: { readonly parts: ReadonlySet<string> }) {
  const editor = useEditor()
  const { regions, isInside, only, moveInto } = useRegionMoves(parts)
  return (
    <>
      {only !== undefined && (
        <Menu.Item
          leftSection={
            only.collapsed === true ? <IconChevronRight size={16} /> : <IconChevronDown size={16} />
          }
          onClick={() =>
            editor.execute({
              kind: 'change-node',
              node: only.id,
              changes: { collapsed: only.collapsed === true ? null : true }
            })
          }
        >
          {only.collapsed === true ? 'Expand' : 'Collapse'}
        </Menu.Item>
      )}
      {regions.map(({ id, title }) => (
        <Menu.Item key={id} leftSection={<IconArrowBarToRight size={16} />} onClick={() => moveInto(id)}>
          Move into {title}
        </Menu.Item>
      ))}
      {isInside && (
        <Menu.Item leftSection={<IconArrowUpRight size={16} />} onClick={() => moveInto(undefined)}>
          Move out
        </Menu.Item>
      )}
    </>
  )
}
