import { Button, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { IconPlus, IconSearch } from '../../../design/icons/page-icons.ts'
import { isField } from '../../../shell/shortcut-keys.ts'
import { onFieldKey } from '../canvas/use-canvas-keys.ts'
import { useEditorState } from '../editor-context.ts'
import { useQuickAdd } from '../session/quick-add-context.ts'
import { useEditorSession } from '../session/session-context.ts'
import classes from './outline.module.css'
import { OutlineList } from './outline-list.tsx'
import { findRows, outlineRows } from './outline-rows.ts'
import { PartDetails } from './part-details.tsx'

/** The flow as a list, and the whole of what is selected in it. */
export function Outline({ isFinding = false }: { readonly isFinding?: boolean }) {
  const session = useEditorSession()
  const quickAdd = useQuickAdd()
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const [search, setSearch] = useState('')
  const rows = useMemo(() => outlineRows(flow, catalogue), [flow, catalogue])
  const found = findRows(rows, search)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: undo for all fields within.
    <div
      className={classes.outline}
      data-outline
      onKeyDown={(event) => {
        if (isField(event.target) && onFieldKey(event, session)) event.preventDefault()
      }}
    >
      <div className={classes.top}>
        <TextInput
          size="xs"
          className={classes.search}
          aria-label="Search nodes"
          placeholder="Search nodes"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          autoFocus={isFinding}
          onKeyDown={(event) => {
            const [first] = found
            if (event.key === 'Enter' && first !== undefined) session.goTo(first.id)
          }}
        />
        {!isReadOnly && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={(event) => {
              const { left, bottom } = event.currentTarget.getBoundingClientRect()
              quickAdd.open({ screen: { x: left - 120, y: bottom + 4 }, isInView: true })
            }}
          >
            Add
          </Button>
        )}
      </div>
      <OutlineList rows={found} takesFocus={!isFinding} />
      <PartDetails />
    </div>
  )
}
