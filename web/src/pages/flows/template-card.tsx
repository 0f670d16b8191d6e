import { Radio } from '@mantine/core'
import { Fragment } from 'react'
import type { FlowNode } from '../../api/shapes.ts'
import { IconArrowRight } from '../../design/icons/list-icons.ts'
import classes from './new-flow-dialog.module.css'
import { COMPONENT_TITLES } from './templates/component-titles.ts'

interface TemplateCardProps {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly nodes: readonly FlowNode[]
}

export function TemplateCard({ id, title, summary, nodes }: TemplateCardProps) {
  return (
    <Radio.Card
      value={id}
      className={classes.card!}
      data-wide={nodes.length === 0 || undefined}
      aria-label={`${title}. ${summary}`}
    >
      <span className={classes.cardTitle}>{title}</span>
      <span className={classes.summary}>{summary}</span>
      {nodes.length > 0 && <Chain nodes={nodes} />}
    </Radio.Card>
  )
}

/** The kinds of node on the way, each once. */
function Chain({ nodes }: { readonly nodes: readonly FlowNode[] }) {
  const types = [...new Set(nodes.map(({ type }) => type))]
  return (
    <span className={classes.chain}>
      {types.map((type, index) => (
        <Fragment key={type}>
          {index > 0 && <IconArrowRight size={12} aria-hidden />}
          <span>{COMPONENT_TITLES[type] ?? type}</span>
        </Fragment>
      ))}
    </span>
  )
}
