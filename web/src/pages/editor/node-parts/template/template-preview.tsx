import { useDeferredValue, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { RelativeTime } from '../../../../design/relative-time.tsx'
import type { Node } from '../../../../editor/graph/flow.ts'
import { type Preview, previewParser, previewPrompt } from '../../../../editor/template/preview.ts'
import { wheelInside } from '../wheel-inside.ts'
import classes from './template-field.module.css'
import type { TemplateSample } from './use-template-sample.ts'

interface TemplatePreviewProps {
  readonly node: Node
  readonly template: { readonly name: string; readonly value: string }
  readonly sample: TemplateSample
  readonly variables: Readonly<Record<string, JsonValue>>
  readonly isWriting: boolean
  readonly isSmall?: boolean
  /** Stands beside the heading. */
  readonly children?: React.ReactNode
}

/** What comes of the template with the last payload, as the component itself would make it. */
export function TemplatePreview(props: TemplatePreviewProps) {
  const { node, template, sample, variables, isWriting, isSmall = false, children } = props
  const fields = useDeferredValue(node.fields)
  const source = useDeferredValue(template.value)
  const preview = useMemo(() => {
    const given = { ...fields, mode: 'Parser', template: source } as Record<string, JsonValue>
    return previewOf(sample, given, variables)
  }, [fields, source, sample, variables])
  return (
    <div className={classes.preview} data-small={isSmall || undefined}>
      <div className={classes.previewHead}>
        <span className={classes.previewTitle}>Preview</span>
        <PreviewOrigin sample={sample} />
        {children}
      </div>
      {/* Of another payload, what came before tells nothing. */}
      <PreviewText
        key={sample.run?.id}
        preview={preview}
        isWriting={isWriting}
        label={isSmall ? `Preview of ${template.name}, ${node.id}` : 'Preview'}
      />
    </div>
  )
}

/** Where the inputs follow from the template the Prompt shows what comes of it, else the Parser does. */
function previewOf(
  { data, source }: TemplateSample,
  fields: Readonly<Record<string, JsonValue>>,
  variables: Readonly<Record<string, JsonValue>>
): Preview | undefined {
  if (data === undefined) return undefined
  if (source.kind === 'data') return previewParser(fields, firstOf(data), variables)
  return previewPrompt(fields, data as Record<string, JsonValue>, variables)
}

/** Enough to see what comes of it; a list may hold a hundred thousand items, and this is done at every key stroke. */
const MOST_ITEMS = 100

function firstOf(data: JsonValue): JsonValue {
  return Array.isArray(data) ? data.slice(0, MOST_ITEMS) : data
}

export function PreviewOrigin({ sample: { run, isPinned } }: { readonly sample: TemplateSample }) {
  if (isPinned) return <span className={classes.origin}>with what is pinned</span>
  if (run === undefined) return <span className={classes.origin}>after the first request</span>
  return (
    <span className={classes.origin}>
      <Link to={`/runs/${run.id}`} className="nodrag">
        last run
      </Link>{' '}
      · <RelativeTime at={run.at} />
    </span>
  )
}

/** Longer ones are cut: nobody reads on, and a browser takes long to lay them out. */
const LONGEST = 20_000

/** What is wrong with the template itself: it is named where the template is, with its place underlined. */
const NAMED_ELSEWHERE = ['template_missing_key', 'template_syntax']

interface PreviewTextProps {
  readonly preview: Preview | undefined
  /** Problems wait until it is over. */
  readonly isWriting?: boolean
  /** Unlike all others on the page: screen readers list them. */
  readonly label: string
}

/** While a template is being typed it is broken half of the time: what came of it before stays, faintly. */
export function PreviewText({ preview, isWriting = false, label }: PreviewTextProps) {
  const [before, setBefore] = useState<string | undefined>()
  if (preview?.text !== undefined && preview.text !== before) setBefore(preview.text)
  const problem = preview?.problem
  if (problem !== undefined && !isWriting && !NAMED_ELSEWHERE.includes(problem.code)) {
    return <p className={classes.problem}>{problem.message}</p>
  }
  const text = preview === undefined ? undefined : (preview.text ?? before)
  if (text === undefined) return null
  return (
    <section
      className={`${classes.text} nodrag`}
      {...wheelInside}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard.
      tabIndex={0}
      aria-label={label}
      data-old={problem !== undefined || undefined}
    >
      <pre>{text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</pre>
    </section>
  )
}
