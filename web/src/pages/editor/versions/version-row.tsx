import type { FlowVersion } from '../../../api/versions.ts'
import { RelativeTime } from '../../../design/relative-time.tsx'
import { isAnythingLive } from '../../../editor/graph/live-standing.ts'
import { useEditorState } from '../editor-context.ts'
import { ComparisonView } from './comparison-view.tsx'
import { shownAs, VersionTools } from './version-tools.tsx'
import { changesInWords, makingInWords } from './version-words.ts'
import classes from './versions.module.css'

interface VersionRowProps {
  readonly version: FlowVersion
  readonly isLive: boolean
}

/** One version: what it is called, what it changed, who made it. What differs from it now opens in its place. */
export function VersionRow({ version, isLive }: VersionRowProps) {
  const viewed = useEditorState((state) => state.viewed)
  const isShown = viewed?.version === version.version && viewed.keptDraft === undefined
  const shown = isShown ? viewed : undefined
  return (
    <li className={classes.row} aria-current={shown !== undefined || undefined}>
      <Heading version={version} isLive={isLive} />
      <Facts version={version} />
      <VersionTools
        earlier={{ version: version.version }}
        isLive={isLive}
        shownAs={shownAs(shown?.isCompared)}
      />
      {shown?.isCompared === true && <ComparisonView viewed={shown} />}
    </li>
  )
}

function Heading({ version: { version, name, created_at }, isLive }: VersionRowProps) {
  // A flow that was made blank has a version that does nothing.
  const isAnything = useEditorState(({ live }) => isAnythingLive(live.document))
  return (
    <div className={classes.description}>
      <span className={classes.number}>{name ?? `Version ${version}`}</span>
      {isLive && isAnything && <span className={classes.live}>live</span>}
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
