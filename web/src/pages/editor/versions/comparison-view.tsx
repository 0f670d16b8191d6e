import { useEffect, useMemo, useRef } from 'react'
import { compareFlows, summarise } from '../../../editor/compare/compare-flows.ts'
import { useEditorState, type ViewedVersion } from '../editor-context.ts'
import { ComparisonList } from './comparison-list.tsx'
import { earlierInWords } from './version-words.ts'
import classes from './versions.module.css'

/** What is different now from an earlier version, in words. */
export function ComparisonView({ viewed }: { readonly viewed: ViewedVersion }) {
  const now = useEditorState((state) => state.flow)
  const { document } = viewed
  const comparison = useMemo(() => compareFlows(document, now), [document, now])
  const view = useRef<HTMLElement>(null)
  // It may open below the end of the list that is in sight.
  useEffect(() => {
    view.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section
      ref={view}
      className={classes.comparison}
      aria-label={`What changed since ${earlierInWords(viewed)}`}
    >
      <p className={classes.summary}>
        Since {earlierInWords(viewed)}: {summarise(comparison).toLowerCase()}.
      </p>
      <ComparisonList comparison={comparison} />
    </section>
  )
}
