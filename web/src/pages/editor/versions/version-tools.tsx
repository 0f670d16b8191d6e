import { Button } from '@mantine/core'
import { IconArrowsDiff, IconRestore } from '../../../design/icons/editor-icons.ts'
import { IconEye } from '../../../design/icons/page-icons.ts'
import { useEditorState } from '../editor-context.ts'
import { useVersionActions } from './use-version-actions.ts'
import { type Earlier, earlierInWords } from './version-words.ts'
import classes from './versions.module.css'

type ShownAs = 'alone' | 'compared' | undefined

export function shownAs(isCompared: boolean | undefined): ShownAs {
  return isCompared === undefined ? undefined : isCompared ? 'compared' : 'alone'
}

interface VersionToolsProps {
  readonly earlier: Earlier
  readonly isLive: boolean
  readonly shownAs: ShownAs
}

/** What can be done with one of the list. */
export function VersionTools({ earlier, isLive, shownAs }: VersionToolsProps) {
  const { view, restore } = useVersionActions(earlier)
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const name = earlierInWords(earlier)
  return (
    <div className={classes.actions}>
      <Button
        size="compact-xs"
        variant={shownAs === 'alone' ? 'filled' : 'subtle'}
        leftSection={<IconEye size={13} aria-hidden />}
        aria-label={`View ${name}`}
        onClick={() => void view(false)}
      >
        View
      </Button>
      <Button
        size="compact-xs"
        variant={shownAs === 'compared' ? 'filled' : 'subtle'}
        leftSection={<IconArrowsDiff size={13} aria-hidden />}
        aria-label={`Compare ${name} with now`}
        onClick={() => void view(true)}
      >
        Compare
      </Button>
      {!isReadOnly && !isLive && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconRestore size={13} aria-hidden />}
          aria-label={`Restore ${name} into the draft`}
          onClick={() => void restore()}
        >
          Restore
        </Button>
      )}
    </div>
  )
}
