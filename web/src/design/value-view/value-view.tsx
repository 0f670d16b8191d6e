import { SegmentedControl } from '@mantine/core'
import { useMemo, useState } from 'react'
import { isPlainObject, type JsonValue, writeJson } from '../../../../src/flows/json/exact-json.ts'
import { CopyButton } from '../copy-button.tsx'
import { LongText } from './long-text.tsx'
import { tableOf } from './table-of.ts'
import { ValueTable } from './value-table.tsx'
import { type PathDrag, ValueTree } from './value-tree.tsx'
import classes from './value-view.module.css'

type View = 'tree' | 'table' | 'text'

interface ValueViewProps {
  readonly value: JsonValue
  /** What the value is, for screen readers: "Output of Parser". */
  readonly label: string
  /** Lets keys be dragged, or chosen by keyboard, as the text that stands for their path. */
  readonly drag?: PathDrag
  readonly initialView?: View
}

/** A JSON value as a tree, as a table where it is one, or as text; with every digit that was sent. */
export function ValueView({ value, label, drag, initialView }: ValueViewProps) {
  const table = useMemo(() => tableOf(value), [value])
  const [chosen, setChosen] = useState<View>()
  const wanted = chosen ?? initialView ?? (isNested(value) ? 'tree' : 'text')
  const view = wanted === 'table' && table === undefined ? 'tree' : wanted
  return (
    <div className={classes.view}>
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          value={view}
          onChange={(next) => setChosen(next as View)}
          aria-label={`How to show ${label}`}
          data={[
            { value: 'tree', label: 'Tree' },
            { value: 'table', label: 'Table', disabled: table === undefined },
            { value: 'text', label: 'Text' }
          ]}
        />
        <CopyButton text={() => textOf(value)} label={`Copy ${label}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard. */}
      <section className={classes.body} tabIndex={0} aria-label={`${label}, as ${view}`}>
        {view === 'tree' && <ValueTree value={value} {...(drag === undefined ? {} : { drag })} />}
        {view === 'table' && table !== undefined && <ValueTable table={table} />}
        {view === 'text' && <ValueText value={value} />}
      </section>
    </div>
  )
}

const TEXT_GLANCE = 20_000

function ValueText({ value }: { readonly value: JsonValue }) {
  const text = useMemo(() => textOf(value), [value])
  return (
    <pre className={classes.text}>
      <LongText text={text} glance={TEXT_GLANCE} />
    </pre>
  )
}

function isNested(value: JsonValue): boolean {
  return Array.isArray(value) || isPlainObject(value)
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : writeJson(value, 2)
}
