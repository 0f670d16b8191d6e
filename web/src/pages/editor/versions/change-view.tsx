import { writeJson } from '../../../../../src/flows/json/exact-json.ts'
import type { Change } from '../../../editor/compare/compare-flows.ts'
import type { DiffLine } from '../../../editor/compare/diff-text.ts'
import classes from './versions.module.css'

const SIGNS = { same: ' ', removed: '−', added: '+' } as const

/** One value that is another one now: line by line where both are text. */
export function ChangeView({ change }: { readonly change: Change }) {
  const lines = change.lines ?? wholeLines(change)
  return (
    <figure className={classes.change}>
      <figcaption>{change.name.replaceAll('_', ' ')}</figcaption>
      <pre className={classes.lines}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name of their own, and the list is never reordered.
          <Line key={index} line={line} />
        ))}
      </pre>
    </figure>
  )
}

function Line({ line: { kind, parts } }: { readonly line: DiffLine }) {
  const word = kind === 'same' ? '' : kind === 'added' ? 'added: ' : 'removed: '
  return (
    <span className={classes.line} data-kind={kind}>
      <span aria-hidden>{SIGNS[kind]} </span>
      <span className="visually-hidden">{word}</span>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above.
        <span key={index} data-kind={part.kind === 'same' ? undefined : part.kind}>
          {part.text}
        </span>
      ))}
      {'\n'}
    </span>
  )
}

/** Values that are not text stand against each other as a whole. */
function wholeLines({ before, after }: Change): DiffLine[] {
  const lines = (kind: 'removed' | 'added', value: unknown): DiffLine[] =>
    value === undefined
      ? []
      : textOf(value)
          .split('\n')
          .map((text) => ({ kind, parts: [{ kind, text }] }))
  return [...lines('removed', before), ...lines('added', after)]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : writeJson(value, 2)
}
