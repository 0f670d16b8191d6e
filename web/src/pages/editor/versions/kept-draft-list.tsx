import { type KeptDraft, useKeptDrafts } from '../../../api/kept-drafts.ts'
import { RelativeTime } from '../../../design/relative-time.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { ComparisonView } from './comparison-view.tsx'
import { shownAs, VersionTools } from './version-tools.tsx'
import { keepingInWords } from './version-words.ts'
import classes from './versions.module.css'

/** Drafts that were kept when something took their place; nothing where there are none. */
export function KeptDraftList() {
  const { flowId } = useEditor()
  const { data: drafts = [] } = useKeptDrafts(flowId)
  if (drafts.length === 0) return null
  return (
    <details className={classes.kept} open={drafts.length <= FEW}>
      <summary>Drafts that were kept ({drafts.length})</summary>
      <ol className={classes.list} reversed>
        {drafts.map((draft) => (
          <KeptDraftRow key={draft.number} draft={draft} />
        ))}
      </ol>
    </details>
  )
}

/** More of them would push the versions out of sight. */
const FEW = 2

function KeptDraftRow({ draft }: { readonly draft: KeptDraft }) {
  const viewed = useEditorState((state) => state.viewed)
  const shown = viewed?.keptDraft === draft.number ? viewed : undefined
  return (
    <li className={classes.row} aria-current={shown !== undefined || undefined}>
      <div className={classes.description}>
        <span className={classes.number}>Draft {draft.number}</span>
        <span className={classes.time}>
          <RelativeTime at={draft.updated_at} />
        </span>
      </div>
      <p className={classes.author}>{keepingInWords(draft)}</p>
      <VersionTools
        earlier={{ version: draft.base_version, keptDraft: draft.number }}
        isLive={false}
        shownAs={shownAs(shown?.isCompared)}
      />
      {shown?.isCompared === true && <ComparisonView viewed={shown} />}
    </li>
  )
}
