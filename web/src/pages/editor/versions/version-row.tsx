import { Button } from '@mantine/core'
import type { FlowVersion } from '../../../api/versions.ts'
import { IconArrowsDiff, IconRestore } from '../../../design/icons/editor-icons.ts'
import { IconEye } from '../../../design/icons/page-icons.ts'
import { RelativeTime } from '../../../design/relative-time.tsx'
import { useEditorState } from '../editor-context.ts'
import { ComparisonView } from './comparison-view.tsx'
import { useVersionActions } from './use-version-actions.ts'
import { changesInWords, makingInWords } from './version-words.ts'
import classes from './versions.module.css'

interface VersionRowProps {
  readonly version: FlowVersion
  readonly isLive: boolean
}

/** One version: what it is called, what it changed, who made it. What differs from it now opens in its place. */
export function VersionRow({ version, isLive }: VersionRowProps) {
  const viewed = useEditorState((state) => state.viewed)
  const shown = viewed?.version === version.version ? viewed : undefined
  return (
    <li className={classes.row} aria-current={shown !== undefined || undefined}>
      <Heading version={version} isLive={isLive} />
      <Facts version={version} />
      <Actions version={version.version} isLive={isLive} shownAs={shownAs(shown?.isCompared)} />
      {shown?.isCompared === true && <ComparisonView viewed={shown} />}
    </li>
  )
}

function Heading({ version: { version, name, created_at }, isLive }: VersionRowProps) {
  return (
    <div className={classes.description}>
      <span className={classes.number}>{name ?? `Version ${version}`}</span>
      {isLive && <span className={classes.live}>live</span>}
      <span className={classes.time}>
        {name !== null && `Version ${version}, `}
        <RelativeTime at={created_at} />
      </span>
    </div>
  )
}

function Facts({ version }: { readonly version: FlowVersion }) {
  const [changes, making] = [changesInWords(version), makingInWords(version)]
  return (
    <>
      {version.note !== null && <p className={classes.note}>{version.note}</p>}
      {changes !== undefined && <p className={classes.fact}>{changes}</p>}
      {making !== undefined && <p className={classes.author}>{making}</p>}
    </>
  )
}

type ShownAs = 'alone' | 'compared' | undefined

function shownAs(isCompared: boolean | undefined): ShownAs {
  return isCompared === undefined ? undefined : isCompared ? 'compared' : 'alone'
}

interface ActionsProps {
  readonly version: number
  readonly isLive: boolean
  readonly shownAs: ShownAs
}

function Actions({ version, isLive, shownAs }: ActionsProps) {
  const { view, restore } = useVersionActions(version)
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const name = `version ${version}`
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
